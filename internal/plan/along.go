package plan

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
)

// Without leaves out the parts that are deleted by themselves, and what goes
// with those.
func Without(parts []resource.Part, deleted func(t *resource.Type, ancestors []string, id string) bool) []resource.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(x resource.Part) bool {
		t, id, above := x.Type, x.Object.ID, x.Ancestors
		for !deleted(t, above, id) {
			if t.Parent == nil || len(above) == 0 {
				return false
			}
			t, id, above = t.Parent, above[len(above)-1], above[:len(above)-1]
		}
		return true
	})
}

// Take records what goes with the resource of a delete.
func (c *Change) Take(parts []resource.Part) {
	if len(parts) == 0 {
		return
	}
	c.TakesAlong = map[string]int{}
	for _, x := range parts {
		c.TakesAlong[x.Type.Kind]++
		c.expectAlong(alongKey(c, x), x.Type.Fingerprint(x.Object))
		if at := UpdatedAt(x.Object); x.Type.Abridged && at != "" {
			if c.Expect.AlongUpdatedAt == nil {
				c.Expect.AlongUpdatedAt = map[string]string{}
			}
			c.Expect.AlongUpdatedAt[alongKey(c, x)] = at
		}
	}
}

// UpdatedAt is when an object was changed last, as the target says it; "" where it
// does not.
func UpdatedAt(o *resource.Object) string {
	at, _ := o.Fields["updated_at"].(string)
	return at
}

// alongKey is where a part is, from what is deleted.
func alongKey(c *Change, x resource.Part) string {
	ids := append(slices.Clone(x.Ancestors[len(AncestorsOf(c)):]), x.Object.ID)
	if len(ids) > 1 && ids[0] == c.ResourceID {
		ids = ids[1:]
	}
	return x.Type.Kind + "/" + strings.Join(ids, "/")
}

// PlaceKey is where a resource is, by kind and ids.
func PlaceKey(kind string, ancestors []string, id string) string {
	return kind + "/" + strings.Join(slices.Concat(ancestors, []string{id}), "/")
}

// placeOf takes a key of Along apart: the kind, and the id.
func placeOf(key string) (kind, id string) {
	kind, ids, _ := strings.Cut(key, "/")
	return kind, ids[strings.LastIndex(ids, "/")+1:]
}

// Deletes counts what a plan deletes, with what goes with it.
func (p *Plan) Deletes() int {
	n, _ := TakenAlong(p.Changes)
	for _, c := range p.Changes {
		n += c.Deletes() - c.Along()
	}
	return n
}

// Deletes counts what a change deletes: its resource, what goes with that, and parts of
// what it is attached to.
func (c *Change) Deletes() int {
	n := c.Along() + c.PartDeletes()
	if c.Action == Delete {
		n++
	}
	return n
}

// Concerns counts what exists and the changes of a plan are about.
func (p *Plan) Concerns() int {
	n := p.Deletes()
	for _, c := range p.Changes {
		if c.Action == Update {
			n++
		}
	}
	return n
}

// TakenAlong counts what changes delete besides what they are about, and of that alone
// what refers to it. What several of them would delete is deleted once.
func TakenAlong(changes []*Change) (all, cascaded int) {
	seen := map[string]bool{}
	for _, c := range changes {
		all += c.Along() - len(c.Cascades)
		for _, x := range c.Cascades {
			seen[PlaceKey(x.Type, x.Ancestors(), x.ID)] = true
		}
	}
	return all + len(seen), len(seen)
}

// Along counts what is deleted with a resource.
func (c *Change) Along() int {
	n := len(c.Cascades)
	for _, k := range c.TakesAlong {
		n += k
	}
	return n
}
