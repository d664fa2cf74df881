package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func newCompletionCmd() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion " + strings.Join(shells, "|"),
		Short:     "Print the completion script of a shell",
		Long:      "Print the completion script of a shell, for example:\n\n  source <(kongctl completion bash)",
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("%s takes the name of one shell", cmd.CommandPath()).withHint("use %s.", strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return toOutput(root.GenBashCompletionV2(out, true))
			case "zsh":
				return toOutput(root.GenZshCompletion(out))
			case "fish":
				return toOutput(root.GenFishCompletion(out, true))
			case "powershell":
				return toOutput(root.GenPowerShellCompletionWithDesc(out))
			default:
				return usagef("completion for %s: not a known shell", args[0]).withHint("use %s.", strings.Join(shells, ", "))
			}
		},
	}
}
