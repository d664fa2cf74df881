package plan

import (
	"fmt"
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

// changedPart reports whether a part is another than the plan expects. Of what is
// written elsewhere, earlier versions of the program expected only that it exists.
func changedPart(x resource.Part, known string) bool {
	return known != x.Type.Fingerprint(x.Object) && (known != "" || !x.Type.ReadOnly)
}

// Strangers names what would go with the resource of a delete though the plan
// does not know it, or not as it is now: somebody made or changed it since. What
// is gone is no loss, and what the plan deletes by itself is checked by itself.
// Where a list leaves fields out and the plan kept none of them, the time of the
// last change says it, unless this run may have moved that.
func Strangers(p *Plan, c *Change, now []resource.Part, ours func(resource.Part) bool) []string {
	var out []string
	kept := map[string]bool{}
	for _, k := range c.Kept {
		kept[PlaceKey(k.Type, k.Ancestors, k.ID)] = true
	}
	own := map[string]bool{}
	for _, x := range p.Changes {
		if x.Action == Delete && x != c {
			own[PlaceKey(x.ResourceType, AncestorsOf(x), x.ResourceID)] = true
		}
	}
	parts := Without(now, func(t *resource.Type, ancestors []string, id string) bool {
		return own[PlaceKey(t.Kind, ancestors, id)]
	})
	for _, x := range parts {
		known, at := "", ""
		seen := false
		if c.Expect != nil {
			known, seen = c.Expect.Along[alongKey(c, x)]
			at = c.Expect.AlongUpdatedAt[alongKey(c, x)]
		}
		what := fmt.Sprintf("%s %q", x.Type.Words, x.Type.Name(x.Object))
		switch {
		case !seen:
			out = append(out, what+" was created")
		case changedPart(x, known), at != "" && at != UpdatedAt(x.Object) && !kept[PlaceKey(x.Type.Kind, x.Ancestors, x.Object.ID)] && !ours(x):
			out = append(out, what+" was changed")
		}
	}
	return out
}

// PlaceKey tells where a resource is, by kind and ids.
func PlaceKey(kind string, ancestors []string, id string) string {
	return fmt.Sprint(kind, slices.Concat(ancestors, []string{id}))
}

// placeOf takes a key of Along apart: the kind, and the id.
func placeOf(key string) (kind, id string) {
	kind, ids, _ := strings.Cut(key, "/")
	return kind, ids[strings.LastIndex(ids, "/")+1:]
}

// Along counts what is deleted with a resource.
func (c *Change) Along() int {
	n := len(c.Cascades)
	for _, k := range c.TakesAlong {
		n += k
	}
	return n
}
