package build

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// tellFormer names what a new root may be taken to replace and does not: of a type
// that carries no mark of ownership, one that differs in a single field of the
// identity. Nothing tells whether a configuration once declared it, so it stays.
func tellFormer(b *Draft) {
	lists := map[*resource.Type]*resource.Identities{}
	for _, r := range b.Links.Sorted() {
		t := r.Type
		if b.Making[r] == nil || b.replaced[r] || t.Parent != nil || t.Owned || len(t.Identity) < 2 {
			continue
		}
		if lists[t] == nil {
			objects, _ := b.Snapshot.Undeclared(t, nil)
			lists[t] = resource.NewIdentities(t, byName(t, objects))
		}
		want, known := resource.KnownIdentity(b.Snapshot, b.Links, r)
		if !known {
			continue
		}
		for _, o := range lists[t].Nearly(want) {
			if field := resource.OnlyDifference(t, want, o); !o.System && o.Lacks == "" {
				b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{ResourceType: t.Kind, ResourceRef: r.Ref, Message: fmt.Sprintf(
					"does not replace the %s, which differs in %s alone and stays: resources of this type carry no mark of ownership. If it is no longer wanted, delete it in Konnect.", which(b, t, o, field), field)})
			}
		}
	}
}

// which tells an object apart from others that have most of its identity.
func which(b *Draft, t *resource.Type, o *resource.Object, field string) string {
	const longest = 80
	var parts []string
	if o.ID != "" {
		parts = append(parts, fmt.Sprintf("id %q", o.ID))
	}
	p := value.ParsePath(field)
	v, _ := value.Get(o.Fields, p)
	if id, ok := v.(string); ok {
		if r, isRef := t.Reference(p.Generic()); isRef {
			v = b.names.Behind(r.Kind, id)
		}
	}
	if text, err := json.Marshal(v); err == nil && v != nil && len(text) <= longest {
		parts = append(parts, fmt.Sprintf("%s %s", field, text))
	}
	if len(parts) == 0 {
		return t.Describe(o)
	}
	return t.Words + " with " + strings.Join(parts, " and ")
}
