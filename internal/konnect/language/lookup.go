package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// lookup turns a !lookup in a reference field into a reference to a resource
// that stands for what is looked up.
func (b *externals) lookup(r *resource.Resource, p value.Path, ref catalog.Reference, v value.Value) value.Value {
	t := b.cat.Kind(ref.Kind)
	if beside, isText := r.Fields.Lookup(value.ParsePath(ref.Named)).Text(); t == nil && ref.Named != "" && isText {
		t = b.cat.Kind(b.set.Types.InWords(beside))
	}
	if t == nil {
		b.diags.Add(diag.ExtLookup, v.Pos(), fmt.Sprintf("The field %s of %s takes resources of any type, so it does not say what to look for.", p, diag.A(catalog.Words(catalog.Of(r).Kind))), fmt.Sprintf("declare it under %s, and write its ref here.", keyExternals))
		return unreadable(v)
	}
	found := b.lookedUp(r, t, v, func() (*resource.Resource, value.Value) { return b.beside(r, p, t) })
	if found == nil {
		return unreadable(v)
	}
	return value.ExprAt(v.Pos(), value.Expression{Op: value.OpRef, Name: found.Ref, Field: keyID})
}

// unreadable stands in for a value that was reported.
func unreadable(v value.Value) value.Value {
	return value.ExprAt(v.Pos(), value.Expression{Op: value.OpNone})
}

// beside finds whose a looked-up resource is: what another field of the same
// object names, or what the resource itself belongs to.
func (b *externals) beside(r *resource.Resource, p value.Path, t *catalog.Bound) (*resource.Resource, value.Value) {
	own := p.Generic()
	for _, ref := range catalog.Of(r).References {
		other := value.ParsePath(ref.Field)
		n := len(other) - 1
		if ref.Kind != t.Parent.Kind || n+1 != len(own) || !other.HasPrefix(own[:n]) {
			continue
		}
		if v := r.Fields.Lookup(append(slices.Clone(p[:len(p)-1]), other[n])); !v.IsAbsent() {
			return nil, reference(v)
		}
	}
	if catalog.Of(r).Parent == t.Parent {
		return r.Parent, r.ParentRef
	}
	return nil, value.Value{}
}

// lookedUp makes the resource that stands for a !lookup in another one. Lookups that
// say the same share one. Whose says whose it is where the lookup itself does not.
func (b *externals) lookedUp(in *resource.Resource, t *catalog.Bound, v value.Value, whose func() (*resource.Resource, value.Value)) *resource.Resource {
	var parent value.Value
	r := b.newUnnamed(in, t, v.Pos())
	s := &resource.Selector{Pos: v.Pos()}
	fine := true
	for _, e := range v.Expr().Args.Entries() {
		switch {
		case slices.Contains(t.ParentKeys(), e.Key):
			parent = reference(e.Value)
		case e.Key == keyID && e.Value.Kind() == value.String:
			r.External.ID = b.readID(t, e.Value, true)
			fine = fine && r.External.ID != ""
		default:
			c, ok := selectors{b.state}.fieldCondition(t, e)
			s.Conditions = append(s.Conditions, c)
			fine = fine && ok
		}
	}
	switch {
	case t.Shape == catalog.Singleton || !fine:
		return nil
	case r.External.ID != "" && len(s.Conditions) > 0:
		b.diags.Add(diag.ExtLookup, v.Pos(), "A lookup by id needs nothing beside it.", "keep the id alone.")
		return nil
	case r.External.ID == "" && len(s.Conditions) == 0:
		b.diags.Add(diag.ExtLookup, v.Pos(), "The lookup says whose the resource is, and not which.", "write !lookup {name: …} with it.")
		return nil
	case r.External.ID == "":
		r.External.Selector = s
	}
	r.ParentRef = parent
	if t.Parent != nil && parent.IsAbsent() {
		r.Parent, r.ParentRef = whose()
	}
	return b.share(r)
}

// byID makes the resource that stands for an id in another one: an id is an external, too, so
// that a sync does not delete what it names.
func (b *externals) byID(in *resource.Resource, t *catalog.Bound, id value.Value, whose func() (*resource.Resource, value.Value)) *resource.Resource {
	text, _ := id.Text()
	r := b.newUnnamed(in, t, id.Pos())
	r.External.ID = oneID(text)
	if same := b.declared(r); same != r && same.Ref != "" {
		return same
	}
	if t.Parent != nil {
		r.Parent, r.ParentRef = whose()
	}
	return b.share(r)
}

// noParent says nothing of whose a resource is.
func noParent() (*resource.Resource, value.Value) { return nil, value.Value{} }

// idReference turns an id in a reference field into a reference to a resource
// that stands for it. Where nothing says whose it is, it stays an id.
func (b *externals) idReference(r *resource.Resource, p value.Path, ref catalog.Reference, v value.Value) value.Value {
	t := b.cat.Kind(ref.Kind)
	if t == nil || r.External != nil {
		return v
	}
	whose := noParent
	if t.Parent != nil {
		parent, parentRef := b.beside(r, p, t)
		if parent == nil && parentRef.IsAbsent() {
			return v
		}
		whose = func() (*resource.Resource, value.Value) { return parent, parentRef }
	}
	found := b.byID(r, t, v, whose)
	return value.ExprAt(v.Pos(), value.Expression{Op: value.OpRef, Name: found.Ref, Field: keyID})
}

// unnamedRef is the ref of what stands for a lookup, but for its parent. An id
// says all there is to say.
func unnamedRef(r *resource.Resource) string {
	if r.External.ID != "" {
		return r.External.ID
	}
	return resource.LookupRef(catalog.Of(r).Kind, foundBy(r.External))
}

func (b *externals) newUnnamed(in *resource.Resource, t *catalog.Bound, pos value.Pos) *resource.Resource {
	return &resource.Resource{
		Type: t.Neutral(), Pos: pos, Written: map[string]bool{}, Fields: value.MapAt(pos),
		External: &resource.External{Pos: pos, Unnamed: true, Uses: []resource.Written{{In: in, Pos: pos}}},
		Dir:      b.doc.Dir, Base: b.doc.Base, Word: t.Kind, Number: len(b.set.Resources),
	}
}

// share keeps one of the resources that stand for the same lookup. An id below several
// parents is one below each: that of one at most is right.
func (b *externals) share(r *resource.Resource) *resource.Resource {
	r.Ref = unnamedRef(r)
	other := b.lookups[catalog.Of(r).Kind+" "+r.Ref]
	if whose := b.parentText(r); r.External.ID == "" || other != nil && whose != "" && whose != b.parentText(other) {
		r.Ref += whose
	}
	key := catalog.Of(r).Kind + " " + r.Ref
	r.Ref = resource.ShortRef(r.Ref)
	if other := b.lookups[key]; other != nil {
		other.External.Uses = append(other.External.Uses, r.External.Uses...)
		return other
	}
	b.lookups[key] = r
	b.set.Resources = append(b.set.Resources, r)
	return r
}

// parentText is whose an unnamed resource is, as a part of its ref.
func (b *externals) parentText(r *resource.Resource) string {
	name := ""
	switch e := r.ParentRef.Expr(); {
	case r.Parent != nil:
		name = b.nameYet(r.Parent)
	case e != nil && e.Op == value.OpRef:
		name = e.Name
	case e != nil && e.Op == value.OpLookup:
		name = "{" + argsText(e.Args) + "}"
	case r.ParentRef.Kind() == value.String:
		name, _ = r.ParentRef.Text()
	default:
		return ""
	}
	return fmt.Sprintf(",%s=%s", catalog.Of(r).Parent.Kind, name)
}

// nameYet is what tells a parent apart while not all have a ref.
func (b *externals) nameYet(r *resource.Resource) string {
	if own := shownRef(r); own != "" {
		return own
	}
	return fmt.Sprintf("#%d", r.Number)
}

func argsText(args *value.Value) string {
	var out []string
	for _, e := range args.Entries() {
		text := e.Value.Written()
		if x := e.Value.Expr(); x != nil {
			text = showVariable(x)
		}
		out = append(out, e.Key+"="+text)
	}
	return strings.Join(out, ",")
}

// foundBy is how an external is found, in one line.
func foundBy(e *resource.External) string {
	switch {
	case e.Selector != nil:
		return e.Selector.String()
	case e.Made != nil:
		return e.Made.Short
	default:
		return "id=" + e.ID
	}
}
