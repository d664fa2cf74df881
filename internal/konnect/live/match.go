package live

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// matcher finds resources among what was read, and who owns it. It reads nothing.
type matcher struct {
	q      *Query
	snap   *Snapshot
	stages *stages
	// asked is what reads for one external alone gave.
	asked map[*resource.Resource][]*resource.Object
	// wanted are the fields of externals that others take, but for their ids.
	wanted map[*resource.Resource][]string
	// beside are lists of what externals refer to, by scope.
	beside map[string][]*resource.Object
	// theirs are the externals that people declared, by type and id.
	theirs map[string][]*resource.Resource
	// known are the declared resources by what they are known by.
	known map[string]*resource.Resource
	// reported are the declared resources of which people know why none of what exists
	// is theirs.
	reported map[*resource.Resource]bool
	// index is of the stage that is matched: the next one may have read more.
	index index
	diags diag.List
}

func newMatcher(q *Query, snap *Snapshot, s *stages) *matcher {
	return &matcher{
		q: q, snap: snap, stages: s, asked: map[*resource.Resource][]*resource.Object{}, beside: map[string][]*resource.Object{},
		theirs: map[string][]*resource.Resource{}, known: map[string]*resource.Resource{}, reported: map[*resource.Resource]bool{},
	}
}

// match finds the declared resources of one stage among what was read, each
// after those that its identity may depend on.
func (m *matcher) match(stage int) []*resource.Resource {
	var matched []*resource.Resource
	m.index = newIndex(m.q, m.snap)
	for _, x := range m.q.Links.Sorted() {
		if x.External != nil || m.stages.of[x] != stage {
			continue
		}
		ancestors, ok := m.snap.Ancestors(x)
		if m.twice(x, ancestors) || !ok {
			continue
		}
		key := scopeKey(catalog.Of(x), ancestors)
		candidates, ok := m.variant(x, m.candidates(x, key), key)
		if !ok {
			continue // it was reported
		}
		if from, moved := m.q.Set.Moved(x); moved {
			candidates = m.former(x, from, candidates, key)
		}
		candidates, older := catalog.Latest(catalog.Of(x), candidates)
		for _, o := range older {
			m.snap.taken[o] = true
		}
		if catalog.Of(x).Parent == nil {
			candidates = m.owned(x, candidates)
		}
		switch len(candidates) {
		case 0:
		case 1:
			for _, o := range older {
				candidates[0].Older = append(candidates[0].Older, o.ID)
			}
			m.snap.objects[x] = candidates[0]
			m.snap.taken[candidates[0]] = true
			matched = append(matched, x)
			m.alsoExternal(x, candidates[0], ancestors)
		default:
			fix, command := m.apartFix(x, candidates)
			m.tell(x, diag.LiveAmbiguous, fmt.Sprintf("Konnect holds %d resources that could be the %s %q:\n%s", len(candidates), catalog.Words(catalog.Of(x).Kind), x.Ref, ids(x.Type, candidates)), fix, command)
			for _, o := range candidates {
				m.snap.taken[o] = true
			}
		}
	}
	return matched
}

// twice tells of two declarations that turn out to be one resource now that
// what they refer to is known.
func (m *matcher) twice(x *resource.Resource, ancestors []string) bool {
	want, known := resource.KnownIdentity(m.snap, m.q.Links, x)
	if !known || catalog.Of(x).Shape == catalog.Singleton {
		return false
	}
	for f, v := range want {
		want[f] = resource.Folded(x.Type, f, v)
	}
	key := scopeKey(catalog.Of(x), ancestors) + "\x00" + string(value.Canonical(want))
	if f := x.Type.Variant; f != "" {
		v, known := resource.FieldValue(m.snap, m.q.Links, x, value.ParsePath(f))
		if key += "\x00" + string(value.Canonical(v)); !known {
			key += x.Variant()
		}
	} else {
		key += "\x00" + x.Variant()
	}
	if ancestors == nil && x.Parent != nil { // it is not there yet
		key += "\x00" + x.Parent.Address()
	}
	if other := m.known[key]; other != nil {
		m.reported[x] = true
		m.diags = append(m.diags, resource.Twice(x, other))
		return true
	}
	m.known[key] = x
	return false
}

// alsoExternal tells of a managed resource that is declared as external, too.
func (m *matcher) alsoExternal(x *resource.Resource, o *resource.Object, ancestors []string) {
	for _, e := range m.theirs[catalog.Of(x).Kind+" "+o.ID] {
		if above, _ := m.snap.Ancestors(e); slices.Equal(above, ancestors) {
			m.diags = append(m.diags, language.BothWays(x, e))
		}
	}
}

func ids(t *resource.Type, objects []*resource.Object) string {
	var lines []string
	for i, o := range objects {
		if i == 10 {
			lines = append(lines, "…")
			break
		}
		lines = append(lines, t.Which(o))
	}
	return strings.Join(lines, "\n")
}

// candidates are the objects of a scope with the resource's identity.
func (m *matcher) candidates(x *resource.Resource, scope string) []*resource.Object {
	if catalog.Of(x).Shape == catalog.Singleton {
		return m.snap.scopes[scope]
	}
	want, known := resource.KnownIdentity(m.snap, m.q.Links, x)
	if !known {
		return nil
	}
	if found := m.identified(x, want, scope); len(found) > 0 {
		return found
	}
	return m.withOlder(x, want, scope)
}

// withOlder are the objects with the resource's identity that refer to an older
// version of what it refers to.
func (m *matcher) withOlder(x *resource.Resource, want map[string]any, scope string) []*resource.Object {
	for _, f := range catalog.Of(x).Identity {
		link, ok := m.q.Links.At(x, value.ParsePath(f))
		if !ok || link.Field != "id" || m.snap.objects[link.Target] == nil {
			continue
		}
		for _, id := range m.snap.objects[link.Target].Older {
			former := maps.Clone(want)
			former[f] = id
			if found := m.identified(x, former, scope); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// identified are the objects of a scope with an identity that may be those of a resource.
func (m *matcher) identified(x *resource.Resource, want map[string]any, scope string) []*resource.Object {
	return m.within(x, m.index.same(x.Type, scope, want))
}
