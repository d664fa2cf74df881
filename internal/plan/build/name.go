package build

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/value"
)

// existingName is the name of a declared resource that exists: the live one where the
// configuration takes it from another resource.
func existingName(r *resource.Resource, o *resource.Object) string {
	for _, f := range r.Type.NameFields() {
		if r.Fields.Lookup(value.ParsePath(f)).Kind() == value.Expr && len(r.Type.Identity) == 1 {
			if name := r.Type.Name(o); name != o.ID {
				return name
			}
		}
	}
	return r.Name
}

// currentName is the name of a declared resource before this plan is carried
// out: the old one where it is renamed.
func currentName(b *Draft, r *resource.Resource, o *resource.Object) string {
	if _, moved := b.Set.Moved(r); moved {
		return r.Type.Name(o)
	}
	return existingName(r, o)
}

// liveRef is what a plan calls an object that nothing declares.
func liveRef(b *Draft, t *resource.Type, o *resource.Object, ancestors []string) string {
	if o.Ref != "" {
		return o.Ref
	}
	return liveName(b, t, o, ancestors)
}

// described names an object in a sentence, as people call it: by what its ids stand for
// where it has no name of its own.
func described(b *Draft, t *resource.Type, o *resource.Object, ancestors []string) string {
	if t.Single || t.Name(o) != o.ID {
		return t.Describe(o)
	}
	return resource.WithName(t.Words, liveRef(b, t, o, ancestors))
}

// liveName tells an object apart for whoever approves its deletion: all of its
// identity, ids by the names they stand for, and of what there is once its
// parent's name.
func liveName(b *Draft, t *resource.Type, o *resource.Object, ancestors []string) string {
	return nameWith(t, o, ancestors, func(kind, id string) string { return nameBehind(b, kind, id) })
}

// Names calls objects as plans do, with all of their identity, which tells siblings
// apart. What there is once has its own name.
func Names(in Input) func(resource.Part) string {
	b := newDraft(in)
	return func(x resource.Part) string {
		if x.Type.Single {
			return resource.ShortRef(x.Type.Name(x.Object))
		}
		return nameWith(x.Type, x.Object, x.Ancestors, func(kind, id string) string { return called(b, kind, id) })
	}
}

// userName is what a plan calls what refers to something that it deletes: the id of
// that is shown by its name.
func userName(b *Draft, u used) string {
	id := u.object.Object.ID
	deleted := func() string { return liveRef(b, u.object.Type, u.object.Object, u.object.Ancestors) }
	name := nameWith(u.user.Type, u.user.Object, u.user.Ancestors, func(kind, of string) string {
		if of == id && kind == u.object.Type.Kind {
			return deleted()
		}
		return nameBehind(b, kind, of)
	})
	if name == id {
		return deleted()
	}
	return name
}

// nameWith is the name of an object, with what stands behind ids.
func nameWith(t *resource.Type, o *resource.Object, ancestors []string, behind func(kind, id string) string) string {
	if t.Single && len(ancestors) > 0 {
		return resource.ShortRef(resource.ShownRef(behind(t.Parent.Kind, ancestors[len(ancestors)-1]), "") + "-" + strings.ReplaceAll(t.Key, "_", "-"))
	}
	if len(t.Identity) == 1 && t.KeyField == "" || len(t.Shows) > 0 {
		return t.Name(o)
	}
	var parts []string
	for _, f := range t.Identity {
		p := value.ParsePath(f)
		v, _ := value.Get(o.Fields, p)
		s, ok := v.(string)
		if !ok || s == "" {
			continue
		}
		if r, isRef := t.Reference(p.Generic()); isRef {
			s = resource.ShownRef(behind(r.Kind, s), "")
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return t.Name(o)
	}
	return resource.ShortRef(strings.Join(parts, "-"))
}

// nameBehind is what stands behind an id: the ref of a declared resource, of the kind
// that is meant if there is one (a publication has the id of its portal), the name of
// another root, or the id itself.
func nameBehind(b *Draft, kind, id string) string {
	var found string
	for _, r := range b.Set.Resources {
		o := b.Snapshot.Object(r)
		switch {
		case o == nil || o.ID != id:
		case r.Type.Kind == kind:
			return r.Ref
		case found == "":
			found = r.Ref
		}
	}
	if found != "" {
		return found
	}
	for _, t := range b.Types.All() {
		if t.Parent != nil {
			continue
		}
		others, _ := b.Snapshot.Undeclared(t, nil)
		for _, o := range others {
			if o.ID == id {
				return t.Name(o)
			}
		}
	}
	return id
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
	if name := nameBehind(b, kind, id); name != id {
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
