package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// evaluatesFailure prints the command that fails where a shell evaluates what a
// start prints: eval "$(kongctl local start --intercept)" then fails, too.
func evaluatesFailure(streams *streams, cmd *cobra.Command, args []string, err error) {
	if err == nil || cmd == nil || cmd.Flags().Lookup("intercept") == nil {
		return
	}
	asked := func(flag string) bool { return slices.Contains(args, flag) || slices.Contains(args, flag+"=true") }
	if asked("--intercept") && !asked("--foreground") {
		_, _ = fmt.Fprintln(streams.out, "false") // the error itself is on standard error
	}
}
