package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/kube/function"
)

type fnSinkOptions struct {
	factory *factory
	dir     string
}

func newFnSinkCmd(f *factory, runF func(context.Context, *fnSinkOptions) error) *cobra.Command {
	o := &fnSinkOptions{factory: f}
	return &cobra.Command{
		Use:   "sink DIR",
		Short: "Write the objects of standard input to a new folder",
		Long: `Write the objects of standard input to a new folder.

The input is a ResourceList or documents. Annotations say which file an object
belongs to; without them it is NAMESPACE/KIND_NAME.yaml. The folder must be new or
empty.`,
		Example: `  kongctl fn source my-package | kongctl fn sink copy
  kustomize build overlay | kongctl fn sink hydrated
  kongctl fn source . | kongctl fn eval - --exec ./set-labels | kongctl fn sink labelled`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("%s takes one folder", cmd.CommandPath()).WithHint("name a new or empty one, such as %s result.", cmd.CommandPath())
			}
			o.dir = args[0]
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runF == nil {
				runF = fnSinkRun
			}
			return runF(cmd.Context(), o)
		},
	}
}

func fnSinkRun(ctx context.Context, o *fnSinkOptions) error {
	dir, err := fnFolder(o.factory, o.dir)
	if err != nil {
		return err
	}
	if err := outputProblem(function.CheckOutput(dir)); err != nil {
		return err
	}
	p, err := openPackage(o.factory, stdin, function.Options{})
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	written, err := p.WriteTo(dir)
	if err != nil {
		return outputProblem(err)
	}
	return showWritten(o.factory, written, o.dir)
}
