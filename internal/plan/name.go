package plan

import (
	"strings"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/value"
)

// objectName is what people would call a live object.
func objectName(t *catalog.Bound, o *resource.Object) string {
	for _, f := range append(t.Facts().Titles(), t.Identity...) {
		v, _ := value.Get(o.Fields, value.ParsePath(f))
		if s, ok := v.(string); ok && s != "" && len(s) <= resource.MaxName {
			return s
		}
	}
	if o.ID != "" {
		return o.ID
	}
	return t.Key
}

// existingName is the name of a declared resource that exists: the live one where the
// configuration takes it from another resource.
func existingName(r *resource.Resource, o *resource.Object) string {
	for _, f := range r.Type.Facts().NameFields() {
		if r.Fields.Lookup(value.ParsePath(f)).Kind() == value.Expr && len(catalog.Of(r).Identity) == 1 {
			if name := objectName(catalog.Of(r), o); name != o.ID {
				return name
			}
		}
	}
	return r.Name
}

// currentName is the name of a declared resource before this plan is carried
// out: the old one where it is renamed.
func (b *builder) currentName(r *resource.Resource, o *resource.Object) string {
	if _, moved := b.Set.Moved(r); moved {
		return objectName(catalog.Of(r), o)
	}
	return existingName(r, o)
}

// liveName tells an object apart for whoever approves its deletion: all of its
// identity, ids by the names they stand for, and of what there is once its
// parent's name.
func (b *builder) liveName(t *catalog.Bound, o *resource.Object, ancestors []string) string {
	if t.Shape == catalog.Singleton && len(ancestors) > 0 {
		return b.called(ancestors[len(ancestors)-1]) + "-" + strings.ReplaceAll(t.Key, "_", "-")
	}
	if len(t.Identity) == 1 && t.Shape != catalog.Map {
		return objectName(t, o)
	}
	var parts []string
	for _, f := range t.Identity {
		p := value.ParsePath(f)
		v, _ := value.Get(o.Fields, p)
		s, ok := v.(string)
		if !ok || s == "" {
			continue
		}
		if _, isRef := t.Reference(p.Generic()); isRef {
			s = b.called(s)
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return objectName(t, o)
	}
	return strings.Join(parts, "-")
}

// called is what stands behind an id: the ref of a declared resource, the name
// of another root, or the id itself.
func (b *builder) called(id string) string {
	for _, r := range b.Set.Resources {
		if o := b.Snapshot.Object(r); o != nil && o.ID == id {
			return r.Ref
		}
	}
	for _, t := range b.Catalog.All() {
		if t.Parent != nil {
			continue
		}
		others, _ := b.Snapshot.Undeclared(t, nil)
		for _, o := range others {
			if o.ID == id {
				return objectName(t, o)
			}
		}
	}
	return id
}
