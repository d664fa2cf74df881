package build

import (
	"cmp"
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
	// unnamed are externals that are not there, and of which nobody knows the name.
	unnamed map[string]*resource.Resource
}

func declaredNames(b *Draft) siblings {
	out := siblings{b, map[string]*resource.Resource{}, map[string]bool{}, map[string]*resource.Resource{}}
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
		default:
			name = cmp.Or(r.External.ID, r.External.Wanted(r.Type.Identity[0]))
		}
		switch at := out.place(r.Parent, r.Type.Kind, name); {
		case name != "":
			out.by[at] = r
		case r.External != nil && b.broken[r] == nil:
			out.unnamed[at] = r
		default:
			out.unsure[at] = true
		}
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
	if !b.Mode.Brings() {
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
			if n.Open || !isText || names.may(r, n, name) {
				return
			}
			d := noSuchName(b, r, desired, n, at, name)
			if !slices.ContainsFunc(b.diags, func(x diag.Diagnostic) bool { return x.Code == d.Code && x.Pos == d.Pos }) {
				b.diags = append(b.diags, d)
			}
		})
	}
}

// may reports whether something is declared or there that a field can name, as far as is
// known.
func (n siblings) may(r *resource.Resource, of resource.Naming, name string) bool {
	return n.b.Set.MayExist(of.Kind, name) || n.unsure[n.place(r.Parent, of.Kind, "")] || n.by[n.place(r.Parent, of.Kind, name)] != nil || exists(n.b, r.Parent, of.Kind, name)
}

// waitsForNamed is why a resource waits for what its fields name: as for what it refers
// to. A name that nothing has may be that of an external which is known by something else,
// and where externals may be missing, of one that nobody declares.
func waitsForNamed(b *Draft, r *resource.Resource, names siblings) *waiting {
	for _, u := range r.Named {
		if w := b.pending[u.Target]; w != nil {
			return w
		}
		if !u.Open && ignoredAndMissing(b, u.Target) {
			return ignoredWait(u.Target)
		}
	}
	if len(r.Type.Namings) == 0 || r.Parent == nil || r.External != nil || b.selection.LeftOut(r) {
		return nil
	}
	var found *waiting
	desired := b.resolve(r)
	r.Type.NamesIn(desired.Plain, func(n resource.Naming, at value.Path, v any) {
		name, isText := v.(string)
		if found != nil || !isText {
			return
		}
		to, other := names.by[names.place(r.Parent, n.Kind, name)], names.unnamed[names.place(r.Parent, n.Kind, "")]
		switch {
		case to != nil:
			found = b.pending[to]
		case n.Open || names.may(r, n, name):
		case other != nil:
			found = b.pending[other]
		case b.AllowPending:
			if of := desired.variableAt(at); of != "" {
				name = "!env " + of
			}
			found = &waiting{reason: notFound(b.Types.Kind(n.Kind)), name: name}
		}
	})
	return found
}

// exists reports whether something below a parent has a name or an id, as far as is
// known: what could not be read may be there.
func exists(b *Draft, parent *resource.Resource, kind, name string) bool {
	o, t := b.object(parent), b.Types.Kind(kind)
	if o == nil {
		return parent.External != nil
	}
	if _, read := b.Snapshot.Undeclared(t, append(b.KnownAncestors(parent), o.ID)); !read {
		return true
	}
	_, is := found(b, parent, kind, name)
	return is
}

// found is what was read below a parent that has a name or an id.
func found(b *Draft, parent *resource.Resource, kind, name string) (resource.Part, bool) {
	o, t := b.object(parent), b.Types.Kind(kind)
	if o == nil {
		return resource.Part{}, false
	}
	all, ancestors := b.objects.of(t), append(b.KnownAncestors(parent), o.ID)
	i := slices.IndexFunc(all, func(x resource.Part) bool {
		return slices.Equal(x.Ancestors, ancestors) && (x.Object.ID == name || t.NameIn(x.Object.Fields) == name)
	})
	if i < 0 {
		return resource.Part{}, false
	}
	return all[i], true
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
	if variable := desired.variableAt(at); variable != "" {
		what, instead = fmt.Sprintf("%s with the name in $%s", t.Words, variable), fmt.Sprintf("set %s to the name of one that exists", variable)
	}
	above := r.Parent.Type.Words
	return diag.New(diag.RefUnknown, r.Fields.Nearest(at),
		fmt.Sprintf("The %s %q has no %s: no input declares it, and Konnect does not have it.", above, r.Parent.Name, what),
		fmt.Sprintf("declare it under %s of the %s, or %s.", t.Key, above, instead))
}

// variableAt is the variable that a field takes its value from; "" for none.
func (d Desired) variableAt(at value.Path) string {
	for _, e := range d.Env {
		if at.HasPrefix(value.ParsePath(e.Field)) {
			return fmt.Sprint(e.Expression["env"])
		}
	}
	return ""
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
