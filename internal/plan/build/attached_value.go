package build

import (
	"bytes"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// afterAttached follows a reference to the field of something that an attachment
// changes in this run, also through fields that take theirs from there. Others are returned
// as they are.
func afterAttached(b *Draft, link resource.Edge) (resource.Edge, *plan.Part) {
	for next := link; ; {
		if c := attachedUpdates(b, next.Target, next.Field); c != nil {
			return resource.Edge{Path: link.Path, Target: next.Target, Field: next.Field}, c
		}
		further, ok := b.Links.At(next.Target, value.ParsePath(next.Field))
		if !ok || next.Field == "id" {
			return link, nil
		}
		next = further
	}
}

// attachedUpdates is the part that changes a field of an entity; nil where
// the field stays as it is.
func attachedUpdates(b *Draft, s *resource.Resource, field string) *plan.Part {
	j := attachedAt(b, s)
	o := b.object(s)
	if j == nil || o == nil {
		return nil
	}
	for _, i := range workOf(b, j).updates[o.ID] {
		if j.Parts[i].Touches(value.ParsePath(field)) {
			return &j.Parts[i]
		}
	}
	return nil
}

// attachedAt is what is attached to the parent of an external entity, whichever
// entry of the configuration it belongs to; nil where nothing is.
func attachedAt(b *Draft, s *resource.Resource) *Attachment {
	if s.External == nil || !s.Type.ReadOnly || s.Parent == nil {
		return nil
	}
	for _, j := range b.attachments.at[resource.Identify(b.Snapshot, s.Parent)] {
		if cp := j.On; !b.replaced[cp] && b.broken[cp] == nil && b.pending[cp] == nil && !b.selection.AttachedLeftOut(cp) {
			return j
		}
	}
	return nil
}

// attachedChange is the change that is attached to a resource. It may be asked for
// before it is planned: entries that are the same resource come in any order.
func attachedChange(b *Draft, cp *resource.Resource) *plan.Change {
	if b.coming[cp] == nil {
		b.coming[cp] = &plan.Change{}
	}
	return b.coming[cp]
}

// await notes that a field of an entity is taken after the attached change, and what it will
// be where that may be shown.
func await(b *Draft, link resource.Edge, c *plan.Part) *plan.Change {
	values := b.awaited[link.Target]
	if values == nil {
		values = map[string]any{}
		b.awaited[link.Target] = values
	}
	if x, ok := c.After(value.ParsePath(link.Field)); ok && !bytes.Contains(value.Canonical(x), []byte(plan.Hidden)) {
		values[link.Field] = x
	}
	return attachedChange(b, attachedAt(b, link.Target).On)
}

// expected is the value that a field has after this plan, also where it is taken
// after the attached change, whose parts say what it will be; else it is Unknown.
func expected(b *Draft, r *resource.Resource, p value.Path) any {
	desired := b.resolve(r)
	v, _ := value.Get(desired.Plain, p)
	if _, unknown := v.(value.Unknown); !unknown {
		return v
	}
	for _, l := range desired.Links {
		if x, known := b.awaited[l.Target][l.Field]; known && pendingOn(b, l.ID) && l.Path.String() == p.String() {
			return r.Type.AsText(p, x)
		}
	}
	return v
}

// listAwaited adds the entities whose values are taken after attached changes to what the
// plan depends on.
func listAwaited(b *Draft) {
	type made struct {
		ref string
		by  *plan.Change
	}
	listed := map[made]int{}
	for i, d := range slices.Backward(b.Plan.Dependencies) {
		listed[made{d.Ref, d.Made}] = i
	}
	for _, s := range b.Links.Sorted() {
		values, ok := b.awaited[s]
		if !ok {
			continue
		}
		j := attachedAt(b, s)
		c := attachedChange(b, j.On)
		if i, ok := listed[made{s.Ref, c}]; ok {
			b.Plan.Dependencies[i].Values = values
			continue
		}
		listed[made{s.Ref, c}] = len(b.Plan.Dependencies)
		b.Plan.Dependencies = append(b.Plan.Dependencies, plan.Dependency{
			Ref: s.Ref, ParentID: b.Snapshot.Object(s.Parent).ID, ParentName: attachedName(b, j.On),
			ResourceType: s.Type.Kind, ResourceID: b.Snapshot.Object(s).ID, Values: values, Made: c,
		})
	}
}

// pendingOn reports whether a text stands for an id that an attached change makes
// known.
func pendingOn(b *Draft, id string) bool {
	return slices.ContainsFunc(b.Attached, func(j *Attachment) bool { return j.Type.Unknown == id })
}
