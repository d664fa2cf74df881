package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// earlyFlags writes out the value of flags that take none and stand before the
// command that they belong to: the parser would take the command for their value.
func earlyFlags(root *cobra.Command, args []string) []string {
	out := make([]string, 0, len(args))
	cmd := root
	for i := 0; i < len(args); i++ {
		if !cmd.HasSubCommands() {
			return append(out, args[i:]...)
		}
		arg := args[i]
		switch {
		case arg == "--":
			return append(out, args[i:]...)
		case !strings.HasPrefix(arg, "-") || arg == "-":
			next := subcommand(cmd, arg)
			if next == nil {
				return append(out, args[i:]...)
			}
			cmd = next
			out = append(out, arg)
		case strings.Contains(arg, "="):
			out = append(out, arg)
		default:
			name, takes := flagBelow(cmd, arg)
			switch {
			case name != "" && !takes:
				out = append(out, "--"+name+"=true")
			case takes && i+1 < len(args):
				i++
				out = append(out, arg, args[i])
			default:
				out = append(out, arg)
			}
		}
	}
	return out
}

// subcommand is the command of a name directly below another one; nil without.
func subcommand(cmd *cobra.Command, name string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == name || c.HasAlias(name) {
			return c
		}
	}
	return nil
}

// flagBelow is the name of a flag of a command or of those below it, as it is
// written, and whether it takes a value; "" where they mean different things by it.
func flagBelow(cmd *cobra.Command, arg string) (name string, takes bool) {
	long := strings.HasPrefix(arg, "--")
	if !long && len(arg) != 2 {
		return "", false
	}
	names, switches, values := map[string]bool{}, 0, 0
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		for _, flags := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			f := flags.Lookup(strings.TrimLeft(arg, "-"))
			if !long {
				f = flags.ShorthandLookup(arg[1:])
			}
			switch {
			case f == nil:
				continue
			case f.Value.Type() == "bool":
				switches++
			case f.NoOptDefVal == "":
				values++
			}
			name = f.Name
			names[name] = true
		}
		for _, below := range c.Commands() {
			look(below)
		}
	}
	look(cmd)
	if len(names) != 1 || switches == 0 || values > 0 {
		name = ""
	}
	return name, values > 0 && switches == 0
}
