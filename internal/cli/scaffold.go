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
		Use:   "scaffold TYPE[.CHILD…]",
		Short: "Print a configuration to fill in",
		Long: `Print a configuration to fill in: a resource of a type, below its parents, with
all that it needs. Optional fields are commented out. It loads as it is.`,
		Example: `  kongctl scaffold portal > portal.yaml
  kongctl scaffold portal.pages
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
	if found.Key != nil {
		return usagef("scaffold: %s is a key, not a type", o.path).WithHint("kongctl scaffold %s shows it in its resource.", found.Type.Kind)
	}
	if found.Field != nil {
		return usagef("scaffold: %s is a field, not a type", o.path).WithHint("kongctl scaffold %s shows it in its resource.", found.Type.Kind)
	}
	_, err = io.WriteString(o.factory.world.streams.out, x.Scaffold(found.Type))
	return toOutput(err)
}
