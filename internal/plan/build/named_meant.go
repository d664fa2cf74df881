package build

import "github.com/kongctl/kongctl/internal/resource"

// meantBy is the id of the resource of a kind that a name or an id in a field of another
// stands for, as far as is known; "" where nothing is known, or where the plan gives the
// resource another name or id.
func meantBy(b *Draft, r *resource.Resource, kind, text string) string {
	if r.Parent == nil || text == "" {
		return ""
	}
	x, ok := found(b, r.Parent, kind, text)
	if !ok || leadsToReplaced(b, x.Object.ID) {
		return ""
	}
	for _, d := range b.Set.Resources {
		if d.Type != x.Type || d.Parent != r.Parent || d.External != nil {
			continue
		}
		if o := b.Snapshot.Object(d); o != nil && o.ID == x.Object.ID && d.Type.NameIn(b.resolve(d).Plain) != d.Type.NameIn(o.Fields) {
			return ""
		}
	}
	return x.Object.ID
}
