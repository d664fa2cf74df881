package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/view"
)

type graphOptions struct {
	factory  *factory
	sources  sourceFlags
	planFile string
	output   string
}

func newGraphCmd(f *factory, runF func(context.Context, *graphOptions) error) *cobra.Command {
	o := &graphOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Draw what depends on what, in a configuration or in a saved plan",
		Long: `Draw what depends on what, in a configuration or in a saved plan.

Of a configuration, every resource is drawn after its parent and after what it
refers to. Of a plan, every change is drawn after the changes that it waits for.
Nothing is asked of Konnect, and no token is needed.`,
		Example: `  kongctl graph --dir config -o svg > graph.svg
  kongctl graph -f portal.yaml -o mermaid
  kongctl graph --plan plan.json | dot -Tpng > graph.png`,
		Args: f.arguments(&o.sources, nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkForm(cmd, o.output); err != nil {
				return err
			}
			if err := checkPlanFlag(cmd, o.planFile, "base-dir"); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return graphRun(cmd.Context(), o)
		},
	}
	o.sources.add(cmd)
	cmd.Flags().StringVar(&o.planFile, "plan", "", "draw a saved plan (- for standard input)")
	addVerifyKey(cmd)
	offer(cmd, &o.output, " (default dot, the language of Graphviz)", []string{formDOT, formMermaid, formSVG})
	return cmd
}

func graphRun(ctx context.Context, o *graphOptions) error {
	g, err := o.graph(ctx)
	if err != nil {
		return err
	}
	out := o.factory.world.streams.out
	switch o.output {
	case formMermaid:
		err = g.WriteMermaid(out)
	case formSVG:
		err = g.WriteSVG(out)
	default:
		err = g.WriteDOT(out)
	}
	return toOutput(err)
}

func (o *graphOptions) graph(ctx context.Context) (view.Graph, error) {
	if o.planFile != "" {
		p, err := o.factory.host().LoadAny(o.planFile, o.factory.verifyKey)
		if err != nil {
			return view.Graph{}, err
		}
		return view.PlanGraph(p.Plan), noteForeign(o.factory, p)
	}
	d, err := declare(ctx, o.factory, engine.PlanRequest{Sources: engine.Sources(o.sources)})
	if err != nil {
		return view.Graph{}, err
	}
	warn(o.factory, d.Warnings)
	return view.ConfigurationGraph(d.Set, d.Links), nil
}
