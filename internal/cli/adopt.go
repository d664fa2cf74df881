package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
	"kongctl/internal/resource"
	"kongctl/internal/source"
	"kongctl/internal/value"
)

// adoptRequest is what to take over: one resource by its name, or what a
// configuration declares.
type adoptRequest struct {
	kind            *catalog.Bound
	word, namespace string
	// overwrite takes over what belongs to another namespace, too.
	overwrite bool
}

func (a adoptRequest) byName() bool { return a.kind != nil }

func newAdoptCmd(f *factory, runF func(context.Context, *executeOptions) error) *cobra.Command {
	o := &executeOptions{factory: f, mode: plan.ModeAdopt}
	cmd := &cobra.Command{
		Use:   "adopt TYPE NAME|ID --namespace NS | adopt -f FILE",
		Short: "Take over what exists: mark it as managed, and change nothing else",
		Long: `Take over what exists: mark it as managed, and change nothing else.

One resource is named by its type and its name or id; with -f all that a
configuration declares and Konnect has is taken over into the namespaces that the
configuration gives. Only labels are written. What another namespace owns is
refused; --overwrite-namespace takes it over all the same. What belongs to a
resource, such as the pages of a portal, follows it.`,
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
	cmd.Flags().StringVar(&o.adopt.namespace, "namespace", "", "namespace for the resource")
	cmd.Flags().BoolVar(&o.adopt.overwrite, "overwrite-namespace", false, "take over what belongs to another namespace, too")
	o.addExecution(cmd)
	return cmd
}

// readAdopt reads what is to be taken over.
func (o *executeOptions) readAdopt(cmd *cobra.Command, args []string) error {
	given := cmd.Flags().Changed("filename") || cmd.Flags().Changed("dir")
	const how = "name a type and a resource, or a configuration with -f."
	if cmd.Flags().Changed("filename") && !slices.ContainsFunc(args, func(arg string) bool { return !o.factory.exists(arg) }) {
		o.sources.files, args = append(o.sources.files, args...), nil
	}
	switch {
	case given && len(args) > 0:
		return usagef("adopt: a resource and a configuration exclude each other").withHint(how)
	case given && cmd.Flags().Changed("namespace"):
		return usagef("adopt: --namespace and -f exclude each other").withHint("the configuration says which namespace: kongctl: {namespace: %s}.", o.adopt.namespace)
	case given:
		return nil
	case len(args) != 2:
		return usagef("adopt: takes a type and a name or id").withHint(how)
	case !cmd.Flags().Changed("namespace"):
		return usagef("adopt: no namespace is named").withHint("add --namespace NS.")
	case !namespaceForm.MatchString(o.adopt.namespace):
		return usagef("--namespace %s: a namespace has 1 to 63 of a-z, 0-9 and -, with a letter or digit at both ends", o.adopt.namespace)
	case args[1] == "":
		return usagef("adopt: the name is empty").withHint(how)
	}
	cat, err := o.factory.catalog()
	if err != nil {
		return err
	}
	o.adopt.word = args[1]
	o.adopt.kind, err = adoptable(cat, args[0])
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
		return nil, usagef("adopt: unknown resource type %q", word).withHint("%s", hint)
	case t.External:
		return nil, usagef("adopt: %s are managed elsewhere", catalog.Words(t.Root())).withHint("%s", hint)
	case t.Parent != nil:
		root := t.Parent
		for root.Parent != nil {
			root = root.Parent
		}
		return nil, usagef("adopt: %s follows the %s that it belongs to", diag.A(catalog.Words(t.Kind)), catalog.Words(root.Kind)).
			withHint("adopt that one: kongctl adopt %s NAME --namespace %s", root.Word(), "NS")
	case !t.HasLabels():
		return nil, usagef("adopt: %s has no labels in Konnect, so it belongs to no namespace", diag.A(catalog.Words(t.Kind))).withHint("declare it: it needs no adopting.")
	}
	return t, nil
}

// loadNothing stands for a configuration where a resource is named.
func (w *walk) loadNothing() error {
	w.loaded = &source.Result{}
	w.set = &resource.Set{Namespaces: []string{w.request.adopt.namespace}}
	var list diag.List
	w.links, list = resource.Link(w.set)
	return w.found(list)
}

// find looks for the one resource that was named.
func (w *walk) find(ctx context.Context, from remote.Target) (diag.List, error) {
	a := w.request.adopt
	snap, found, err := live.Find(ctx, from, a.kind, a.word)
	if err != nil {
		return nil, err
	}
	w.snap = snap
	what := catalog.Words(a.kind.Kind)
	var list diag.List
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("adopt: there is no %s with the name or id %q", what, a.word)
	case len(found) > 1:
		var ids []string
		for _, o := range found {
			ids = append(ids, "id "+o.ID)
		}
		list.Add(diag.LiveAmbiguous, value.Pos{}, fmt.Sprintf("Konnect holds %d resources with the name %q:\n%s", len(found), a.word, strings.Join(ids, "\n")), "name the one you mean by its id.")
		return list, nil
	case a.kind.SystemFlag != "" && found[0].Fields[a.kind.SystemFlag] == true:
		return nil, fmt.Errorf("adopt: the %s %q is Konnect's own", what, a.word)
	}
	o := found[0]
	if owner := remote.Labels(o)[label.Namespace]; owner != "" && owner != a.namespace && !a.overwrite {
		list.Add(diag.LiveOtherSpace, value.Pos{}, fmt.Sprintf("The %s %q exists (id %s) and belongs to the namespace %s.", what, a.word, o.ID, owner),
			fmt.Sprintf("leave it to its owner, or take it over: %s --overwrite-namespace", live.AdoptCommand(a.kind, a.word, a.namespace)))
		return list, nil
	}
	w.adoption = &plan.Adoption{Type: a.kind, Object: o, Namespace: a.namespace}
	return nil, nil
}
