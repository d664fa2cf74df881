package build

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// freeGenerated lets a create that leaves a unique field to the target wait for
// the changes that free the value which the target may choose. Where those wait for
// the create themselves, the value is reported as taken, if it is known; no wait that
// was settled before gives way.
func freeGenerated(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	for _, t := range b.Types.All() {
		for _, f := range t.Unique {
			freeField(b, t, value.ParsePath(f))
		}
	}
}

func freeField(b *Draft, t *resource.Type, p value.Path) {
	var declared map[string]*resource.Resource
	for _, r := range b.Set.Of(t) {
		c := b.changes[r]
		if c == nil || c.Action != plan.Create || expected(b, r, p) != nil {
			continue
		}
		if declared == nil {
			declared = ownObjects(b, t)
		}
		fields := b.resolve(r).Plain
		for _, x := range b.objects.of(t) {
			v, _ := value.Get(x.Object.Fields, p)
			text, _ := v.(string)
			if text == "" || !t.Generates(p, text, fields) {
				continue
			}
			holder := declared[ObjectKey(t, x.Object.ID, x.Ancestors)]
			freed := frees(b, x, holder, p)
			switch {
			case freed == nil || freed == c:
			case !b.WaitsFor(freed, c):
				b.Need(c, freed)
			case t.UniqueText(p, text) == t.UniqueText(p, generated(b, r, p)):
				taken(b, r, p, "the "+holderName(b, x, holder), text)
			}
		}
	}
}

// ownObjects are the declared resources of a type by the objects that they are.
func ownObjects(b *Draft, t *resource.Type) map[string]*resource.Resource {
	out := map[string]*resource.Resource{}
	for _, r := range b.Set.Of(t) {
		if o := b.Snapshot.Object(r); o != nil && r.External == nil {
			out[ObjectKey(t, o.ID, b.KnownAncestors(r))] = r
		}
	}
	return out
}

// generated is the value that the target chooses for a field that a create leaves
// out, "" where it has one or where that is not known.
func generated(b *Draft, r *resource.Resource, p value.Path) string {
	if c := b.changes[r]; c == nil || c.Action != plan.Create || expected(b, r, p) != nil {
		return ""
	}
	return r.Type.Generated(p, b.resolve(r).Plain)
}
