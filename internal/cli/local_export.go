package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/konnect/export"
)

func newLocalExportCmd(f *factory, runF func(context.Context, *exportOptions) error) *cobra.Command {
	o := &exportOptions{
		factory: f,
		read:    export.Options{Children: true},
		write:   export.WriteOptions{State: true},
	}
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the content of the embedded Konnect as YAML",
		Long: `Write the content of the embedded Konnect as YAML.

kongctl local start --seed FILE fills an empty embedded Konnect with it, so that
a plan says what it said before. The file has two documents. The first holds,
under _state, the labels that mark what is managed, by ref, as they are: a root
with an empty entry is not managed and comes back so. The second is a
configuration as any other; without the first, every command reads it.

Other regions follow, each with such a first document that names it. What
` + engine.GatewayTool + ` manages on control planes is part of it, in ` + engine.GatewayKey + `.state.

Ids and times are not kept. Secrets are not in the file: where a variable that
it names is not set, the embedded Konnect is given another text.`,
		Example: `  kongctl local export --output-file state.yaml
  kongctl local export --data ./rehearsal --output-file -
  kongctl local start --data ./rehearsal --seed state.yaml`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("output-file") && o.outputFile == "" {
				return usagef("--output-file: no file is named")
			}
			o.outputFile, o.write.Flags = named(o.outputFile), flagNames(cmd)
			if runF == nil {
				runF = localExportRun
			}
			return runF(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.outputFile, "output-file", "", "file to write to (default: standard output)")
	addOverwrite(cmd, &o.overwrite)
	return cmd
}

func localExportRun(ctx context.Context, o *exportOptions) error {
	f := o.factory
	dir, err := f.dataDir()
	if err != nil {
		return err
	}
	// Asking must not make a folder.
	found, err := local.HasData(dir)
	if err != nil {
		return err
	}
	if !found {
		return o.saveNothing()
	}
	regions, err := o.embeddedRegions(ctx)
	if err != nil {
		return err
	}
	return o.exportRegions(ctx, regions, true)
}

// embeddedRegions are those in which the embedded Konnect holds something, its own
// first.
func (o *exportOptions) embeddedRegions(ctx context.Context) ([]string, error) {
	e, err := o.factory.openEngine(engineOptions{local: true, sink: func(event.Event) {}})
	if err != nil {
		return nil, err
	}
	others, err := e.Regions(ctx)
	return append([]string{""}, others...), errors.Join(err, e.Close())
}

// saveNothing writes the state of a new embedded Konnect.
func (o *exportOptions) saveNothing() error {
	cat, err := o.factory.catalog()
	if err != nil {
		return err
	}
	out, err := export.Write(&export.Snapshot{Catalog: cat}, o.write)
	if err != nil {
		return err
	}
	return o.save(out)
}
