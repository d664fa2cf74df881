package build

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
)

// findBroken finds the resources that nothing can be said of, because what is
// live could not be read: they get no change, and the plan tells of it.
func findBroken(b *Draft) {
	for _, f := range failures(b) {
		if withheld(b, f) {
			b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{
				ResourceType: f.Kind, Message: fmt.Sprintf("no %s is read and none is deleted: %v", resource.Words(f.Kind), f.Err),
			})
			continue
		}
		if usersWithheld(b, f) {
			b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{
				ResourceType: f.Kind,
				Message:      fmt.Sprintf("%s, which may use what this plan deletes, could not be read: %v", resource.Words(b.Types.Kind(f.Kind).Root), f.Err),
			})
			continue
		}
		b.Plan.Errors = append(b.Plan.Errors, plan.Problem{ResourceType: f.Kind, Message: f.Err.Error()})
	}
	for _, r := range b.Links.Sorted() {
		err := brokenBy(b, r)
		if err == nil {
			continue
		}
		b.broken[r] = err
		b.Plan.Errors = append(b.Plan.Errors, plan.Problem{ResourceType: r.Type.Kind, ResourceRef: r.Ref, Message: err.Error()})
	}
}

// withheld reports whether the service keeps a type from this token, or does not have
// it, and the configuration says nothing of that type: there is nothing to plan, only
// something that a sync might have deleted.
func withheld(b *Draft, f resource.Failure) bool {
	t := b.Types.Kind(f.Kind)
	return t != nil && t.Parent == nil && resource.Withheld(f.Err) && len(b.Set.Of(t)) == 0 && !b.Set.MentionsType(t.Kind)
}

func brokenBy(b *Draft, r *resource.Resource) error {
	if err := b.Snapshot.Failed(r); err != nil {
		return err
	}
	if e := r.External; e != nil && e.Made != nil && b.Snapshot.Object(r) == nil {
		if j := b.AttachedTo(r.Parent); j != nil && workOf(b, j).err != nil {
			return fmt.Errorf("is created by %s, whose changes could not be planned", j.Type.Tool)
		}
	}
	for _, above := range []*resource.Resource{r.Parent, r.Above} {
		if above != nil && b.broken[above] != nil {
			return fmt.Errorf("belongs to %s, which could not be read", resource.WithName(above.Type.Words, above.Ref))
		}
	}
	for _, link := range b.Links.From(r) {
		if b.broken[link.Target] != nil {
			return fmt.Errorf("refers to %s, which could not be read", resource.WithName(link.Target.Type.Words, link.Target.Ref))
		}
	}
	for _, u := range r.Named {
		if !u.Open && b.broken[u.Target] != nil {
			return fmt.Errorf("refers to %s, which could not be read", resource.WithName(u.Target.Type.Words, u.Target.Ref))
		}
	}
	return nil
}
