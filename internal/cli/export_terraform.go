package cli

import (
	"context"

	"github.com/spf13/cobra"
)

const terraformUse = "tf-import"

const aboutTerraform = `Write import blocks of Konnect's Terraform provider for what exists.

Terraform reads them with "terraform plan -generate-config-out=FILE". Children are
left out unless --include-child-resources is set. Blocks with "provider =
konnect-beta" are for resources that only the provider kong/konnect-beta has.`

const terraformExample = `  kongctl dump tf-import --output-file imports.tf
  kongctl dump tf-import --resources portals,apis --include-child-resources
  kongctl dump tf-import --filter-name 'dev-*'`

func newTerraformCmd(f *factory, runF func(context.Context, *exportOptions) error) *cobra.Command {
	o := &exportOptions{factory: f, terraform: true}
	var filters pickFlags
	cmd := &cobra.Command{
		Use:     terraformUse,
		Aliases: []string{"tf-imports"},
		Short:   "Write import blocks for Terraform",
		Long:    aboutTerraform,
		Example: terraformExample,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if o.read.Filters, err = filters.parse(cmd); err != nil {
				return err
			}
			if cmd.Flags().Changed("output-file") && o.outputFile == "" {
				return usagef("--output-file: no file is named")
			}
			o.outputFile = named(o.outputFile)
			if runF == nil {
				runF = exportRun
			}
			return runF(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&o.read.Resources, "resources", nil, "resource types to write, comma-separated (default: all)")
	flags.BoolVar(&o.read.Children, "include-child-resources", false, "also write the children of each resource")
	filters.add(cmd)
	flags.StringVar(&o.outputFile, "output-file", "", "file to write to (default: standard output)")
	addOverwrite(cmd, &o.overwrite)
	o.connect.add(cmd)
	return cmd
}
