package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/view"
)

type validateOptions struct {
	factory           *factory
	sources           sourceFlags
	requireNamespaces []string
	requireAny        bool
	output            string
}

func newValidateCmd(f *factory, runF func(context.Context, *validateOptions) error) *cobra.Command {
	o := &validateOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check a configuration without asking Konnect",
		Long: `Check a configuration without asking Konnect.

Files, types, fields, values and references are checked, and all problems are
reported at once. No token is needed. What only Konnect knows, such as names that
others use, is checked by plan.

The exit status is 4 if there is an error; warnings do not change it.`,
		Example: `  kongctl validate --dir config
  kongctl validate -f portal.yaml -o json
  kongctl validate --dir config -o sarif > kongctl.sarif`,
		Args: f.arguments(&o.sources, nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkForm(cmd, o.output); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return validateRun(cmd.Context(), o)
		},
	}
	o.sources.add(cmd)
	cmd.Flags().StringSliceVar(&o.requireNamespaces, "require-namespace", nil, "require each resource to be in one of these namespaces")
	cmd.Flags().BoolVar(&o.requireAny, "require-any-namespace", false, "require each resource to name its namespace")
	offer(cmd, &o.output, " (default text)", []string{formText, formJSON, formYAML, formMarkdown, formSARIF, formJUnit, formCodeQuality})
	return cmd
}

func validateRun(ctx context.Context, o *validateOptions) error {
	f := o.factory
	d, err := declare(ctx, f, engine.PlanRequest{
		Sources: engine.Sources(o.sources), Scope: engine.Scope{RequireNamespaces: o.requireNamespaces, RequireAnyNamespace: o.requireAny},
	})
	if err != nil {
		return err // its document is that of errors
	}
	warn(f, d.Warnings)
	out := f.world.streams.out
	valid := view.Valid{Valid: true, Documents: d.Documents, Resources: len(d.Set.Resources), Diagnostics: view.Diagnostics(d.Warnings.Sorted())}
	switch o.output {
	case formSARIF, formJUnit, formCodeQuality:
		return writeFindings(f, o.output, view.Findings{Diagnostics: valid.Diagnostics})
	case formJSON, formYAML, formMarkdown:
		return f.world.streams.document(o.output, valid)
	default:
		_, err = fmt.Fprintln(out, valid.Text())
		return toOutput(err)
	}
}
