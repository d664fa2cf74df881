package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kongctl/internal/diag"
	"kongctl/internal/engine"
	"kongctl/internal/konnect/emulator/local"
	"kongctl/internal/konnect/export"
	"kongctl/internal/value"
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

Ids and times are not kept. Secrets are not in the file: where a variable that
it names is not set, the embedded Konnect is given a text that is none. What
` + engine.GatewayTool + ` owns is not in it.`,
		Example: `  kongctl local export --output-file state.yaml
  kongctl local start --data ./rehearsal --seed state.yaml`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("output-file") && o.outputFile == "" {
				return usagef("--output-file: no file is named")
			}
			if runF == nil {
				runF = localExportRun
			}
			return runF(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.outputFile, "output-file", "", "file to write to (default: standard output)")
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
	d := newDisplay(f)
	defer d.close()
	e, err := f.openEngine(engineOptions{local: true, sink: d.sink})
	if err != nil {
		return err
	}
	if err := o.export(ctx, e, d); err != nil {
		return err
	}
	return o.tellLeftOut(ctx, e)
}

// tellLeftOut tells what the export does not hold: what is in other regions,
// and what the tool of gateways manages.
func (o *exportOptions) tellLeftOut(ctx context.Context, e *engine.Engine) error {
	inRegions, ofGateway, err := e.LeftOut(ctx)
	if err != nil {
		return err
	}
	regions, entities := tally(inRegions), tally(ofGateway)
	var told diag.List
	if n := regions.total(); n > 0 {
		told = append(told, diag.Warn(diag.ExpRegion, value.Pos{},
			fmt.Sprintf("%s of other regions are not in the export: %s.", plural(n, "resource", "resources"), regions),
			"export each region through the proxy of kongctl local start --intercept, with kongctl export --state --region REGION."))
	}
	if n := entities.total(); n > 0 {
		told = append(told, diag.Warn(diag.ExpEntities, value.Pos{},
			fmt.Sprintf("%s of gateways are not in the export: %s.", plural(n, "entity", "entities"), entities),
			engine.EntitiesFix))
	}
	if len(told) == 0 {
		return nil
	}
	printDiagnostics(o.factory.world.streams.err, told)
	return &lossyExportError{regions.total() + entities.total()}
}

// tally counts by name.
type tally map[string]int

func (t tally) total() int {
	n := 0
	for _, x := range t {
		n += x
	}
	return n
}

// String lists what there is any of, in order.
func (t tally) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if t[name] > 0 {
			parts = append(parts, fmt.Sprintf("%s (%d)", name, t[name]))
		}
	}
	return strings.Join(parts, ", ")
}

// saveNothing writes the state of a new embedded Konnect.
func (o *exportOptions) saveNothing() error {
	cat, err := o.factory.catalog()
	if err != nil {
		return err
	}
	out, err := export.Write(&export.Snapshot{Catalog: cat, Whole: true}, o.write)
	if err != nil {
		return err
	}
	return o.save(out)
}
