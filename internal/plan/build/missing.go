package build

import (
	"fmt"

	"kongctl/internal/diag"
	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// checkMissing reports references to fields that what they lead to does not have,
// where no change of the plan could give it one.
func checkMissing(b *Draft) {
	for _, r := range b.Links.Sorted() {
		c := b.changes[r]
		if c == nil || c.Action == plan.Delete {
			continue
		}
		for _, link := range b.Links.From(r) {
			ref, ok := c.References[link.Path.String()]
			if !ok || ref.ID != plan.UnknownID || ref.Made != nil || ref.Field == "" || b.object(link.Target) == nil {
				continue
			}
			if _, has := link.Target.Type.Field(b.object(link.Target), value.ParsePath(link.Field)); has {
				continue
			}
			b.diags.Add(diag.RefValue, r.Fields.Nearest(link.Path), fmt.Sprintf("The %s takes %s from %s of the %s, which has no value.", r.Describe(), link.Path, link.Field, source(link)),
				"refer to another field, or write the value itself.")
		}
	}
}
