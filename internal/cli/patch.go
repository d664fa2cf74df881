package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/node"
	"github.com/kongctl/kongctl/internal/patch"
)

type patchOptions struct {
	factory    *factory
	state      string
	files      []string
	selectors  []string
	values     []string
	format     string
	outputFile string
}

const aboutPatchFile = `Apply patches to a YAML or JSON file, and write the result.

A selector is a JSONPath (RFC 9535). A value in the form KEY:JSON sets a key of
every mapping that is selected, KEY: removes the key, and a JSON list such as
["a"] is appended to every list that is selected.

Patch files hold several patches, which are applied in order, after those of the
flags:

  _format_version: "1.0"
  patches:
  - selectors: ["$..services[*]"]
    values: {read_timeout: 10000}
    remove: [retries]

Comments, the order of keys and tags such as !ref are kept; aliases are written
out. A selector without effect is a warning. Without FILE and --state, standard
input is read; with --state, all arguments are patch files.`

func newPatchCmd(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "patch",
		Short: "Apply patches to files",
		Example: `  kongctl patch file kong.yaml --selector '$..services[*]' --value 'read_timeout:10000'
  kongctl patch file kong.yaml production.yaml
  kongctl patch file -s kong.yaml production.yaml -o result.yaml`,
		Args: noSubcommand,
		RunE: showHelp,
	}
	cmd.AddCommand(writesData(newPatchFileCmd(f, nil)))
	return cmd
}

func newPatchFileCmd(f *factory, runF func(context.Context, *patchOptions) error) *cobra.Command {
	o := &patchOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "file [FILE|-] [PATCHFILE…]",
		Short: "Apply patches to a YAML or JSON file",
		Long:  aboutPatchFile,
		Example: `  kongctl patch file kong.yaml --selector '$..services[*]' --value 'read_timeout:10000'
  kongctl patch file kong.yaml --selector '$..routes[*].methods' --value '["OPTIONS"]'
  kongctl patch file kong.yaml production.yaml -o result.yaml
  cat kong.yaml | kongctl patch file -s - production.yaml --format json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.read(cmd, args); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return patchFileRun(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.state, "state", "s", "", "file to change (- for standard input)")
	flags.StringArrayVar(&o.selectors, "selector", nil, "JSONPath of what to change; may be repeated")
	flags.StringArrayVar(&o.values, "value", nil, "KEY:JSON to set, KEY: to remove, or a JSON list to append; may be repeated")
	flags.StringVar(&o.format, "format", formYAML, "form of the result: yaml or json")
	choose(flags, "format", formYAML, formJSON)
	flags.StringVarP(&o.outputFile, "output-file", "o", stdin, "file to write to; - is standard output")
	return cmd
}

// read takes the arguments: the file comes first where no flag names it.
func (o *patchOptions) read(cmd *cobra.Command, args []string) error {
	flags := cmd.Flags()
	switch {
	case flags.Changed("state") && o.state == "", flags.Changed("output-file") && o.outputFile == "":
		return usagef("%s: a file without a name", cmd.CommandPath())
	case o.format != formYAML && o.format != formJSON:
		return usagef("invalid value %q for --format: use yaml or json", o.format)
	case len(o.selectors) == 0 && len(o.values) > 0:
		return usagef("--value needs --selector").WithHint("--selector '$' selects the whole document.")
	case len(o.selectors) > 0 && len(o.values) == 0:
		return usagef("--selector needs --value")
	}
	if o.state == "" {
		o.state = stdin
		if len(args) > 0 {
			o.state, args = args[0], args[1:]
		}
	}
	o.files = args
	if len(o.files) == 0 && len(o.selectors) == 0 {
		return usagef("%s: no patch is given", cmd.CommandPath()).WithHint("name a patch file behind the file to change, or pass --selector and --value.")
	}
	inputs := 0
	for _, name := range append([]string{o.state}, o.files...) {
		if name == stdin {
			inputs++
		}
	}
	if inputs > 1 {
		return usagef("%s: standard input can be read once", cmd.CommandPath())
	}
	return nil
}

func patchFileRun(ctx context.Context, o *patchOptions) error {
	patches, err := o.patches(ctx)
	if err != nil {
		return err
	}
	data, err := readArgument(ctx, o.factory, o.state)
	if err != nil {
		return err
	}
	docs, err := node.Parse(o.state, data)
	if err != nil {
		return err
	}
	warnings, err := patch.Apply(docs, patches)
	if err != nil {
		return err
	}
	warn(o.factory, warnings)
	var out []byte
	switch {
	case o.format == formYAML:
		out, err = node.YAML(docs)
	case len(docs) > 1:
		return usagef("%s has %d documents, and JSON has one", o.state, len(docs)).WithHint("use --format yaml.")
	default:
		out, err = node.JSON(o.state, docs[0])
	}
	if err != nil {
		return err
	}
	return writeResult(o.factory, o.outputFile, node.BreakLines(out, data))
}

// patches are those of the flags, then those of the files.
func (o *patchOptions) patches(ctx context.Context) ([]patch.Patch, error) {
	var out []patch.Patch
	if len(o.selectors) > 0 {
		p, err := patch.FromFlags(o.selectors, o.values)
		if err != nil {
			return nil, usagef("%v", err)
		}
		out = append(out, p)
	}
	for _, name := range o.files {
		data, err := readArgument(ctx, o.factory, name)
		if err != nil {
			return nil, err
		}
		more, err := patch.Read(name, data)
		if err != nil {
			return nil, err
		}
		if o.format == formJSON { // what has no JSON form stands here, not in the result
			docs, err := node.Parse(name, data)
			if err != nil {
				return nil, err
			}
			if _, err := node.JSON(name, docs[0]); err != nil {
				return nil, err
			}
		}
		out = append(out, more...)
	}
	return out, nil
}
