package cli

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/explain"
	"github.com/kongctl/kongctl/internal/view"
)

type explainOptions struct {
	factory  *factory
	path     string // of a type or a field; "" lists the types
	output   string
	extended bool
}

func newExplainCmd(f *factory, runF func(*explainOptions) error) *cobra.Command {
	o := &explainOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "explain [TYPE[.FIELD…] | tags]",
		Short: "Describe resource types and their fields",
		Long: `Describe resource types and their fields.

Without an argument all types are listed by family. A type is named by its kind
(portal_page) or by its place in the configuration (portal.pages); a field by its
path in the type (portal.pages.slug); "tags" are !ref, !env and the like. Other words of
the language, such as _defaults, _external or kongctl, are described too. With -o json
or yaml the description is a JSON Schema.`,
		Example: `  kongctl explain
  kongctl explain portal.pages
  kongctl explain api_publication.visibility
  kongctl explain tags
  kongctl explain control_plane -o json`,
		Args:              atMostOne("type"),
		ValidArgsFunction: completePaths(f, true, "tags"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.path = args[0]
			}
			if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
				return err
			}
			if runF != nil {
				return runF(o)
			}
			return paged(o.factory, func() error { return explainRun(o) })
		},
	}
	addOutput(cmd, &o.output, "text, json or yaml")
	addPager(cmd)
	cmd.Flags().BoolVar(&o.extended, "extended", false, "also show fields that Konnect sets, other names and the path of the API")
	return cmd
}

func explainRun(o *explainOptions) error {
	x, err := explainer(o.factory)
	if err != nil {
		return err
	}
	out := o.factory.world.streams.out
	if o.path == "" {
		return o.list(x)
	}
	if o.path == "tags" {
		return o.tags()
	}
	if w, isWord := x.Word(o.path); isWord {
		return o.word(w)
	}
	found, err := find(x, "explain", o.path)
	if err != nil {
		return err
	}
	if o.output == formJSON || o.output == formYAML {
		return writeData(out, o.output, x.Schema(found))
	}
	_, err = io.WriteString(out, x.Text(found, explain.TextOptions{Extended: o.extended, Width: o.factory.outStyle().Width}))
	return toOutput(err)
}

// list shows all types.
func (o *explainOptions) list(x *explain.Explainer) error {
	out := o.factory.world.streams.out
	if o.output == formJSON || o.output == formYAML {
		return writeData(out, o.output, x.Overview())
	}
	_, err := io.WriteString(out, x.List(explain.TextOptions{Width: o.factory.outStyle().Width}))
	return toOutput(err)
}

// tags shows how values are written that stand elsewhere.
func (o *explainOptions) tags() error {
	out := o.factory.world.streams.out
	if o.output == formJSON || o.output == formYAML {
		return writeData(out, o.output, explain.Tags())
	}
	_, err := io.WriteString(out, explain.TagsText(explain.TextOptions{Width: o.factory.outStyle().Width}))
	return toOutput(err)
}

// word shows a word of the language that is no type.
func (o *explainOptions) word(w explain.Word) error {
	out := o.factory.world.streams.out
	if o.output == formJSON || o.output == formYAML {
		return writeData(out, o.output, w.Schema())
	}
	_, err := io.WriteString(out, w.Text(explain.TextOptions{Width: o.factory.outStyle().Width}))
	return toOutput(err)
}

// explainer describes the types of the catalog.
func explainer(f *factory) (*explain.Explainer, error) {
	cat, err := f.catalog()
	if err != nil {
		return nil, err
	}
	return engine.Explainer(cat), nil
}

// find follows a path; one that leads nowhere is a wrong command line.
func find(x *explain.Explainer, verb, path string) (*explain.Found, error) {
	found, err := x.Find(path)
	var unknown *explain.UnknownError
	if errors.As(err, &unknown) {
		return nil, usagef("%s: %s", verb, unknown.Message).WithHint("%s", unknown.Hint)
	}
	return found, err
}

// writeData writes data as json or yaml.
func writeData(w io.Writer, form string, data any) error {
	if form == formYAML {
		return toOutput(view.WriteYAML(w, data))
	}
	return toOutput(view.WriteJSON(w, data))
}

// atMostOne refuses more than one argument.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("%s: takes at most one %s, got %d", cmd.CommandPath(), what, len(args)).WithHint("see %s --help", cmd.CommandPath())
		}
		return nil
	}
}

// completePaths completes paths of types and, where they are wanted, of fields; other
// words stand beside the types. A path can be continued, so no space follows it.
func completePaths(f *factory, fields bool, words ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		x, err := explainer(f)
		if err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		out := x.Next(typed, fields)
		for _, word := range words {
			if strings.HasPrefix(word, typed) {
				out = append(out, word)
			}
		}
		return harmless(out), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// kindNames are the names of all types.
func kindNames() []string { return explain.Kinds() }
