package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

type driftOptions struct {
	factory *factory
	sources sourceFlags
	connect connectFlags
	objects objectFlags
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
  changed in Konnect   a root that differs from the declaration it was written with
  configuration ahead  a root that is as it was written, and declared differently
  unclear              differs, and either side may have changed

Each root resource carries a hash of the declaration that it was last written
with, children included (label KONGCTL-config-hash). A run that changes children
alone does not write the root, so the hash proves only which side changed the
fields of the root. Where it proves nothing, the result is unclear, and hash and
times give a hint: "probably changed in Konnect" (field "likely" in JSON). There
is no hint for adopted resources, for roots that do not exist, and where a
variable or a field of another resource has a new value. For a Kubernetes object,
the managers of its fields say who changed it.

What a sync would leave as it is, though nothing declares it so, is no drift: a
field that is left out and keeps its value because it cannot be unset, or a
resource that stays because another one names it. Warnings name it.

The exit status is 2 if there is any drift; it is 0 if there are only warnings.`,
		Example: `  kongctl drift --dir config
  kongctl drift -f portal.yaml -o json
  kongctl drift --dir config --local`,
		Args: f.arguments(&o.sources, nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkForm(cmd, o.output); err != nil {
				return err
			}
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if err := o.objects.check(cmd); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return driftRun(cmd.Context(), o)
		},
	}
	o.sources.add(cmd)
	cmd.Flags().BoolVar(&o.allowPending, "allow-pending-external", false, "skip resources that need an external resource that does not exist yet")
	addGateway(cmd)
	addDiff(cmd)
	offer(cmd, &o.output, " (default text)", driftForms)
	o.connect.add(cmd)
	o.objects.addTo(cmd)
	return cmd
}

// errDrift is how drift says that there is some.
var errDrift = errors.New("there is drift")

func driftRun(ctx context.Context, o *driftOptions) error {
	f := o.factory
	if err := o.objects.prepare(f, &o.sources); err != nil {
		return err
	}
	d := newDisplay(f)
	defer d.close()
	e, err := f.newEngine(engineOptions{local: o.connect.local, sink: d.sink})
	if err != nil {
		return err
	}
	r, err := f.request(engine.PlanRequest{Sources: engine.Sources(o.sources), Scope: engine.Scope{AllowPending: o.allowPending}, Mode: plan.ModeSync, Prune: engine.PruneFull})
	if err != nil {
		return err
	}
	found, err := e.Drift(ctx, r)
	d.close()
	if err != nil {
		return err
	}
	warn(f, found.Warnings)
	var verdict error
	switch {
	case len(found.Drift.Errors) > 0:
		verdict = &partialPlanError{count: len(found.Drift.Errors)}
	case !found.Drift.Empty():
		verdict = errDrift
	}
	s, document := f.world.streams, view.Drift{Place: view.PlaceOf(found.Metadata), Drift: found.Drift}
	if len(found.Drift.Errors) > 0 {
		document.Error, document.Diagnostics = failure(f, verdict), diagnosed(verdict)
	}
	options := view.DriftOptions{Style: f.outStyle(), Compared: found.Compared, Metadata: found.Metadata}
	switch o.output {
	case formJSON, formYAML:
		err = s.document(o.output, document)
	case formMarkdown:
		err = toOutput(view.WriteDriftMarkdown(s.out, found.Drift, options))
	default:
		err = toOutput(view.WriteDrift(s.out, found.Drift, options))
	}
	if err != nil {
		return err
	}
	return verdict
}
