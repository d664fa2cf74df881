package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/view"
)

type localStatusOptions struct {
	factory *factory
	output  string
}

func newLocalStatusCmd(f *factory, runF func(context.Context, *localStatusOptions) error) *cobra.Command {
	o := &localStatusOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show whether the embedded Konnect runs, and what it holds",
		Example: `  kongctl local status
  kongctl local status -o json
  kongctl local status --data ./rehearsal`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
				return err
			}
			if runF == nil {
				runF = localStatusRun
			}
			return runF(cmd.Context(), o)
		},
	}
	addOutput(cmd, &o.output, "text, json or yaml (default text)")
	return cmd
}

func localStatusRun(ctx context.Context, o *localStatusOptions) error {
	status, err := o.factory.localStatus(ctx)
	if err != nil {
		return err
	}
	out := o.factory.world.streams.out
	switch o.output {
	case formJSON:
		return toOutput(view.WriteJSON(out, status))
	case formYAML:
		return toOutput(view.WriteYAML(out, status))
	default:
		return toOutput(view.WriteLocalStatus(out, status))
	}
}

func (f *factory) localStatus(ctx context.Context) (view.LocalStatus, error) {
	dir, err := f.dataDir()
	if err != nil {
		return view.LocalStatus{}, err
	}
	found, err := f.local().Status(ctx, dir)
	status := view.LocalStatus{Data: dir, Resources: found.Resources, Requests: found.Requests}
	if s := found.Server; s != nil {
		status.Running, status.Address, status.PID = true, s.URL(), s.PID
		if i := s.Intercept; i != nil {
			status.Intercept = &view.LocalIntercept{Proxy: i.Proxy, Certificate: i.Certificate}
		}
	}
	return status, err
}
