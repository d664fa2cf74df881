package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kongctl/internal/diag"
	"kongctl/internal/disk"
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
that cannot come back. What Konnect makes by itself and what decK owns is left
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
	flags.StringSliceVar(&o.read.Resources, "resources", nil, "types to export, by kind or key, separated by commas (default: all)")
	flags.BoolVar(&o.read.Children, "include-child-resources", true, "export what belongs to a resource too")
	filters.add(cmd)
	flags.StringVar(&o.write.DefaultNamespace, "default-namespace", "", "namespace to declare resources in that have none")
	flags.BoolVar(&o.write.SkipDefaults, "skip-defaults", false, "leave out fields that have their default")
	flags.BoolVar(&o.write.State, "state", false, "write a state for local start --seed")
	flags.StringVar(&o.splitDir, "split-dir", "", "folder to write to: a file per type, and one per long text")
	flags.StringVar(&o.outputFile, "output-file", "", "file to write to (default: standard output)")
	o.connect.add(cmd)
	return cmd
}

// pickFlags say what to choose of what exists.
type pickFlags struct {
	filters  []string
	name, id string
}

func (f *pickFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.filters, "filter", nil, "export what fits, for example 'name=dev-*,label.team=web'; may be repeated")
	flags.StringVar(&f.name, "filter-name", "", "export what has this name; * and ? stand for letters")
	flags.StringVar(&f.id, "filter-id", "", "export what has this id")
}

// parse reads the filters. --filter-name and --filter-id narrow all of them.
func (f *pickFlags) parse(cmd *cobra.Command) ([]export.Filter, error) {
	flags := cmd.Flags()
	if flags.Changed("filter-name") && flags.Changed("filter-id") {
		return nil, usagef("--filter-name and --filter-id exclude each other")
	}
	var out []export.Filter
	for _, text := range f.filters {
		filter, err := export.ParseFilter(text)
		if err != nil {
			return nil, usagef("--filter %s: %v", text, err).WithHint("for example --filter 'name=dev-*,label.team=web'")
		}
		out = append(out, filter)
	}
	if f.name == "" && f.id == "" {
		return out, nil
	}
	if len(out) == 0 {
		out = []export.Filter{{}}
	}
	for i := range out {
		if f.name != "" {
			out[i].Name = f.name
		}
		if f.id != "" {
			out[i].ID = f.id
		}
	}
	return out, nil
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

// twins counts the resources that an export could not tell from others.
func twins(list diag.List) int {
	n := 0
	for _, d := range list {
		if d.Code == diag.ExpTwin {
			n++
		}
	}
	return n
}

// lossyExportError is a state that does not hold all that exists.
type lossyExportError struct{ count int }

func (e *lossyExportError) Error() string {
	return "the state is not whole: " + plural(e.count, "resource was", "resources were") + " left out, see the warnings"
}

func (e *lossyExportError) Unwrap() error { return &partialPlanError{count: e.count} }

// exportError says what to type where a type does not exist.
func exportError(err error) error {
	var unknown *export.TypeError
	if !errors.As(err, &unknown) {
		return err
	}
	e := usagef("%v", unknown)
	if unknown.Near != "" {
		return e.WithHint("did you mean %s?", unknown.Near)
	}
	return e
}

// partialExportError is an export without what could not be read.
type partialExportError struct{ cause *partialPlanError }

func (e *partialExportError) Error() string {
	return "the export is partial: " + plural(e.cause.count, "part", "parts") + " of Konnect could not be read"
}

func (e *partialExportError) Unwrap() error { return e.cause }

// save writes the export and says where it is.
func (o *exportOptions) save(out *export.Output) error {
	f := o.factory
	switch {
	case o.splitDir != "":
		return o.saveSplit(out)
	case o.outputFile != "":
		path, err := f.absolute(o.outputFile)
		if err != nil {
			return err
		}
		if err := disk.Write(path, out.Files[0].Data); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		return o.say("%s written to %s.", plural(out.Resources, "resource", "resources"), o.outputFile)
	default:
		_, err := f.world.streams.out.Write(out.Files[0].Data)
		return toOutput(err)
	}
}

func (o *exportOptions) saveSplit(out *export.Output) error {
	dir, err := o.factory.absolute(o.splitDir)
	if err != nil {
		return err
	}
	var own []string
	for _, file := range out.Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		own = append(own, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		if err := disk.Write(path, file.Data); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	if err := o.say("%s written to %s below %s.", plural(out.Resources, "resource", "resources"), plural(len(out.Files), "file", "files"), o.splitDir); err != nil {
		return err
	}
	return o.tellOthers(dir, own)
}

// tellOthers names configuration that the folder had before: it would be read
// together with the export.
func (o *exportOptions) tellOthers(dir string, own []string) error {
	var others []string
	for _, pattern := range []string{"*.yaml", "*.yml"} {
		found, err := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
		if err != nil {
			return err
		}
		for _, path := range found {
			if !slices.Contains(own, path) {
				others = append(others, filepath.Base(path))
			}
		}
	}
	if len(others) == 0 {
		return nil
	}
	return o.say("%s also holds %s, which this export did not write.", o.splitDir, strings.Join(others, ", "))
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// say tells on standard error: standard output is for data.
func (o *exportOptions) say(format string, args ...any) error {
	if err := say(o.factory.world.streams.err, format, args...); err != nil {
		return fmt.Errorf("write standard error: %w", err)
	}
	return nil
}
