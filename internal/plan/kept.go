package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
)

// Kept is something that a delete loses, as it was, without secrets: the resource
// itself with the fields that lists leave out, what belongs to it, what is deleted
// with it by cascade, and the order in which it had a place. The plan that undoes it
// restores it; executing a plan compares it with what exists where lists leave
// something out.
type Kept struct {
	Type string `json:"type"`
	Name string `json:"name"`
	// Of names what it belongs to, where that is not what the delete is about.
	Of        string         `json:"of,omitempty"`
	ID        string         `json:"id"`
	Namespace string         `json:"namespace,omitempty"`
	Ancestors []string       `json:"ancestors,omitempty"`
	State     map[string]any `json:"state,omitempty"`
	// Secrets are the fields of the secrets that it has or may have, and State lacks.
	Secrets []string `json:"secrets,omitempty"`
}

// own reports whether it is the resource that the change deletes.
func (k Kept) own(c *Change) bool {
	return PlaceKey(k.Type, k.Ancestors, k.ID) == PlaceKey(c.ResourceType, AncestorsOf(c), c.ResourceID)
}

// KeptItself is what a delete kept of its own resource; nil where it kept nothing.
func (c *Change) KeptItself() *Kept {
	for i := range c.Kept {
		if c.Kept[i].own(c) {
			return &c.Kept[i]
		}
	}
	return nil
}

// KeptOf is what was kept of the resource of an unfolded delete; nil where nothing was.
func (c *Change) KeptOf() *Kept {
	if c.With == nil {
		return c.KeptItself()
	}
	for i := range c.With.Kept {
		if c.With.Kept[i].own(c) {
			return &c.With.Kept[i]
		}
	}
	return nil
}

// Losses is what a delete kept of others and no other change is about: those are
// checked by themselves.
func (x Places) Losses(c *Change) []Kept {
	return slices.DeleteFunc(slices.Clone(c.Kept), func(k Kept) bool {
		place := PlaceKey(k.Type, k.Ancestors, k.ID)
		return k.own(c) || k.ID != "" && (x.deleted[place] || x.updated[place])
	})
}

// KeepsItself reports whether what a delete says of its resource is all of it, and
// not only what a list gives.
func (c *Change) KeepsItself() bool {
	return c.With != nil || c.KeptItself() != nil
}

// LostIDs lists what is deleted with a resource and is not restored. Plans that do
// not name it know the kinds and ids.
func (c *Change) LostIDs() []Kept {
	out := slices.Clone(c.Lost)
	if c.Expect == nil {
		return out
	}
	known := slices.Concat(c.Kept, c.Lost)
	for _, key := range slices.Sorted(maps.Keys(c.Expect.Along)) {
		kind, id := placeOf(key)
		if !slices.ContainsFunc(known, func(k Kept) bool { return k.Type == kind && k.ID == id }) {
			out = append(out, Kept{Type: kind, ID: id, Name: id})
		}
	}
	return out
}

// String names what was kept, or lost.
func (k Kept) String() string {
	s := resource.WithName(resource.Words(k.Type), k.Name)
	if k.Name != "" && k.Of != "" {
		s += " of " + k.Of
	}
	return s
}

// Few joins names, of many only the first.
func Few(names []string) string {
	out := strings.Join(names[:min(MaxNamed, len(names))], ", ")
	if more := len(names) - MaxNamed; more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}

// Unfolded is the plan as if it had deleted by itself, children first, all that
// went with what it deletes and that it kept. It is not a plan to carry out.
func (p *Plan) Unfolded(types *resource.Types) *Plan {
	out := *p
	out.Changes = nil
	var first []string
	for _, c := range p.Changes {
		if c.Action != Delete || len(c.Kept) == 0 {
			out.Changes = append(out.Changes, c)
			continue
		}
		parent := *c
		parent.DependsOn = slices.Clone(c.DependsOn)
		parts := slices.Clone(c.Kept)
		slices.SortStableFunc(parts, func(a, b Kept) int { return len(b.Ancestors) - len(a.Ancestors) })
		for i, k := range parts {
			t := types.Kind(k.Type)
			switch {
			case t == nil || t.ReadOnly:
			case k.own(c):
				parent.CurrentState = k.State
			default:
				part := k.change(t, c, fmt.Sprintf("%s+%d", c.ID, i+1))
				part.With = &parent
				first, parent.DependsOn = append(first, part.ID), append(parent.DependsOn, part.ID)
				out.Changes = append(out.Changes, part)
			}
		}
		out.Changes = append(out.Changes, &parent)
	}
	if len(first) > 0 {
		out.ExecutionOrder = slices.Concat(first, p.ExecutionOrder)
		out.ExecutionGroups = slices.Concat([][]string{first}, p.ExecutionGroups)
	}
	out.Index()
	return &out
}

// change is the delete of what was kept.
func (k Kept) change(t *resource.Type, with *Change, id string) *Change {
	out := &Change{
		ID: id, ResourceType: k.Type, ResourceRef: k.Name, ResourceName: k.Name, ResourceID: k.ID, Namespace: k.Namespace,
		Action: Delete, CurrentState: k.State, DependsOn: []string{}, Source: with.Source,
	}
	if n := len(k.Ancestors); n > 0 && t.Parent != nil {
		out.Parent = &ParentRef{Type: t.Parent.Kind, ID: k.Ancestors[n-1], Ancestors: k.Ancestors}
		if with.ResourceID == k.Ancestors[n-1] {
			out.Parent.Ref = with.ResourceRef
		}
		if with.Parent != nil && with.Parent.ID == k.Ancestors[n-1] {
			out.Parent.Ref = with.Parent.Ref
		}
		for _, above := range with.Kept {
			if above.ID == k.Ancestors[n-1] {
				out.Parent.Ref = above.Name
			}
		}
		for _, x := range with.Cascades {
			if x.Type == k.Type && x.ID == k.ID && len(x.Above) > 0 && slices.Equal(x.Ancestors(), k.Ancestors) {
				out.Parent.Ref = resource.ShortRef(x.Above[len(x.Above)-1].Name)
			}
		}
	}
	return out
}
