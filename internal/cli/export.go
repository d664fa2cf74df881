package cli

import (
	"context"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"kongctl/internal/engine"
	"kongctl/internal/konnect/export"
)

type exportOptions struct {
	factory *factory
	connect connectFlags
	read    export.Options
	write   export.WriteOptions
	// splitDir and outputFile: where to; standard output when both are empty.
	splitDir, outputFile string
}

func newExportCmd(f *factory, runF func(context.Context, *exportOptions) error) *cobra.Command {
	return exportCmd(f, runF, "export", "kongctl export")
}

// newDumpCmd is the name that export has elsewhere.
func newDumpCmd(f *factory, runF func(context.Context, *exportOptions) error) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dump",
		Short: "Same as export: dump declarative",
		Args:  noSubcommand,
		RunE:  showHelp,
	}
	cmd.AddCommand(exportCmd(f, runF, "declarative", "kongctl dump declarative"))
	return cmd
}

const aboutExport = `Write what exists in Konnect as configuration.

Without arguments all of it: a plan of the export is empty. References become
!ref, secrets !secret with a variable to set, and a warning tells of everything
that cannot come back. What Konnect makes by itself and what ` + engine.GatewayTool + ` owns is left
out.

Roots without the label KONGCTL-namespace are not managed: they are exported
without a kongctl block, and a plan tells that they exist. --default-namespace
declares them in a namespace.

--filter takes name=GLOB, id=ID, label.KEY=GLOB, namespace=GLOB and type=TYPE,
joined by commas; a resource must fit all of them. Given several times, one of
them must fit. Filters choose roots unless a type below a root is named; what a
chosen resource belongs to comes along.

--state puts a document in front that holds the labels as they are, so that
kongctl local start --seed makes the embedded Konnect the same, with what is
managed and what is not.`

const exportExample = `  $ --output-file konnect.yaml
  $ --split-dir konnect --skip-defaults
  $ --resources portals,apis --filter 'name=dev-*,label.team=web'
  $ --resources portal_pages --filter-name guides
  $ --state --output-file production.yaml && kongctl local start --seed production.yaml`

func exportCmd(f *factory, runF func(context.Context, *exportOptions) error, use, line string) *cobra.Command {
	o := &exportOptions{factory: f}
	var filters pickFlags
	cmd := &cobra.Command{
		Use:     use,
		Short:   "Write what exists in Konnect as configuration",
		Long:    aboutExport,
		Example: strings.ReplaceAll(exportExample, "$", line),
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if o.read.Filters, err = filters.parse(cmd); err != nil {
				return err
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			if runF == nil {
				runF = exportRun
			}
			return runF(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&o.read.Resources, "resources", nil, "resource types to export, comma-separated (default: all)")
	flags.BoolVar(&o.read.Children, "include-child-resources", true, "also export the children of each resource")
	filters.add(cmd)
	flags.StringVar(&o.write.DefaultNamespace, "default-namespace", "", "namespace for resources that have none")
	flags.BoolVar(&o.write.SkipDefaults, "skip-defaults", false, "omit fields that have their default value")
	flags.BoolVar(&o.write.State, "state", false, "write a state that local start --seed can load")
	flags.StringVar(&o.splitDir, "split-dir", "", "folder to write to: one file per type, and one per long text")
	flags.StringVar(&o.outputFile, "output-file", "", "file to write to (default: standard output)")
	o.connect.add(cmd)
	return cmd
}

var namespaceForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// check refuses what does not go together.
func (o *exportOptions) check(cmd *cobra.Command) error {
	flags := cmd.Flags()
	switch {
	case flags.Changed("split-dir") && flags.Changed("output-file"):
		return usagef("--split-dir and --output-file exclude each other")
	case flags.Changed("split-dir") && o.splitDir == "":
		return usagef("--split-dir: no folder is named")
	case flags.Changed("output-file") && o.outputFile == "":
		return usagef("--output-file: no file is named")
	case o.write.State && o.splitDir != "":
		return usagef("--state and --split-dir exclude each other").WithHint("a state is one file.")
	case o.write.State && o.write.DefaultNamespace != "":
		return usagef("--state and --default-namespace exclude each other").WithHint("a state keeps what is not managed as it is.")
	case flags.Changed("default-namespace") && !namespaceForm.MatchString(o.write.DefaultNamespace):
		return usagef("--default-namespace %s: not a namespace", o.write.DefaultNamespace).
			WithHint("a namespace has 1 to 63 of a-z, 0-9 and -, with a letter or digit at both ends.")
	}
	o.write.Split = o.splitDir != ""
	return nil
}

func exportRun(ctx context.Context, o *exportOptions) error {
	f := o.factory
	d := newDisplay(f)
	defer d.close()
	e, err := f.openEngine(engineOptions{local: o.connect.local, sink: d.sink})
	if err != nil {
		return err
	}
	return o.export(ctx, e, d)
}

// export writes what exists where the options say.
func (o *exportOptions) export(ctx context.Context, e *engine.Engine, d *display) error {
	out, err := e.Export(ctx, engine.ExportRequest{Read: o.read, Write: o.write})
	d.close()
	if err != nil {
		return exportError(err)
	}
	if err := o.save(out.Output); err != nil {
		return err
	}
	printDiagnostics(o.factory.world.streams.err, out.Warnings)
	if out.Failed > 0 {
		return &partialExportError{&partialPlanError{count: out.Failed}}
	}
	if n := twins(out.Warnings); n > 0 && o.write.State {
		return &lossyExportError{n}
	}
	return nil
}
