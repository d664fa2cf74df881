package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
)

// Noted is something that exists once below a resource to delete, as the plan saw it.
type Noted struct {
	Kind        string
	Ancestors   []string
	Fingerprint string
}

// Watch notes what exists once below the resource of a delete and goes with it. What
// could not be read is not noted.
func (c *Change) Watch(parts []resource.Part) {
	above := len(AncestorsOf(c))
	for _, x := range parts {
		if x.Object == nil || x.Object.Fields == nil || len(x.Ancestors) <= above {
			continue
		}
		if c.Expect.Settings == nil {
			c.Expect.Settings = map[string]string{}
		}
		c.Expect.Settings[x.Type.Kind+"/"+strings.Join(x.Ancestors[above:], "/")] = x.Type.Fingerprint(x.Object)
	}
}

// Settings lists what a delete noted and no other change is about: that is checked by
// itself. What the plan kept is compared with that.
func (x Places) Settings(c *Change) []Noted {
	if c.Expect == nil {
		return nil
	}
	kept := map[string]bool{}
	for _, k := range c.Kept {
		kept[PlaceKey(k.Type, k.Ancestors, "")] = true
	}
	var out []Noted
	for _, key := range slices.Sorted(maps.Keys(c.Expect.Settings)) {
		kind, ids, _ := strings.Cut(key, "/")
		above := slices.Concat(AncestorsOf(c), strings.Split(ids, "/"))
		if place := PlaceKey(kind, above, ""); !kept[place] && !x.lists[place] {
			out = append(out, Noted{Kind: kind, Ancestors: above, Fingerprint: c.Expect.Settings[key]})
		}
	}
	return out
}
