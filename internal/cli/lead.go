package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/terminal"
)

// placeFlags are the flags that say which Konnect or cluster a command asks.
var placeFlags = []string{
	"config-file", "profile", "local", "data", "region", "base-url", "base-auth-url",
	"kubeconfig", "context", "cluster", "user", "server",
}

// resumeCommand is what to type to continue a run of this command.
func resumeCommand(f *factory) string { return led(f, diag.CommandOf("resume")) }

// leadFixes gives the commands in the fixes of an error the flags that lead to the place
// that this command asks.
func leadFixes(f *factory, err error) {
	var found *diag.ListError
	if errors.As(err, &found) {
		found.List = ledFixes(f, found.List)
	}
}

// ledFixes are diagnostics with fixes whose commands ask what this command asks.
func ledFixes(f *factory, list diag.List) diag.List {
	list = slices.Clone(list)
	for i, d := range list {
		if d.Command != "" {
			list[i] = d.Running(diag.Command(led(f, d.Command)))
			list[i].Fix = strings.Replace(d.Fix, string(d.Command), string(list[i].Command), 1)
		}
	}
	return list
}

// led is a command with those flags of this one that say where, as far as it has them;
// they stand in front of its arguments.
func led(f *factory, c diag.Command) string {
	if f.flags == nil {
		return string(c)
	}
	name, rest, more := strings.Cut(string(c), " ")
	cmd := f.root
	for more {
		word, after, further := strings.Cut(rest, " ")
		next := subcommand(cmd, word)
		if next == nil {
			break
		}
		cmd, name, rest, more = next, name+" "+word, after, further
	}
	out := name + leadingFlags(f, cmd)
	if more {
		out += " " + rest
	}
	return out
}

// leadingFlags are the flags that lead another command to the place that this one asks.
func leadingFlags(f *factory, cmd *cobra.Command) string {
	out := ""
	for _, name := range placeFlags {
		given, own := f.flags.Lookup(name), cmd.Flag(name)
		switch {
		case given == nil || !given.Changed || own == nil || own.Hidden || own.Value.Type() != given.Value.Type():
		case own.NoOptDefVal == "":
			out += " --" + name + " " + terminal.ShellWord(given.Value.String())
		case own.NoOptDefVal == given.Value.String():
			out += " --" + name
		default:
			out += " --" + name + "=" + terminal.ShellWord(given.Value.String())
		}
	}
	return out
}
