package language

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// idsAbove turns the ids that are left in reference fields into references where
// something further up says whose they are: a policy of a virtual cluster has a schema
// registry of the event gateway. What flat resources lie below is known by now.
func (b *externals) idsAbove() {
	for _, r := range slices.Clone(b.set.Resources) {
		t := catalog.Of(r)
		if r.External != nil || len(t.References) == 0 {
			continue
		}
		r.Fields = r.Fields.Map(func(p value.Path, v value.Value) value.Value {
			ref, ok := referenceAt(t, p, v)
			text, isText := v.Text()
			if !ok || !isText || !idPattern.MatchString(text) || text == ref.All {
				return v
			}
			to := b.cat.Kind(ref.Kind)
			if to == nil || to.Parent == nil {
				return v
			}
			above := r.Ancestor(to.Parent.Neutral())
			if above == nil {
				return v
			}
			found := b.byID(r, to, v, func() (*resource.Resource, value.Value) { return above, value.Value{} })
			name(found)
			return value.ExprAt(v.Pos(), value.Expression{Op: value.OpRef, Name: found.Ref, Field: keyID})
		})
	}
}
