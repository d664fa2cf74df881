// Package restate turns changes that another program planned into configuration.
//
// In: changes of a plan of Kong's own tool, the catalog, and what exists. Out: a
// document in our own language that declares what the changes lead to, and nothing
// else; what each change expects and is not so. It must never change what it reads,
// or decide what is done: planning the document does.
package restate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Unset stands for the variable of a secret that no change writes. Configurations
// cannot name it.
const Unset = "(not in the plan)"

// Read states changes again. All of them create and update, or all of them delete.
// Env has the variables, to compare with what exists.
func Read(ctx context.Context, from remote.Target, cat *catalog.Catalog, env func(string) (string, bool), changes []*plan.Change) (*execute.Restated, error) {
	b := &builder{ctx: ctx, from: from, cat: cat, env: env, changes: changes, made: map[*plan.Change]*node{}, read: map[string]*node{}}
	b.out = execute.Restated{Gone: map[string]bool{}, Refs: map[string]string{}, Left: map[string][]string{}, Whole: map[string]bool{}}
	var problems []string
	for _, c := range changes {
		var unfit unfitError
		if _, err := b.node(c); errors.As(err, &unfit) {
			problems = append(problems, fmt.Sprintf("change %s: %s", c.ID, err))
		} else if err != nil {
			return nil, fmt.Errorf("change %s: %w", c.ID, err)
		}
	}
	if len(problems) > 0 {
		return nil, &plan.InvalidError{Problems: problems}
	}
	b.out.Root = document(b.roots)
	return &b.out, nil
}

// unfitError is what a change lacks or asks for that cannot be stated again.
type unfitError string

func (e unfitError) Error() string { return string(e) }

func unfitf(format string, args ...any) error { return unfitError(fmt.Sprintf(format, args...)) }

// node is a resource of the document.
type node struct {
	t      *catalog.Bound
	ref    string
	id     string // "" of what does not exist yet
	fields map[string]value.Value
	// namespace and protected are of roots that carry labels.
	namespace string
	protected bool

	parent   *node
	children []*node
}

// ids are those from the root down to the node, without those of its own type that
// it nests in.
func (n *node) ids() []string {
	if n == nil {
		return nil
	}
	return append(n.owner().ids(), n.id)
}

// owner is what a node belongs to, whatever of its own type it nests in.
func (n *node) owner() *node {
	up := n.parent
	for up != nil && up.t == n.t {
		up = up.parent
	}
	return up
}

func (n *node) root() *node {
	for n.parent != nil {
		n = n.parent
	}
	return n
}

type builder struct {
	ctx     context.Context
	from    remote.Target
	cat     *catalog.Catalog
	env     func(string) (string, bool)
	changes []*plan.Change
	made    map[*plan.Change]*node
	read    map[string]*node // of what exists and no change is about, by place
	roots   []*node
	out     execute.Restated
}

// node is what a change leads to; nil where it cannot be carried out any more.
func (b *builder) node(c *plan.Change) (*node, error) {
	if n, ok := b.made[c]; ok {
		return n, nil
	}
	b.made[c] = nil // a change below itself has no parent
	t := b.cat.Kind(c.ResourceType)
	n := &node{t: t, ref: c.ResourceRef, id: c.ResourceID, namespace: c.Namespace, protected: c.Protection}
	if c.Action == plan.Delete {
		n.ref = b.refOf(c)
		b.out.Refs[c.ID] = n.ref
	}
	if t.Parent != nil {
		var err error
		if n.parent, err = b.parent(c, t); err != nil || n.parent == nil {
			return nil, err
		}
	}
	var err error
	always := t.Shape == catalog.Singleton && !t.Optional() && n.parent != nil && n.parent.id == ""
	if c.Action == plan.Create || c.Action == plan.Update && always { // it comes with its parent
		n.id, n.fields = "", map[string]value.Value{}
		err = b.overlay(n, c)
	} else {
		var there bool
		if there, err = b.existing(n, c); !there {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	b.made[c] = n
	b.place(n)
	return n, nil
}

// refOf is what the document calls the resource of a delete: its name in the letters
// of a ref, and its id where that is no ref or another resource has it.
func (b *builder) refOf(c *plan.Change) string {
	ref := language.Ref(c.ResourceRef)
	taken := slices.ContainsFunc(b.changes, func(x *plan.Change) bool { return x != c && language.Ref(x.ResourceRef) == ref })
	if (ref == "" || taken) && language.Ref(c.ResourceID) == c.ResourceID && c.ResourceID != "" {
		return c.ResourceID
	}
	return cmp.Or(ref, c.ResourceRef)
}

// place puts a node into the document.
func (b *builder) place(n *node) {
	if n.parent == nil {
		b.roots = append(b.roots, n)
	} else {
		n.parent.children = append(n.parent.children, n)
	}
}

// existing fills a node with what exists, and what an update makes of it.
func (b *builder) existing(n *node, c *plan.Change) (bool, error) {
	if n.id == "" && n.t.Shape != catalog.Singleton {
		return false, unfitf("it does not say which resource it changes (resource_id)")
	}
	if n.parent != nil && n.parent.id == "" {
		return false, unfitf("it belongs to what the plan creates")
	}
	o, err := live.ReadOne(b.ctx, b.from, remote.Scope{Type: n.t, Ancestors: n.owner().ids()}, n.id)
	switch {
	case err != nil:
		return false, err
	case o == nil && c.Action == plan.Delete:
		b.out.Gone[c.ID] = true
		return false, nil
	case o == nil:
		b.moved(c, "it does not exist any more")
		return false, nil
	}
	n.id = o.ID
	fill(n, o)
	if why := ownedElsewhere(n, c); why != "" {
		b.moved(c, why)
		return false, nil
	}
	if c.Action == plan.Delete {
		return true, b.inTree(n, o.Fields)
	}
	if fields := b.differs(n.t, o.Fields, c); len(fields) > 0 {
		b.out.Moved = append(b.out.Moved, execute.Moved{Change: c, Why: "it is not what the plan was created from", Fields: fields})
		return false, nil
	}
	if _, changes := c.ChangedFields[plan.ProtectedField]; changes {
		n.protected = c.Protection
	}
	if err := b.inTree(n, o.Fields); err != nil {
		return false, err
	}
	b.again(n, c)
	for _, f := range c.FieldChanges {
		if f.DesiredValue = b.desired(n.t, c, f); !unseen(n.t, c, f) && !reached(o.Fields, f) {
			b.out.Left[c.ID] = append(b.out.Left[c.ID], f.Field)
		}
		if loses(f.CurrentValue, f.DesiredValue) {
			b.out.Whole[c.ResourceType+" "+c.ResourceRef] = true
		}
	}
	return true, b.overlay(n, c)
}

// again notes what an update writes and nothing can find by comparing.
func (b *builder) again(n *node, c *plan.Change) {
	for _, s := range c.SecretWrites {
		b.out.Again = append(b.out.Again, fmt.Sprintf("%s:%s#%s", n.t.Kind, n.ref, s.Field))
	}
	if field := catalog.Withheld(n.t); field != "" && c.Fields[field] != nil {
		b.out.Again = append(b.out.Again, fmt.Sprintf("%s:%s#%s", n.t.Kind, n.ref, field))
	}
}

func (b *builder) moved(c *plan.Change, why string) {
	b.out.Moved = append(b.out.Moved, execute.Moved{Change: c, Why: why})
}

// ownedElsewhere says why what exists is not the plan's to change.
func ownedElsewhere(n *node, c *plan.Change) string {
	top := n.root()
	switch {
	case !top.t.HasLabels() || top.t.ReadOnly:
		return ""
	case top.namespace == "":
		return fmt.Sprintf("the %s %q is not managed", catalog.Words(top.t.Kind), top.ref)
	case c.Namespace != "" && c.Namespace != top.namespace:
		return fmt.Sprintf("the %s %q belongs to the namespace %s, and the plan says %s", catalog.Words(top.t.Kind), top.ref, top.namespace, c.Namespace)
	}
	return ""
}

// differs are the fields that are neither what an update expects nor what it makes
// of them.
func (b *builder) differs(t *catalog.Bound, have map[string]any, c *plan.Change) []execute.MovedField {
	var out []execute.MovedField
	for _, f := range c.FieldChanges {
		is, _ := value.Get(have, value.ParsePath(f.Field))
		if unseen(t, c, f) || same(is, f.CurrentValue) || same(is, b.desired(t, c, f)) {
			continue
		}
		moved := execute.MovedField{Field: f.Field, PlannedFrom: f.CurrentValue, Is: is}
		if len(c.VariablesIn(f.Field)) > 0 {
			moved.PlannedFrom, moved.Is = plan.Hidden, plan.Hidden
		}
		out = append(out, moved)
	}
	return out
}

// reached reports whether a field has the value that an update gives it.
func reached(have map[string]any, f plan.FieldChange) bool {
	is, _ := value.Get(have, value.ParsePath(f.Field))
	return same(is, f.DesiredValue) && !keeps(is, f.CurrentValue, f.DesiredValue)
}

// loses reports whether a value loses something that an update does not replace.
func loses(from, to any) bool { return keeps(from, from, to) }

// keeps reports whether something is there that an update takes away.
func keeps(is, from, to any) bool {
	if value.Empty(to) {
		return !value.Empty(is)
	}
	there, _ := is.(map[string]any)
	before, _ := from.(map[string]any)
	after, isMap := to.(map[string]any)
	for k := range before {
		if _, has := there[k]; has && isMap && !label.Ours(k) && keeps(there[k], before[k], after[k]) {
			return true
		}
	}
	return false
}

// same compares what exists with what a plan says, which leaves out what is empty,
// kongctl's own labels and what Konnect adds to mappings.
func same(is, said any) bool {
	if said == any(plan.Hidden) { // what a value of a variable replaces may be anything
		return true
	}
	if value.Empty(is) && value.Empty(said) || value.Equal(is, said) {
		return true
	}
	x, isMap := is.(map[string]any)
	y, ok := said.(map[string]any)
	if isMap && said == nil {
		return !slices.ContainsFunc(slices.Collect(maps.Keys(x)), func(k string) bool { return !label.Ours(k) })
	}
	if !isMap || !ok {
		list, isList := is.([]any)
		other, ok := said.([]any)
		return isList && ok && slices.EqualFunc(list, other, same)
	}
	for k, v := range y {
		if !same(x[k], v) {
			return false
		}
	}
	return true
}

// fill takes over what a configuration would say of an object.
func fill(n *node, o *resource.Object) {
	labels := catalog.Labels(o)
	protected, has := labels[label.Protected]
	n.namespace, n.protected = labels[label.Namespace], has && label.ValueProtects(protected)
	n.fields = declaredFields(n.t, o)
}
