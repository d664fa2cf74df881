package cli

import (
	"errors"
	"os"

	"github.com/spf13/cobra"
)

// The targets that may stand after a verb.
const (
	targetKonnect = "konnect"
	// targetGateway is decK's part of a configuration.
	targetGateway = "gateway"
)

// arguments reads what may stand after a verb: the target, unless it may be
// Konnect alone, and further sources where -f names the first one, as a shell
// expands -f configs/*.
func (f *factory) arguments(s *sourceFlags, gateway *bool) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		targets, rest := 0, []string(nil)
		for _, arg := range args {
			switch {
			case arg == targetKonnect:
				targets++
			case arg == targetGateway && gateway != nil:
				targets++
				*gateway = true
			default:
				rest = append(rest, arg)
			}
		}
		if targets > 1 {
			return usagef("%s: takes only one target", cmd.CommandPath()).WithHint("leave out konnect or gateway.")
		}
		for _, arg := range rest {
			if err := f.source(cmd, arg, gateway != nil); err != nil {
				return err
			}
		}
		s.Files = append(s.Files, rest...)
		return nil
	}
}

// source refuses an argument that is not a further source.
func (f *factory) source(cmd *cobra.Command, arg string, gateway bool) error {
	exists := f.exists(arg)
	switch {
	case exists && cmd.Flags().Changed("filename"):
		return nil
	case exists:
		return usagef("%s: %q is not a target", cmd.CommandPath(), arg).WithHint("to read it as configuration, write -f %s.", arg)
	case arg == targetGateway && !gateway:
		return usagef("%s: cannot be limited to the target gateway", cmd.CommandPath()).WithHint("leave it out.")
	}
	targets := "konnect"
	if gateway {
		targets = "konnect or gateway"
	}
	return usagef("%s: %q is neither a target (%s) nor an existing file or folder", cmd.CommandPath(), arg, targets).
		WithHint("name files and folders with -f.")
}

// exists reports whether an argument names a file or folder.
func (f *factory) exists(arg string) bool {
	path, err := f.absolute(arg)
	if err != nil || arg == "" {
		return false
	}
	_, err = os.Stat(path)
	return err == nil
}

// usageArguments makes wrong arguments an error of usage in every command, whoever
// checks them.
func usageArguments(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			var usage *usageError
			if err == nil || errors.As(err, &usage) {
				return err
			}
			return usagef("%s: %v", cmd.CommandPath(), err).WithHint("see %s --help", cmd.CommandPath())
		}
	}
	for _, below := range cmd.Commands() {
		usageArguments(below)
	}
}
