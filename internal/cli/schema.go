package cli

import (
	"github.com/spf13/cobra"
)

type schemaOptions struct {
	factory *factory
	output  string
}

func newSchemaCmd(f *factory, runF func(*schemaOptions) error) *cobra.Command {
	o := &schemaOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the configuration language, for editors",
		Long: `Print the JSON Schema (2020-12) of the configuration language, for editors.

It covers whole documents: root keys, nested and flat resources, _defaults, moved
and external_resources. kongctl itself checks more than a schema can say.`,
		Example: `  kongctl schema > kongctl.schema.json
  kongctl schema | jq '."$defs" | keys'
  kongctl schema | check-jsonschema --schemafile - portal.json
  # in a file: yaml-language-server: $schema=./kongctl.schema.json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := checkOutput(o.output, formJSON, formYAML); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			return schemaRun(o)
		},
	}
	addOutput(cmd, &o.output, "json or yaml")
	choose(cmd.Flags(), "output", formJSON, formYAML)
	return cmd
}

func schemaRun(o *schemaOptions) error {
	x, err := explainer(o.factory)
	if err != nil {
		return err
	}
	return writeData(o.factory.world.streams.out, o.output, x.Language())
}
