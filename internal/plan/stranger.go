package plan

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/resource"
)

// Stranger is something that a delete affects and that is not as the plan expects it.
type Stranger struct {
	resource.Part
	// Name is what people call it, Why is how it differs.
	Name, Why string
}

// Place is where it is. What exists once is found without its id.
func (s Stranger) Place() string {
	if s.Type.Single {
		return PlaceKey(s.Type.Kind, s.Ancestors, "")
	}
	return PlaceKey(s.Type.Kind, s.Ancestors, s.Object.ID)
}

// NewStranger is a part with its name. One without a name has its id.
func NewStranger(x resource.Part, why string) Stranger {
	name := x.Type.Describe(x.Object)
	switch id := x.Type.Name(x.Object); {
	case x.Type.Single:
		name = x.Type.Words
	case IsUUID(id):
		name = fmt.Sprintf("%s (id %s)", x.Type.Words, id)
	}
	return Stranger{Part: x, Name: name, Why: why}
}

// changedPart reports whether a part is another than the plan expects. Of what is
// written elsewhere, earlier versions of the program expected only that it exists.
func changedPart(x resource.Part, known string) bool {
	return known != x.Type.Fingerprint(x.Object) && (known != "" || !x.Type.ReadOnly)
}

// Strangers lists what would go with the resource of a delete though the plan
// does not know it, or not as it is now: somebody made or changed it since. What
// is gone is no loss, and what the plan deletes by itself is checked by itself.
// Where a list leaves fields out and the plan kept none of them, the time of the
// last change says it, unless this run may have moved that.
func (places Places) Strangers(c *Change, now []resource.Part, ours func(resource.Part) bool) []Stranger {
	var out []Stranger
	kept := map[string]bool{}
	for _, k := range c.Kept {
		kept[PlaceKey(k.Type, k.Ancestors, k.ID)] = true
	}
	for _, x := range places.Along(c, now) {
		known, at := "", ""
		seen := false
		if c.Expect != nil {
			known, seen = c.Expect.Along[alongKey(c, x)]
			at = c.Expect.AlongUpdatedAt[alongKey(c, x)]
		}
		switch {
		case !seen:
			out = append(out, NewStranger(x, "was created"))
		case changedPart(x, known), at != "" && at != UpdatedAt(x.Object) && !kept[PlaceKey(x.Type.Kind, x.Ancestors, x.Object.ID)] && !ours(x):
			out = append(out, NewStranger(x, "was changed"))
		}
	}
	return out
}
