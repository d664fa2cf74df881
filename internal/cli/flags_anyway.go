package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagsAnyway are the flags that every command has, as far as a command line gives
// them that could not be read: how it fails depends on them.
func flagsAnyway(root *cobra.Command, args []string) *pflag.FlagSet {
	flags := root.PersistentFlags()
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		name, given, hasValue := strings.Cut(args[i], "=")
		var flag *pflag.Flag
		switch long, isLong := strings.CutPrefix(name, "--"); {
		case isLong:
			flag = flags.Lookup(long)
		case len(name) == 2 && name[0] == '-':
			flag = flags.ShorthandLookup(name[1:])
		}
		switch {
		case flag == nil:
			continue
		case hasValue:
		case flag.NoOptDefVal != "":
			given = flag.NoOptDefVal
		case i+1 < len(args):
			i++
			given = args[i]
		}
		flag.Changed = false            // the set of the command may have read it, and this one not
		_ = flags.Set(flag.Name, given) // a value that does not fit counts as not given
	}
	return flags
}
