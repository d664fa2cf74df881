package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/diag"
)

// Forms of the manual.
const (
	manualMan      = "man"
	manualMarkdown = "markdown"
)

// newManualCmd writes the pages of the manual. It is for those who package this
// program, and hidden from others.
func newManualCmd() *cobra.Command {
	var form string
	cmd := &cobra.Command{
		Use:    "manual DIR",
		Short:  "Write the manual into a folder",
		Hidden: true,
		Args:   oneArgument("a folder", true),
		RunE: func(cmd *cobra.Command, args []string) error {
			var pages map[string]string
			switch form {
			case manualMan:
				pages = manPages(cmd.Root())
			case manualMarkdown:
				pages = commandPages(cmd.Root())
			default:
				return usagef("invalid value %q for --form: use %s", form, diag.Join([]string{manualMan, manualMarkdown}, "or"))
			}
			return writePages(args[0], pages)
		},
	}
	cmd.Flags().StringVar(&form, "form", manualMan, "man or markdown")
	choose(cmd.Flags(), "form", manualMan, manualMarkdown)
	return cmd
}

func writePages(dir string, pages map[string]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// described calls a function for a command and for all below it that people see.
func described(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() {
			described(below, do)
		}
	}
}

// longText is what a command is for.
func longText(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return cmd.Short + "."
	}
	return cmd.Long
}
