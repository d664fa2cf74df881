package drive

import (
	"context"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// createdAt is the field that tells two resources with one path apart.
const createdAt = "created_at"

// sameOne reports whether an object is the one that a plan saw, and whether that is known.
// Konnect never gives an id twice; what has no id of Konnect's may have been made again in
// the same place.
func sameOne(t *catalog.Bound, c *plan.Change, o *resource.Object) (same, known bool) {
	if o.ID != c.ResourceID {
		return false, true
	}
	if catalog.MakesIDs(t) && o.ID != "" {
		return true, true
	}
	was, is := c.CurrentState[createdAt], o.Fields[createdAt]
	return value.Equal(was, is), was != nil && is != nil
}

// secondHalf is the create of what takes the place of what a change deletes; nil where
// nothing does.
func secondHalf(p *plan.Plan, c *plan.Change) *plan.Change {
	if c.Action != plan.Delete || !c.Replace {
		return nil
	}
	for _, next := range p.Changes {
		if next.Action == plan.Create && next.Replace && next.ResourceType == c.ResourceType && next.ResourceRef == c.ResourceRef {
			return next
		}
	}
	return nil
}

// madeAgain reports whether the second half of a replace is done, so that what exists is
// the new resource: it has what the plan makes of it and no more. What a change deletes is
// not, while it is there: by its id, or because nothing else tells the two apart.
func (k *checker) madeAgain(ctx context.Context, c *plan.Change, s remote.Scope, o *resource.Object) (bool, error) {
	next := secondHalf(k.d.plan, c)
	if o == nil || next == nil || k.early(c) {
		return false, nil
	}
	same, known := sameOne(s.Type, c, o)
	other := known && !same
	if !other && (catalog.MakesIDs(s.Type) && o.ID != "" || len(next.SecretWrites) > 0) {
		return false, nil
	}
	call := k.d.calls[next.ID]
	if lacks(call) {
		return call.Before.Succeeded(), nil
	}
	_, w, err := k.d.filled(call)
	if err != nil {
		return false, nil //nolint:nilerr // it refers to what is not made yet, so it cannot be there
	}
	d, err := present{k, call, s, o}.unlike(ctx)
	return err == nil && fulfilled(s.Type, d, w.Fields, o) && (other || len(d.Unseen) == 0), err
}
