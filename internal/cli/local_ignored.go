package cli

import "github.com/spf13/cobra"

// refuseLocal are the commands that refuse --local, with all below them: they are about
// accounts of Konnect, or about clusters.
var refuseLocal = map[string]bool{"live": true, "profile": true}

// ignoreLocal lets a command, and all below it, that ask no Konnect take --local: who
// has it in an alias writes it for all. It is not shown, as it makes no difference.
func ignoreLocal(cmd *cobra.Command) {
	if refuseLocal[cmd.Name()] {
		return
	}
	for _, below := range cmd.Commands() {
		ignoreLocal(below)
	}
	flags := cmd.Flags()
	if flags.Lookup("local") != nil || cmd.PersistentFlags().Lookup("local") != nil {
		return
	}
	flags.Bool("local", false, "")
	_ = flags.MarkHidden("local") // it was added just above
}
