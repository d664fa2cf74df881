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
	want, known := resource.KnownIdentity(r.snap, r.q.Links, x)
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
	want, known := resource.KnownIdentity(r.snap, r.q.Links, x)
	if !known {
		return nil
	}
	return identified(catalog.Of(x), want, objects)
}

func identified(t *catalog.Bound, want map[string]any, objects []*resource.Object) []*resource.Object {
	var out []*resource.Object
	for _, o := range objects {
		if resource.SameIdentity(t.Neutral(), want, o) {
			out = append(out, o)
		}
	}
	return out
}
