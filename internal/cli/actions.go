package cli

import (
	"slices"

	"github.com/spf13/cobra"
)

// dataNote marks commands that write data to standard output where no form is named.
const dataNote = "data"

// writesData marks a command, with those below it.
func writesData(cmd *cobra.Command) *cobra.Command {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[dataNote] = "true"
	return cmd
}

// isData reports whether a command, or one above it, is marked.
func isData(cmd *cobra.Command) bool {
	for ; cmd != nil; cmd = cmd.Parent() {
		if cmd.Annotations[dataNote] != "" {
			return true
		}
	}
	return false
}

// inActions reports whether GitHub Actions runs this program and reads its output.
func inActions(w *world) bool { return w.variable("GITHUB_ACTIONS") == "true" }

// showsText reports whether standard output is text for people, not data for
// programs. What JSON says is the same either way.
func showsText(f *factory) bool {
	if f.flags == nil {
		return true
	}
	if flag := f.flags.Lookup("output"); flag != nil && flag.Value.String() != "" {
		return slices.Contains([]string{formText, formMarkdown, formWide, formName}, flag.Value.String())
	}
	return !f.data
}
