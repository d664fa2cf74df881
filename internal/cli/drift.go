package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/live"
	"kongctl/internal/plan"
	"kongctl/internal/view"
)

type driftOptions struct {
	factory *factory
	sources sourceFlags
	connect connectFlags
	output  string
	// allowPending lets externals be missing: what needs them is not compared.
	allowPending bool
}

func newDriftCmd(f *factory, runF func(context.Context, *driftOptions) error) *cobra.Command {
	o := &driftOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "drift",
		Short: "Show drift between the configuration and Konnect, and which side changed",
		Long: `Show drift between the configuration and Konnect, and which side changed.

Nothing is changed. Everything is compared as in a full sync, and each difference
is reported as one of these:

  only in Konnect      managed in a namespace of the configuration, not declared
  changed in Konnect   differs, and the configuration is as it was last executed
  configuration ahead  declared or changed since it was last executed
  unclear              differs, and either side may have changed

Each root resource carries a hash of the declaration that it was last written
with, children included (label KONGCTL-config-hash). If it equals the hash of the
current declaration, Konnect has changed. If not, the configuration has changed,
or both have if the resource was written by others since. The result can be
unclear when only a child changed, when an adopted resource never matched its
declaration, or when a variable has a new value.

The exit status is 2 if there is any drift.`,
		Example: `  kongctl drift --dir config
  kongctl drift -f portal.yaml -o json`,
		Args: f.arguments(&o.sources, nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
				return err
			}
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return driftRun(cmd.Context(), o)
		},
	}
	o.sources.add(cmd)
	cmd.Flags().BoolVar(&o.allowPending, "allow-pending-external", false, "do not compare what needs an external resource that does not exist yet")
	addDeck(cmd)
	addOutput(cmd, &o.output, "text, json or yaml (default text)")
	o.connect.add(cmd)
	return cmd
}

// errDrift is how drift says that there is some.
var errDrift = errors.New("there is drift")

// drifted is what drift found.
type drifted struct {
	drift    *plan.Drift
	compared int
	warnings diag.List
}

func driftRun(ctx context.Context, o *driftOptions) error {
	f := o.factory
	d := newDisplay(f)
	defer d.close()
	e, err := f.newEngine(engineOptions{local: o.connect.local, sink: d.sink})
	if err != nil {
		return err
	}
	found, err := e.drift(ctx, planRequest{sources: o.sources, scope: scopeFlags{allowPending: o.allowPending}, mode: plan.ModeSync, prune: live.PruneFull})
	d.close()
	if err != nil {
		return err
	}
	printDiagnostics(f.world.streams.err, found.warnings)
	out := f.world.streams.out
	switch o.output {
	case formJSON:
		err = view.WriteJSON(out, found.drift)
	case formYAML:
		err = view.WriteYAML(out, found.drift)
	default:
		err = view.WriteDrift(out, found.drift, view.DriftOptions{Style: f.outStyle(), Compared: found.compared})
	}
	switch {
	case err != nil:
		return toOutput(err)
	case len(found.drift.Errors) > 0:
		return &partialPlanError{count: len(found.drift.Errors)}
	case !found.drift.Empty():
		return errDrift
	default:
		return nil
	}
}

// drift compares without a plan.
func (p *pipeline) drift(ctx context.Context, r planRequest) (*drifted, error) {
	out := &drifted{}
	w, err := p.walk(ctx, r, func(w *walk) (int, error) {
		var list diag.List
		out.drift, list = plan.FindDrift(p.buildInput(w))
		return 0, w.found(list)
	})
	if err != nil {
		return nil, err
	}
	out.compared, out.warnings = w.managed(), w.diags
	return out, nil
}
