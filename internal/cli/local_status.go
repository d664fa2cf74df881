package cli

import (
	"context"

	"github.com/spf13/cobra"

	"kongctl/internal/view"
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
		Args:  noArgs,
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
	status := view.LocalStatus{Resources: map[string]int{}, Requests: map[string]int{}}
	dir, err := f.dataDir()
	if err != nil {
		return status, err
	}
	status.Data = dir
	// Asking must not make a folder.
	if found, err := hasData(dir); err != nil || !found {
		return status, err
	}
	s, e, err := f.reach(ctx, dir)
	if err != nil {
		return status, err
	}
	var c control
	if s != nil {
		status.Running, status.Address, status.PID = true, s.url(), s.PID
		status.Intercept = s.Intercept.status()
		c = listening(s.url())
	} else {
		f.onClose(e.close)
		c = direct(e.handler)
	}
	var state map[string][]any
	if err := c.get(ctx, "/__local/state", &state); err != nil {
		return status, err
	}
	for kind, list := range state {
		if len(list) > 0 {
			status.Resources[kind] = len(list)
		}
	}
	var log struct {
		ByOperation map[string]int `json:"by_operation"`
	}
	if err := c.get(ctx, "/__local/requests", &log); err != nil {
		return status, err
	}
	if log.ByOperation != nil {
		status.Requests = log.ByOperation
	}
	return status, nil
}
