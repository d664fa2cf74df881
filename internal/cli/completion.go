package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kongctl/kongctl/internal/diag"
)

// choicesOfFlag is the annotation of a flag whose values are not those of others
// with its name.
const choicesOfFlag = "choices"

// choose says which values a flag takes, whatever others with its name take.
func choose(flags *pflag.FlagSet, name string, values ...string) {
	_ = flags.SetAnnotation(name, choicesOfFlag, values) // whoever says so has added the flag
}

// addChoices lets shells complete the values of flags.
func addChoices(cmd *cobra.Command) {
	add := func(flag *pflag.Flag) {
		values := flag.Annotations[choicesOfFlag]
		if values == nil {
			values = choices[flag.Name]
		}
		if values == nil {
			return
		}
		complete := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
		if flag.Value.Type() == "stringSlice" {
			complete = listed(func() []string { return values })
		}
		_ = cmd.RegisterFlagCompletionFunc(flag.Name, complete) // the flag is the command's own
	}
	cmd.Flags().VisitAll(add) // nothing was parsed: they are its own
	cmd.PersistentFlags().VisitAll(add)
	for _, below := range cmd.Commands() {
		addChoices(below)
	}
}

func newCompletionCmd() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion " + strings.Join(shells, "|"),
		Short: "Print the completion script of a shell",
		Long: `Print the completion script of a shell. It completes commands, flags and their
values, types and fields, refs of the files that -f names, and names in Konnect,
which it reads with the token of the profile and keeps for half a minute.

For bash, the package bash-completion is used where it is loaded, and not needed.
With bash 3.2, which macOS comes with, save the script to a file and source that.
For zsh, compinit must have run.`,
		Example: `  source <(kongctl completion bash)
  kongctl completion zsh > "${fpath[1]}/_kongctl"
  kongctl completion fish > ~/.config/fish/completions/kongctl.fish
  kongctl completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("%s takes the name of one shell", cmd.CommandPath()).WithHint("use %s.", strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return toOutput(writeBashCompletion(out, root))
			case "zsh":
				return toOutput(root.GenZshCompletion(out))
			case "fish":
				return toOutput(root.GenFishCompletion(out, true))
			case "powershell":
				return toOutput(root.GenPowerShellCompletionWithDesc(out))
			default:
				return usagef("unknown shell %q: use %s", args[0], diag.Join(shells, "or"))
			}
		},
	}
}
