package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/value"
)

// liveRef is what a plan calls an object that nothing declares.
func liveRef(b *Draft, t *resource.Type, o *resource.Object, ancestors []string) string {
	return b.names.Ref(resource.Part{Type: t, Ancestors: ancestors, Object: o})
}

// described names an object in a sentence, as people call it: by what its ids stand for
// where it has no name of its own, and what exists once by what it belongs to.
func described(b *Draft, t *resource.Type, o *resource.Object, ancestors []string) string {
	if t.Single && t.Parent != nil {
		if len(ancestors) == 0 {
			ancestors = b.names.Ancestors(o)
		}
		if len(ancestors) > 0 {
			return fmt.Sprintf("%s of %q", t.Words, resource.ShownRef(called(b, t.Parent.Kind, ancestors[len(ancestors)-1]), ""))
		}
	}
	if t.Single || t.Name(o) != o.ID {
		return t.Describe(o)
	}
	return resource.WithName(t.Words, liveRef(b, t, o, ancestors))
}

// Names calls objects as plans do, with all of their identity, which tells siblings
// apart. What there is once has its own name.
func Names(in Input) func(resource.Part) string {
	b := newDraft(in)
	return func(x resource.Part) string {
		if x.Type.Single {
			return resource.ShortRef(x.Type.Name(x.Object))
		}
		return x.NameWith(func(kind, id string) string { return called(b, kind, id) })
	}
}

// userName is what a plan calls what refers to something that it deletes: the id of
// that is shown by its name.
func userName(b *Draft, u used) string {
	id := u.object.Object.ID
	deleted := func() string { return liveRef(b, u.object.Type, u.object.Object, u.object.Ancestors) }
	name := u.user.NameWith(func(kind, of string) string {
		if of == id && kind == u.object.Type.Kind {
			return deleted()
		}
		return b.names.Behind(kind, of)
	})
	if name == id {
		return deleted()
	}
	return name
}

// nameParent names what the resource of a delete belongs to, where what was read says
// so.
func nameParent(b *Draft, c *plan.Change) {
	if c.Parent == nil {
		return
	}
	if name := called(b, c.Parent.Type, c.Parent.ID); name != c.Parent.ID {
		c.Parent.Ref = name
	}
}

// lookUpParents says by what name the parents of deletes can be found: that of what is
// declared, else of what was read.
func lookUpParents(b *Draft) {
	names := map[string]map[string]string{} // by kind and id
	for _, c := range b.Plan.Changes {
		if c.Parent == nil || c.Parent.Lookup != nil {
			continue
		}
		kind := c.Parent.Type
		if names[kind] == nil {
			names[kind] = namesOf(b, kind)
		}
		c.Parent.Lookup = plan.Named(names[kind][c.Parent.ID])
	}
}

// namesOf are the names of what exists of a kind, by id.
func namesOf(b *Draft, kind string) map[string]string {
	out := map[string]string{}
	t := b.Types.Kind(kind)
	if t == nil {
		return out
	}
	for _, x := range b.objects.of(t) {
		out[x.Object.ID] = t.Name(x.Object)
	}
	for _, r := range b.Set.Resources {
		if o := b.Snapshot.Object(r); o != nil && r.Type == t && r.Name != "" {
			out[o.ID] = r.Name
		}
	}
	return out
}

// called is what stands behind an id, also where nothing declares it and it belongs to
// another resource: its ref or name, or the id itself.
func called(b *Draft, kind, id string) string {
	if name := b.names.Behind(kind, id); name != id {
		return name
	}
	t := b.Types.Kind(kind)
	if t == nil {
		return id
	}
	for _, x := range b.objects.withID(t, id) {
		return liveRef(b, t, x.Object, x.Ancestors)
	}
	return id
}

// formerNames are the names, by id, of what changed fields referred to and nothing
// declares, as far as it was read; with the namespace where that is another one.
func formerNames(b *Draft) map[string]string {
	wanted := map[*resource.Type]map[string]string{} // the namespace of who referred to it, by id
	for _, c := range b.Plan.Changes {
		t := b.Types.Kind(c.ResourceType)
		if t == nil || c.Action != plan.Update {
			continue
		}
		for _, ref := range t.References {
			to, at := b.Types.Kind(ref.Kind), value.ParsePath(ref.Field)
			if to == nil || !slices.ContainsFunc(c.FieldChanges, func(x plan.FieldChange) bool { return value.ParsePath(x.Field)[0] == at[0] }) {
				continue
			}
			if wanted[to] == nil {
				wanted[to] = map[string]string{}
			}
			for _, id := range value.TextsAt(c.CurrentState, at) {
				wanted[to][id] = c.Namespace
			}
		}
	}
	out := map[string]string{}
	if len(wanted) == 0 {
		return out
	}
	declared := map[string]bool{}
	for _, r := range b.Set.Resources {
		if o := b.Snapshot.Object(r); o != nil {
			declared[o.ID] = true
		}
	}
	for to, ids := range wanted {
		for _, x := range b.objects.of(to) {
			namespace, meant := ids[x.Object.ID]
			name := to.Name(x.Object)
			if !meant || declared[x.Object.ID] || name == x.Object.ID {
				continue
			}
			if ns := x.Object.Owner.Namespace; ns != "" && ns != namespace {
				name += ", namespace " + ns
			}
			out[x.Object.ID] = name
		}
	}
	return out
}
