package live

import (
	"context"
	"slices"
	"sync"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
)

// newIDs looks for the ids that fields are about to get: an id is taken as it is, and
// Konnect would refuse one of nothing, or of something below another parent, in the
// middle of a run. A list that was read answers without a request. What cannot be read
// is left to Konnect to refuse.
func (r *reader) newIDs(ctx context.Context) error {
	asked := r.unconfirmed()
	found, errs := make([]*resource.Object, len(asked)), make([]error, len(asked))
	var group sync.WaitGroup
	remote.Reading(r.t, len(asked), 0)
	for i, x := range asked {
		ancestors, _ := r.snap.Ancestors(x)
		group.Go(func() {
			defer remote.Reading(r.t, 0, 1)
			found[i], errs[i] = r.t.Read(ctx, remote.Scope{Type: catalog.Of(x), Ancestors: ancestors}, x.External.ID)
		})
	}
	group.Wait()
	for i, x := range asked {
		above := slices.Index(asked, x.Parent) // where that is not there, it is the problem
		if found[i] == nil && (errs[i] == nil || resource.Missing(errs[i])) && (above < 0 || found[above] != nil) {
			r.matcher.noSuchID(x)
		}
	}
	return ctx.Err()
}

// unconfirmed are the externals whose id a field is about to get, and of which nothing
// that was read says that they exist.
func (r *reader) unconfirmed() []*resource.Resource {
	if r.q.CheckIDs != resource.CheckNewIDs || r.q.Brief || r.q.Lenient {
		return nil
	}
	var out []*resource.Resource
	seen := map[*resource.Resource]bool{}
	add := func(x *resource.Resource) {
		if !seen[x] && r.open(x) {
			out = append(out, x)
		}
		seen[x] = true
	}
	for _, user := range r.q.Set.Resources {
		if user.External != nil || r.q.leftOut(user) {
			continue
		}
		for _, link := range r.q.Links.From(user) {
			if hasID(link.Target) && r.gets(user, link) {
				add(link.Target)
			}
		}
		// A list over all parents says nothing of one that has none.
		if hasID(user.Parent) && r.snap.objects[user] == nil && catalog.Of(user).ListParent != "" {
			add(user.Parent)
		}
	}
	return out
}

// hasID reports whether a resource is one that others own and that is known by its id.
func hasID(x *resource.Resource) bool { return x != nil && x.External != nil && x.External.ID != "" }

// gets reports whether a field gets an id that it does not have.
func (r *reader) gets(user *resource.Resource, link resource.Edge) bool {
	ref, refers := user.Type.Reference(link.Path.Generic())
	if !refers || link.Field != "id" || catalog.Abroad(catalog.Of(user), link.Path.Generic()) {
		return false
	}
	o := r.snap.objects[user]
	return o == nil || !slices.Contains(user.Type.ReferredIDs(o, ref.Field), link.Target.External.ID)
}

// open reports whether nobody knows yet that an external with an id exists.
func (r *reader) open(x *resource.Resource) bool {
	t := catalog.Of(x)
	op := t.Read
	if op == nil {
		op = t.List
	}
	if _, read := r.matcher.asked[x]; read || r.snap.objects[x] == nil || r.snap.Failed(x) != nil || op == nil || op.Unpublished || r.matcher.comes(x) {
		return false
	}
	return !r.inList(x)
}

// inList reports whether a list that was read has what an external is known by, its id.
func (r *reader) inList(x *resource.Resource) bool {
	ancestors, _ := r.snap.Ancestors(x)
	return slices.ContainsFunc(r.snap.scopes[scopeKey(catalog.Of(x), ancestors)], func(o *resource.Object) bool { return o.ID == x.External.ID })
}

// maker is what another target's work on makes an external with an id, such as decK what
// a control plane has; nil where nothing does. LeftOut reports that this run leaves the
// work out.
func (m *matcher) maker(x *resource.Resource) (on *resource.Resource, leftOut bool) {
	if !hasID(x) || x.Parent == nil {
		return nil, false
	}
	for _, p := range m.q.Set.Of(x.Parent.Type) {
		if !p.MakesID(x.Type, x.External.ID) || !resource.Same(m.snap, p, x.Parent) {
			continue
		}
		if leftOut = m.q.AttachedLeftOut != nil && m.q.AttachedLeftOut(p); !leftOut {
			return p, false
		}
		on = p
	}
	return on, leftOut
}

// comes reports whether another target makes what has an id in the same run, and nothing
// but the id is needed of it.
func (m *matcher) comes(x *resource.Resource) bool {
	on, leftOut := m.maker(x)
	return on != nil && !leftOut && len(m.wanted[x]) == 0
}

// noSuchID tells of an id that nothing has below the parent that it must have.
func (m *matcher) noSuchID(x *resource.Resource) {
	target, other := m.elsewhere(x)
	if other == nil {
		m.gone(x, language.NoNewID)
		return
	}
	for _, use := range x.External.Uses {
		if m.needs(use.In) {
			m.diags = append(m.diags, resource.OtherParent(use.Pos, use.In, target, x.Parent, other))
		}
	}
}

// elsewhere finds what has the id of an unnamed external below another parent that is
// declared, and that parent; nil where nothing that was read has it.
func (m *matcher) elsewhere(x *resource.Resource) (target, other *resource.Resource) {
	if x.Parent == nil || !x.External.Unnamed {
		return nil, nil
	}
	for _, part := range m.snap.Objects(x.Type) {
		if part.Object.ID != x.External.ID {
			continue
		}
		for _, p := range m.q.Set.Of(x.Type.Parent) {
			if o := m.snap.objects[p]; o == nil || o.ID != part.Ancestors[len(part.Ancestors)-1] {
				continue
			}
			for _, r := range m.q.Set.ChildrenOf(p, x.Type) {
				if m.snap.objects[r] == part.Object {
					return r, p
				}
			}
			return &resource.Resource{Type: x.Type, Parent: p, External: x.External, Ref: x.External.ID, Explicit: true}, p
		}
	}
	return nil, nil
}
