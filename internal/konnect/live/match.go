package live

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/language"
	"kongctl/internal/resource"
	"kongctl/internal/value"
)

// match finds the declared resources of one stage among what was read, each
// after those that its identity may depend on.
func (r *reader) match(stage int) []*resource.Resource {
	var matched []*resource.Resource
	for _, x := range r.q.Links.Sorted() {
		if x.External != nil || r.stages.of[x] != stage {
			continue
		}
		ancestors, ok := r.snap.Ancestors(x)
		if r.twice(x, ancestors) || !ok {
			continue
		}
		objects := r.snap.scopes[scopeKey(catalog.Of(x), ancestors)]
		candidates := r.candidates(x, objects)
		if from, moved := r.q.Set.Moved(x); moved {
			candidates = r.former(x, from, candidates, objects)
		}
		if catalog.Of(x).Parent == nil {
			candidates = r.owned(x, candidates)
		}
		switch len(candidates) {
		case 0:
		case 1:
			r.snap.objects[x] = candidates[0]
			r.snap.taken[candidates[0]] = true
			matched = append(matched, x)
			r.alsoExternal(x, candidates[0], ancestors)
		default:
			r.tell(x, diag.LiveAmbiguous, fmt.Sprintf("Konnect holds %d resources that could be the %s %q:\n%s", len(candidates), catalog.Words(catalog.Of(x).Kind), x.Ref, ids(candidates)), "delete or rename all but one of them in Konnect.")
			for _, o := range candidates {
				r.snap.taken[o] = true
			}
		}
	}
	return matched
}

// twice tells of two declarations that turn out to be one resource now that
// what they refer to is known.
func (r *reader) twice(x *resource.Resource, ancestors []string) bool {
	want, known := r.snap.identity(x, r.q.Links)
	if !known || catalog.Of(x).Shape == catalog.Singleton {
		return false
	}
	key := scopeKey(catalog.Of(x), ancestors) + "\x00" + string(value.Canonical(want))
	if ancestors == nil && x.Parent != nil { // it is not there yet
		key += "\x00" + x.Parent.Address()
	}
	if other := r.known[key]; other != nil {
		r.diags = append(r.diags, resource.Twice(x, other))
		return true
	}
	r.known[key] = x
	return false
}

// alsoExternal tells of a managed resource that is declared as external, too.
func (r *reader) alsoExternal(x *resource.Resource, o *resource.Object, ancestors []string) {
	for _, e := range r.theirs[catalog.Of(x).Kind+" "+o.ID] {
		if above, _ := r.snap.Ancestors(e); slices.Equal(above, ancestors) {
			r.diags = append(r.diags, language.BothWays(x, e))
		}
	}
}

func ids(objects []*resource.Object) string {
	var lines []string
	for i, o := range objects {
		if i == 10 {
			lines = append(lines, "…")
			break
		}
		lines = append(lines, "id "+o.ID)
	}
	return strings.Join(lines, "\n")
}

// candidates are the objects with the resource's identity.
func (r *reader) candidates(x *resource.Resource, objects []*resource.Object) []*resource.Object {
	if catalog.Of(x).Shape == catalog.Singleton {
		return objects
	}
	want, known := r.snap.identity(x, r.q.Links)
	if !known {
		return nil
	}
	return identified(catalog.Of(x), want, objects)
}

func identified(t *catalog.Bound, want map[string]any, objects []*resource.Object) []*resource.Object {
	var out []*resource.Object
	for _, o := range objects {
		if SameIdentity(t, want, o) {
			out = append(out, o)
		}
	}
	return out
}

// Knows tells that what a resource is known by can be told now.
func (s *Snapshot) Knows(x *resource.Resource, links *resource.Links) bool {
	_, known := s.identity(x, links)
	return known
}

// identity is the resource's identity as plain values. It is not known while
// it depends on something that does not exist yet.
func (s *Snapshot) identity(x *resource.Resource, links *resource.Links) (map[string]any, bool) {
	out := map[string]any{}
	for _, f := range catalog.Of(x).Identity {
		v, known := s.Field(x, links, value.ParsePath(f))
		if !known {
			return nil, false
		}
		out[f] = v
	}
	if catalog.Of(x).Tree == nil {
		return out, true
	}
	var above any
	if x.Above != nil {
		o := s.objects[x.Above]
		if o == nil {
			return nil, false
		}
		above = o.ID
	} else if v := x.Fields.Field(catalog.Of(x).Tree.Parent); !v.IsAbsent() {
		known := false
		if above, known = s.Field(x, links, value.Path{catalog.Of(x).Tree.Parent}); !known {
			return nil, false
		}
	}
	out[catalog.Of(x).Tree.Parent] = above
	return out, true
}

// SameIdentity tells whether an object has the identity; fields that are not
// wanted must not be there.
func SameIdentity(t *catalog.Bound, want map[string]any, o *resource.Object) bool {
	fields := slices.Clone(t.Identity)
	if t.Tree != nil {
		fields = append(fields, t.Tree.Parent)
	}
	for _, f := range fields {
		got, _ := value.Get(o.Fields, value.ParsePath(f))
		if !SameText(want[f], got) {
			return false
		}
	}
	return true
}

// SameText compares values; texts such as certificates may lose or gain a line
// end on the way.
func SameText(a, b any) bool { return value.Equal(trimmed(a), trimmed(b)) }

func trimmed(x any) any {
	if s, ok := x.(string); ok {
		return strings.TrimSpace(s)
	}
	return x
}

// Field is the value that a resource declares for a field, where it can be
// known now.
func (s *Snapshot) Field(x *resource.Resource, links *resource.Links, p value.Path) (any, bool) {
	v := x.Fields.Lookup(p)
	e := v.Expr()
	switch {
	case e == nil:
		known := true
		plain := v.Plain(func(value.Path, *value.Expression) any { known = false; return nil })
		return plain, known
	case e.Op == value.OpRef:
		link, ok := links.At(x, p)
		if !ok {
			return nil, false
		}
		return s.Target(link, links)
	default:
		return nil, false
	}
}

// Target is the value that a reference leads to, where it can be known now.
func (s *Snapshot) Target(e resource.Edge, links *resource.Links) (any, bool) {
	o := s.objects[e.Target]
	if e.Field == "id" {
		if o == nil {
			return nil, false
		}
		return o.ID, true
	}
	p := value.ParsePath(e.Field)
	if !e.Target.Fields.Lookup(p).IsAbsent() {
		return s.Field(e.Target, links, p)
	}
	if o == nil {
		return DeckName(e)
	}
	return value.Get(o.Fields, catalog.Of(e.Target).FieldPath(p))
}

// DeckName is the name of something that decK makes, which the configuration
// says before it exists.
func DeckName(e resource.Edge) (any, bool) {
	x, t := e.Target.External, catalog.Of(e.Target)
	if x == nil || x.Deck == nil || len(t.Identity) != 1 || e.Field != t.Identity[0] {
		return nil, false
	}
	return x.Deck.Service, true
}
