package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/kube/function"
)

type fnRenderOptions struct {
	factory *factory
	fnFlags
	dir       string
	allowExec bool
}

func newFnRenderCmd(f *factory, runF func(context.Context, *fnRenderOptions) error) *cobra.Command {
	o := &fnRenderOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "render [DIR]",
		Short: "Run the pipelines of a folder's Kptfiles",
		Long: `Run the pipelines of a folder's Kptfiles.

Mutators run before validators, and the pipelines of folders below run before that
of the folder itself. Each function gets all objects of its folder. Files change in
place, and only when all functions succeed. Kptfiles name programs, so --allow-exec
is needed; read the pipelines of packages from others first. Functions that are
container images (image:) cannot be run.`,
		Example: `  kongctl fn render my-package --allow-exec
  kongctl fn render my-package --allow-exec -o rendered
  kongctl fn render my-package --allow-exec -o unwrap | kongctl live apply -`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.dir = "."; len(args) == 0 {
				return nil
			}
			if len(args) > 1 {
				return usagef("%s: unexpected argument %q", cmd.CommandPath(), args[1]).WithHint("name one folder.")
			}
			if o.dir = args[0]; o.dir == stdin {
				return usagef("%s takes a folder: a stream has no Kptfile", cmd.CommandPath()).WithHint("use kongctl fn eval - for a stream.")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(f, o.dir); err != nil {
				return err
			}
			if runF == nil {
				runF = fnRenderRun
			}
			return runF(cmd.Context(), o)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&o.allowExec, "allow-exec", false, "run the programs that Kptfiles name")
	o.add(cmd)
	return cmd
}

func fnRenderRun(ctx context.Context, o *fnRenderOptions) error {
	f := o.factory
	runner, err := functionRunner(f, o.timeout)
	if err != nil {
		return err
	}
	p, err := openPackage(f, o.dir, function.Options{Meta: true})
	if err != nil {
		return err
	}
	outcomes, err := p.Render(ctx, runner, o.allowExec, func(x function.Outcome) { showOutcome(f, x) })
	switch {
	case errors.Is(err, function.ErrExecNotAllowed):
		return usagef("%v", err).WithHint("read the pipeline, and add --allow-exec to run it.")
	case errors.Is(err, function.ErrNoKptfile):
		return usagef("%v", err).WithHint("add one with a pipeline, or run a function with kongctl fn eval.")
	case err != nil && len(outcomes) == 0:
		return err
	}
	return o.finish(ctx, f, p, o.dir, outcomes, err)
}
