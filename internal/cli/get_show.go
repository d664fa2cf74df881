package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/view"
)

// groupParents is the title of flags that name parents.
const groupParents = "Parent"

// parentFlags name resources: those that others belong to and, in place of an
// argument, the one that is asked for. Help shows the former alone.
type parentFlags map[string]*query.Selection

func (p *parentFlags) add(cmd *cobra.Command) {
	*p = parentFlags{}
	flags := cmd.Flags()
	parents := query.Parents()
	for _, word := range query.Named() {
		s := &query.Selection{}
		(*p)[word] = s
		words := strings.ReplaceAll(word, "-", " ")
		flags.StringVar(&s.Name, word+"-name", "", "name of the "+words)
		flags.StringVar(&s.ID, word+"-id", "", "id of the "+words)
		names := []string{word + "-name", word + "-id"}
		for _, field := range query.NameFields(word) {
			flags.StringVar(&s.Name, word+"-"+field, "", field+" of the "+words)
			names = append(names, word+"-"+field)
			_ = cmd.RegisterFlagCompletionFunc(word+"-"+field, cobra.NoFileCompletions) // the flag is there
		}
		titled(flags, groupParents, names...)
		for _, name := range names {
			flags.Lookup(name).Hidden = !slices.Contains(parents, word)
		}
	}
}

// takeOtherFlags lets flags that name parents have the whole name of a type or its short one in
// them, as --metering-plan-name and --cp-name. A function for all commands would take its place
// if it were set later.
func takeOtherFlags(root *cobra.Command) {
	others, first := query.OtherFlags(), query.Parents()[0]+"-name"
	for _, cmd := range root.Commands() {
		if cmd.Flags().Lookup(first) == nil {
			continue
		}
		cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
			for at := len(name) - 1; at > 0; at-- {
				if word, known := others[name[:at]]; known && name[at] == '-' {
					return pflag.NormalizedName(word + name[at:])
				}
			}
			return pflag.NormalizedName(name)
		})
	}
}

// read are the parents that were named.
func (p *parentFlags) read(cmd *cobra.Command) (map[string]query.Selection, error) {
	out := map[string]query.Selection{}
	flags := cmd.Flags()
	for _, word := range query.Named() {
		s := (*p)[word]
		byName, byID := flags.Changed(word+"-name"), flags.Changed(word+"-id")
		for _, field := range query.NameFields(word) {
			if by := flags.Changed(word + "-" + field); by && (byName || byID) {
				return nil, usagef("--%s-%s excludes --%s-name and --%s-id", word, field, word, word)
			} else if by {
				byName = true
			}
		}
		switch {
		case byName && byID:
			return nil, usagef("--%s-name and --%s-id exclude each other", word, word)
		case byName && s.Name == "", byID && s.ID == "":
			return nil, usagef("--%s-name or --%s-id is empty", word, word)
		case byName || byID:
			out[word] = *s
		}
	}
	return out, nil
}

// show writes an answer.
func (o *getOptions) show(ctx context.Context, a *query.Answer) error {
	s := o.factory.world.streams
	var data any = a.Bodies
	switch {
	case a.One:
		data = a.Bodies[0]
	case len(a.Bodies) == 0:
		data = []any{} // and not null
	}
	switch {
	case o.choice.jq != nil:
		results, err := o.choice.jq.Results(ctx, data)
		if err != nil {
			return jqFailure(err)
		}
		return toOutput(view.WriteResults(s.out, results, o.choice.raw))
	case o.output == formHelm:
		return o.helm(a)
	case o.output == formName:
		for _, name := range a.Names() {
			if err := say(s.out, "%s", name); err != nil {
				return toOutput(err)
			}
		}
		return nil
	case isDocument(o.output):
		return writeData(s.out, o.output, data)
	}
	if len(a.Bodies) == 0 {
		return say(s.err, "No %s found.", a.Words())
	}
	width := s.tableWidth()
	wide := o.output == formWide
	if wide { // nothing is cut
		width = 0
	}
	t := a.Table(wide)
	if o.choice.columns != nil {
		var err error
		if t.Header, t.Rows, err = o.choice.table(ctx, a.Bodies); err != nil {
			return jqFailure(err)
		}
	}
	return toOutput(view.WriteTable(s.out, t.Header, t.Rows, width, o.factory.outStyle()))
}

// helm writes the values of a Helm chart.
func (o *getOptions) helm(a *query.Answer) error {
	values, err := a.Helm()
	if err != nil {
		return usagef("-o helm: %v", err).WithHint("name one control plane: kongctl get gateway control-plane NAME -o helm")
	}
	return writeData(o.factory.world.streams.out, formYAML, values)
}
