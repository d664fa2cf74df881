package export

import "github.com/kongctl/kongctl/internal/resource"

// Omission is what an export has only when its type is asked for: children of
// resources that others write.
type Omission struct {
	// Kind is the type to ask for.
	Kind string
	// Owners and Children are the words for both.
	Owners   string
	Children []string
}

// omitted lists what a snapshot of everything leaves out.
func (s *Snapshot) omitted() []Omission {
	var out []Omission
	for _, t := range s.Catalog.All() {
		if !s.Whole || !t.ReadOnly || !owner(t) {
			continue
		}
		x := Omission{Kind: t.Kind, Owners: resource.Words(t.Key)}
		for _, c := range t.Children {
			if !c.ReadOnly {
				x.Children = append(x.Children, resource.Words(c.Key))
			}
		}
		out = append(out, x)
	}
	return out
}
