package cli

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/profile"
)

const (
	formWide = "wide"
	formName = "name"
)

type getOptions struct {
	factory *factory
	connect connectFlags
	request query.Request
	tokens  *engine.TokenKind // asked for in place of resources
	regions bool
	output  string
	choice  getChoice
}

const aboutGet = `Show what exists in Konnect.

A type is named in the singular or plural, after the word of its family where it
has one. What belongs to another resource is named after it, and flags say which
one is meant. A name or id at the end asks for one resource; flags of its own say the
same (--data-plane-certificate-title).

-o json and yaml print what Konnect returned: a list, or an object where a name is
given. Secrets are not shown. --jq applies an expression of jq to that, --columns
makes a table. -o name prints names alone. -o helm prints, for one control plane, the values of Kong's Helm
chart for a data plane.`

const getExample = `  kongctl get portals
  kongctl get portal my-portal -o json
  kongctl get portal pages --portal-name my-portal
  kongctl get portal team roles --portal-name my-portal --team-name partners
  kongctl get gateway control-planes
  kongctl get gateway control-plane services --control-plane-name prod -o wide
  kongctl get apis --jq '.[].name' -r
  kongctl get portals --columns 'NAME=.name,DOMAIN=.default_domain'
  kongctl get organization teams
  kongctl get me
  kongctl get spat --system-account-name builds`

func newGetCmd(f *factory, runF func(context.Context, *getOptions) error) *cobra.Command {
	return getCmd(f, runF, "get", "Show what exists in Konnect")
}

// newListCmd is another name of get.
func newListCmd(f *factory, runF func(context.Context, *getOptions) error) *cobra.Command {
	return getCmd(f, runF, "list", "Same as get")
}

func getCmd(f *factory, runF func(context.Context, *getOptions) error, name, short string) *cobra.Command {
	o := &getOptions{factory: f}
	var parents parentFlags
	cmd := &cobra.Command{
		Use:     name + " [FAMILY] TYPE [CHILD…] [NAME|ID]",
		Short:   short,
		Long:    aboutGet,
		Example: getExample,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if err := checkOutput(o.output, formText, formJSON, formYAML, formWide, formName, formHelm); err != nil {
				return err
			}
			if err := o.choice.read(o.output); err != nil {
				return err
			}
			if err := o.read(args); err != nil {
				return asUsage(name, err)
			}
			if o.request.Parents, err = parents.read(cmd); err != nil {
				return err
			}
			if runF == nil {
				runF = getRun
			}
			return asUsage(name, paged(f, func() error { return runF(cmd.Context(), o) }))
		},
	}
	addOutput(cmd, &o.output, "text, wide, name, json, yaml or helm")
	choose(cmd.Flags(), "output", formText, formWide, formName, formJSON, formYAML, formHelm)
	o.choice.add(cmd)
	cmd.Flags().BoolVar(&o.request.SkipSystem, "skip-system-teams", false, "leave out what Konnect made by itself")
	addPager(cmd)
	parents.add(cmd)
	o.connect.add(cmd)
	cmd.ValidArgsFunction = completeGet(f, o, &parents)
	completeParents(f, cmd, o)
	return cmd
}

// read reads the words of the command line.
func (o *getOptions) read(args []string) error {
	words := args
	if len(words) > 0 && words[0] == query.Prefix {
		words = words[1:]
	}
	if slices.Equal(words, []string{"regions"}) {
		o.regions = true
		return nil
	}
	if len(words) > 0 {
		if kind, ok := engine.FindTokenKind(words[0]); ok {
			return o.readToken(kind, words[1:])
		}
	}
	asked, err := query.Parse(args)
	if err != nil {
		return err
	}
	o.request.Asked = *asked
	return nil
}

// asUsage makes a usage error of words that ask for nothing.
func asUsage(verb string, err error) error {
	var words *query.WordError
	if errors.As(err, &words) {
		return usagef("%s: %s", verb, words.Message).WithHint("%s", words.Hint)
	}
	return err
}

func getRun(ctx context.Context, o *getOptions) error {
	if o.regions {
		return o.show(ctx, regionAnswer())
	}
	d := newDisplay(o.factory)
	defer d.close()
	e, err := o.factory.openEngine(engineOptions{local: o.connect.local, sink: d.sink})
	if err != nil {
		return err
	}
	answer, err := o.ask(ctx, e)
	d.close()
	if err != nil {
		return err
	}
	return o.show(ctx, answer)
}

// regionAnswer lists the regions of Konnect.
func regionAnswer() *query.Answer {
	out := &query.Answer{}
	for _, r := range profile.Regions() {
		out.Bodies = append(out.Bodies, map[string]any{"name": r, "url": profile.RegionURL(r)})
	}
	return out
}

// ask reads what is asked for.
func (o *getOptions) ask(ctx context.Context, e *engine.Engine) (*query.Answer, error) {
	if o.tokens == nil {
		return engine.Get(ctx, e, o.request)
	}
	r := engine.TokenRequest{Kind: *o.tokens, Name: o.request.Name}
	for _, word := range slices.Sorted(maps.Keys(o.request.Parents)) {
		if word != r.Kind.AccountWord() {
			return nil, usagef("a %s has no parent %q", r.Kind.Words(), word)
		}
		r.Account, r.AccountID = o.request.Parents[word].Name, o.request.Parents[word].ID
	}
	if err := checkAccount(r); err != nil {
		return nil, err
	}
	return engine.GetTokens(ctx, e, r)
}
