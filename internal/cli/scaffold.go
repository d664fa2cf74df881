package cli

import (
	"io"

	"github.com/spf13/cobra"
)

type scaffoldOptions struct {
	factory *factory
	path    string
}

func newScaffoldCmd(f *factory, runF func(*scaffoldOptions) error) *cobra.Command {
	o := &scaffoldOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "scaffold TYPE[.CHILD…][.FIELD…]",
		Short: "Print a configuration to fill in",
		Long: `Print a configuration to fill in: a resource of a type, below its parents, with
all that it needs. Optional fields are commented out. The path of a field or another
key prints that one in its resource. It loads as it is.`,
		Example: `  kongctl scaffold portal > portal.yaml
  kongctl scaffold portal.pages
  kongctl scaffold portal.assets
  kongctl scaffold api_publication`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("%s: takes one type, got %d", cmd.CommandPath(), len(args)).WithHint("for example: kongctl scaffold portal; kongctl explain lists the types.")
			}
			return nil
		},
		ValidArgsFunction: completePaths(f, false),
		RunE: func(_ *cobra.Command, args []string) error {
			o.path = args[0]
			if runF != nil {
				return runF(o)
			}
			return scaffoldRun(o)
		},
	}
	return cmd
}

func scaffoldRun(o *scaffoldOptions) error {
	x, err := explainer(o.factory)
	if err != nil {
		return err
	}
	found, err := find(x, "scaffold", o.path)
	if err != nil {
		return err
	}
	text, ok := x.ScaffoldAt(found)
	if !ok {
		return usagef("scaffold: %s cannot be written in a resource", o.path).WithHint("kongctl explain %s describes it.", o.path)
	}
	_, err = io.WriteString(o.factory.world.streams.out, text)
	return toOutput(err)
}
