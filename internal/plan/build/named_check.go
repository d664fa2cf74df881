package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// siblings are declared resources by what they belong to, their kind and what fields may
// call them: their name, or their id.
type siblings struct {
	b  *Draft
	by map[string]*resource.Resource
	// unsure are the places of resources whose names are not known yet.
	unsure map[string]bool
}

func declaredNames(b *Draft) siblings {
	out := siblings{b, map[string]*resource.Resource{}, map[string]bool{}}
	for _, r := range b.Set.Resources {
		if len(b.Types.NamedBy(r.Type.Kind)) == 0 || r.Parent == nil || len(r.Type.Identity) != 1 {
			continue
		}
		o := b.object(r)
		if o != nil {
			out.by[out.place(r.Parent, r.Type.Kind, o.ID)] = r
		}
		name := ""
		switch {
		case r.External == nil:
			name = r.Type.NameIn(b.resolve(r).Plain)
		case o != nil:
			name = r.Type.NameIn(o.Fields)
		}
		if name == "" {
			out.unsure[out.place(r.Parent, r.Type.Kind, "")] = true
			continue
		}
		out.by[out.place(r.Parent, r.Type.Kind, name)] = r
	}
	return out
}

// place is where a name stands for something: what others own may be declared several
// times.
func (n siblings) place(parent *resource.Resource, kind, name string) string {
	at := []string{"", parent.Ref}
	if o := n.b.object(parent); o != nil {
		at = append(n.b.KnownAncestors(parent), o.ID)
	}
	return plan.PlaceKey(kind, at, name)
}

// checkNamed reports names in fields whose resource is neither declared nor there.
func checkNamed(b *Draft) {
	if !b.Mode.Brings() || b.AllowPending {
		return
	}
	names := declaredNames(b)
	for _, r := range b.Links.Sorted() {
		if len(r.Type.Namings) == 0 || r.Parent == nil || !b.writes(r) {
			continue
		}
		desired := b.resolve(r)
		r.Type.NamesIn(desired.Plain, func(n resource.Naming, at value.Path, v any) {
			name, isText := v.(string)
			if n.Open || !isText || b.Set.MayExist(n.Kind, name) || names.unsure[names.place(r.Parent, n.Kind, "")] || names.by[names.place(r.Parent, n.Kind, name)] != nil || exists(b, r.Parent, n.Kind, name) {
				return
			}
			d := noSuchName(b, r, desired, n, at, name)
			if !slices.ContainsFunc(b.diags, func(x diag.Diagnostic) bool { return x.Code == d.Code && x.Pos == d.Pos }) {
				b.diags = append(b.diags, d)
			}
		})
	}
}

// exists reports whether something below a parent has a name or an id, as far as is
// known: what could not be read may be there.
func exists(b *Draft, parent *resource.Resource, kind, name string) bool {
	o, t := b.object(parent), b.Types.Kind(kind)
	if o == nil {
		return parent.External != nil
	}
	ancestors := append(b.KnownAncestors(parent), o.ID)
	if _, read := b.Snapshot.Undeclared(t, ancestors); !read {
		return true
	}
	return slices.ContainsFunc(b.Snapshot.Objects(t), func(x resource.Part) bool {
		return slices.Equal(x.Ancestors, ancestors) && (x.Object.ID == name || t.NameIn(x.Object.Fields) == name)
	})
}

// noSuchName tells of a name that is neither declared nor there. The value of a
// variable is not shown.
func noSuchName(b *Draft, r *resource.Resource, desired Desired, n resource.Naming, at value.Path, name string) diag.Diagnostic {
	t := b.Types.Kind(n.Kind)
	what, instead := fmt.Sprintf("%s %q", t.Words, name), "write the name of one that exists"
	if link, ok := b.Links.At(r, at); ok {
		what += fmt.Sprintf(", which %s takes from %s of the %s", at, link.Field, link.Target.Source())
		instead = "refer to the name of one that exists"
	}
	for _, e := range desired.Env {
		if at.HasPrefix(value.ParsePath(e.Field)) {
			variable := fmt.Sprint(e.Expression["env"])
			what, instead = fmt.Sprintf("%s with the name in $%s", t.Words, variable), fmt.Sprintf("set %s to the name of one that exists", variable)
		}
	}
	above := r.Parent.Type.Words
	return diag.New(diag.RefUnknown, r.Fields.Nearest(at),
		fmt.Sprintf("The %s %q has no %s: no input declares it, and Konnect does not have it.", above, r.Parent.Name, what),
		fmt.Sprintf("declare it under %s of the %s, or %s.", t.Key, above, instead))
}

// namedFirst lets what a field names by a variable or a reference be created before
// the resource that has the field. Names that are written are ordered already.
func namedFirst(b *Draft) {
	var names siblings
	for _, r := range b.Links.Sorted() {
		c := b.changes[r]
		if c == nil || c.Action == plan.Delete || len(r.Type.Namings) == 0 || r.Parent == nil {
			continue
		}
		r.Type.NamesIn(b.resolve(r).Plain, func(n resource.Naming, at value.Path, v any) {
			name, isText := v.(string)
			if _, written := r.Fields.Lookup(at).Text(); !isText || written {
				return
			}
			if names.by == nil {
				names = declaredNames(b)
			}
			to := names.by[names.place(r.Parent, n.Kind, name)]
			if made := b.Making[to]; to != nil && made != nil && made != c && !b.WaitsFor(made, c) {
				b.Need(c, made)
			}
		})
	}
}
