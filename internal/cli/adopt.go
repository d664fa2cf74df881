package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/plan"
)

func newAdoptCmd(f *factory, runF func(context.Context, *executeOptions) error) *cobra.Command {
	o := &executeOptions{factory: f, mode: plan.ModeAdopt}
	cmd := &cobra.Command{
		Use:   "adopt TYPE NAME|ID --namespace NS | adopt -f FILE",
		Short: "Mark existing resources as managed, without changing anything else",
		Long: `Mark existing resources as managed, without changing anything else.

Name one resource by its type and its name or id, or pass a configuration with -f:
every resource that it declares and that exists is adopted into its declared
namespace. Only labels are written. Resources of another namespace are refused
unless --overwrite-namespace is set. Children, such as the pages of a portal,
follow their parent.`,
		Example: `  kongctl adopt portal developers --namespace web
  kongctl adopt control-plane 7f0aa1a4-3b5c-4d5e-8f00-000000000001 --namespace web
  kongctl adopt -f portal.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.readAdopt(cmd, args); err != nil {
				return err
			}
			return o.start(cmd, runF)
		},
	}
	o.sources.add(cmd)
	cmd.Flags().StringVar(&o.adopt.Namespace, "namespace", "", "namespace for the resource")
	cmd.Flags().BoolVar(&o.adopt.Overwrite, "overwrite-namespace", false, "also adopt resources of another namespace")
	o.addExecution(cmd)
	cmd.ValidArgsFunction = completeAdopt(f, o)
	return cmd
}

// readAdopt reads what is to be taken over.
func (o *executeOptions) readAdopt(cmd *cobra.Command, args []string) error {
	given := cmd.Flags().Changed("filename") || cmd.Flags().Changed("dir")
	const how = "name a type and a resource, or a configuration with -f."
	if cmd.Flags().Changed("filename") && !slices.ContainsFunc(args, func(arg string) bool { return !o.factory.exists(arg) }) {
		o.sources.Files, args = append(o.sources.Files, args...), nil
	}
	switch {
	case given && len(args) > 0:
		return usagef("adopt: a resource and a configuration exclude each other").WithHint(how)
	case given && cmd.Flags().Changed("namespace"):
		return usagef("adopt: --namespace and -f exclude each other").WithHint("the configuration says which namespace: kongctl: {namespace: %s}.", o.adopt.Namespace)
	case given:
		return nil
	case len(args) < 2 || len(args) > 3:
		return usagef("adopt: takes a type and a name or id").WithHint(how)
	case !cmd.Flags().Changed("namespace"):
		return usagef("adopt: no namespace is named").WithHint("add --namespace NS.")
	case !namespaceForm.MatchString(o.adopt.Namespace):
		return usagef("--namespace %s: a namespace has 1 to 63 of a-z, 0-9 and -, with a letter or digit at both ends", o.adopt.Namespace)
	case args[len(args)-1] == "":
		return usagef("adopt: the name is empty").WithHint(how)
	}
	cat, err := o.factory.catalog()
	if err != nil {
		return err
	}
	o.adopt.Word = args[len(args)-1]
	word := args[0]
	if asked, perr := query.Parse(args); perr == nil && asked.Type != nil && asked.AsName().Name == o.adopt.Word { // as get says it: org team
		word = asked.AsName().Type.Kind
	} else if len(args) > 2 {
		return usagef("adopt: takes a type and a name or id").WithHint(how)
	}
	o.adopt.Kind, err = adoptable(cat, word)
	return err
}

// adoptable finds a type whose resources can be marked.
func adoptable(cat *catalog.Catalog, word string) (*catalog.Bound, error) {
	t := cat.Word(word)
	var can []string
	for _, x := range cat.All() {
		if x.HasLabels() {
			can = append(can, x.Word())
		}
	}
	hint := "types: " + strings.Join(can, ", ") + "."
	switch {
	case t == nil:
		if near := diag.Nearest(word, cat.Words()); near != "" {
			return nil, usagef("adopt: unknown resource type %q; did you mean %q?", word, near)
		}
		return nil, usagef("adopt: unknown resource type %q", word).WithHint("%s", hint)
	case t.ReadOnly:
		return nil, usagef("adopt: %s are managed elsewhere", catalog.Words(t.Root())).WithHint("%s", hint)
	case t.Parent != nil:
		root := t.Parent
		for root.Parent != nil {
			root = root.Parent
		}
		return nil, usagef("adopt: %s follows the %s that it belongs to", diag.A(catalog.Words(t.Kind)), catalog.Words(root.Kind)).
			WithHint("adopt that one: kongctl adopt %s NAME --namespace %s", root.Word(), "NS")
	case !t.HasLabels():
		return nil, usagef("adopt: %s has no labels in Konnect, so it belongs to no namespace", diag.A(catalog.Words(t.Kind))).WithHint("declare it: it needs no adopting.")
	}
	return t, nil
}
