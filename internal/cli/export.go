package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/pattern"
)

type exportOptions struct {
	factory *factory
	connect connectFlags
	read    export.Options
	write   export.WriteOptions
	// splitDir and outputFile: where to; standard output when both are empty.
	splitDir, outputFile string
	// terraform writes import blocks in place of configuration.
	terraform bool
	// overwrite replaces files that are there.
	overwrite bool
	// regions are those to export; fewer than two leave it to the settings.
	regions regionList
}

func newExportCmd(f *factory, runF func(context.Context, *exportOptions) error) *cobra.Command {
	return exportCmd(f, runF, "export", "kongctl export")
}

// newDumpCmd is the name that export has elsewhere.
func newDumpCmd(f *factory, runF func(context.Context, *exportOptions) error) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dump",
		Short: "Write what exists, with ids as refs, or for Terraform",
		Example: `  kongctl dump declarative --output-file konnect.yaml
  kongctl dump declarative --resources portals,apis --include-child-resources
  kongctl dump tf-import --output-file imports.tf`,
		Args: noSubcommand,
		RunE: showHelp,
	}
	declarative := exportCmd(f, runF, "declarative", "kongctl dump declarative")
	declarative.Short = "Write configuration with ids as refs and without children"
	declarative.Long = "Write what exists in Konnect as configuration, with the ids of resources as refs\nand references. Children are left out unless --include-child-resources is set.\n`kongctl export` writes readable refs and children."
	cmd.AddCommand(declarative, newTerraformCmd(f, runF))
	return cmd
}

const aboutExport = `Write what exists in Konnect as configuration.

Without arguments all of it: a plan of the export is empty. References become
!ref, secrets !secret with a variable to set, and a warning tells of everything
that cannot come back. What Konnect makes by itself is left out.

What ` + engine.GatewayTool + ` manages on a control plane is written as a ` + engine.GatewayTool + ` file beside the output,
which ` + engine.GatewayKey + `.files of the control plane names; on standard output it stands in
` + engine.GatewayKey + `.state. Its secrets are variables that a warning lists.

--region may be repeated. Every region is a configuration of its own:
--output-file konnect.yaml writes konnect.us.yaml and konnect.eu.yaml,
--split-dir a folder for each. A file that is there is replaced with --overwrite
only.

Roots without the label KONGCTL-namespace are not managed: they are exported
without a kongctl block, and a plan tells that they exist. --default-namespace
declares them in a namespace.

--filter takes name=GLOB, id=ID, label.KEY=GLOB, namespace=GLOB and type=TYPE,
joined by commas; a resource must fit all of them. Given several times, one of
them must fit. Filters choose roots unless a type below a root is named; what a
chosen resource belongs to is exported, too.

--state puts a document in front that holds the labels as they are, so that
kongctl local start --seed makes the embedded Konnect the same, with what is
managed and what is not.`

const exportExample = `  $ --output-file konnect.yaml
  $ --split-dir konnect --skip-defaults --overwrite
  $ --region us --region eu --output-file konnect.yaml
  $ --resources portals,apis --filter 'name=dev-*,label.team=web'
  $ --resources portal_pages --filter-name guides
  $ --state --output-file production.yaml && kongctl local start --seed production.yaml`

func exportCmd(f *factory, runF func(context.Context, *exportOptions) error, use, line string) *cobra.Command {
	dump := use != "export"
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
			o.write.Flags = flagNames(cmd)
			if runF == nil {
				runF = exportRun
			}
			return runF(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	o.write.ByID, o.read.Linked = dump, dump
	flags.StringSliceVar(&o.read.Resources, "resources", nil, "resource types to export, comma-separated (default: all)")
	flags.BoolVar(&o.read.Children, "include-child-resources", !dump, "also export the children of each resource")
	filters.add(cmd)
	flags.StringVar(&o.write.DefaultNamespace, "default-namespace", "", "namespace for resources that have none")
	flags.BoolVar(&o.write.SkipDefaults, "skip-defaults", false, "omit fields that have their default value")
	flags.BoolVar(&o.write.State, "state", false, "write a state that local start --seed can load")
	flags.StringVar(&o.splitDir, "split-dir", "", "folder to write to: one file per type, and one per long text")
	flags.StringVar(&o.outputFile, "output-file", "", "file to write to (default: standard output)")
	addOverwrite(cmd, &o.overwrite)
	o.connect.regions = &o.regions
	o.connect.add(cmd)
	return cmd
}

// flagNames are the flags of a command, with those of the commands above it.
func flagNames(cmd *cobra.Command) (out []string) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { out = append(out, flag.Name) })
	return out
}

var namespaceForm = pattern.New(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

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
	o.outputFile = named(o.outputFile)
	return o.checkRegions(cmd)
}

func exportRun(ctx context.Context, o *exportOptions) error {
	return o.exportRegions(ctx, o.regions, o.connect.local)
}

// exportRegions exports each region and writes all of it at once.
func (o *exportOptions) exportRegions(ctx context.Context, regions []string, local bool) error {
	if err := o.free(o.outputFile); err != nil {
		return err
	}
	d := newDisplay(o.factory)
	defer d.close()
	if len(regions) < 2 {
		regions = []string{""}
	}
	var parts []part
	failed := 0
	for i, region := range regions {
		e, err := o.factory.openEngine(engineOptions{local: local, region: region, sink: d.sink})
		if err != nil {
			return err
		}
		out, err := e.Export(ctx, o.request(region, i))
		// The next region is the same data folder, where that is what is exported.
		if err := errors.Join(err, e.Close()); err != nil {
			return exportError(err, region)
		}
		parts = append(parts, part{region, out.Output})
		failed += out.Failed
	}
	d.close()
	return o.finish(o.join(parts), failed)
}
