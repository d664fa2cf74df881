package propose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// reworded are the texts of what exists for which a declaration has others.
type reworded []struct {
	at       value.Path
	is, word string
}

// inWordsOf is what exists with the names and ids that a declaration has for the same
// resources: a field that names others takes both. What was reworded comes with it.
func inWordsOf(s build.Subject, desired map[string]any, o *resource.Object) (*resource.Object, reworded) {
	if s.Meant == nil {
		return o, nil
	}
	said := map[string][]string{} // what the declaration names, by kind
	s.Type.NamesIn(desired, func(n resource.Naming, _ value.Path, v any) {
		if text, isText := v.(string); isText && !n.Open {
			said[n.Kind] = append(said[n.Kind], text)
		}
	})
	var all reworded
	out := *o
	s.Type.NamesIn(o.Fields, func(n resource.Naming, at value.Path, v any) {
		here, _ := value.Get(desired, at)
		is, isText := v.(string)
		if !isText || n.Open || here == v || len(said[n.Kind]) == 0 {
			return
		}
		word := wordFor(s, n.Kind, is, here, said[n.Kind])
		if word == is {
			return
		}
		if len(all) == 0 {
			out.Fields, _ = value.Clone(o.Fields).(map[string]any)
		}
		value.Set(out.Fields, at, word)
		all = append(all, struct {
			at       value.Path
			is, word string
		}{slices.Clone(at), is, word})
	})
	return &out, all
}

// wordFor is what a declaration calls what a text stands for: in the same place, else in
// another one, as an item may have moved.
func wordFor(s build.Subject, kind, is string, here any, said []string) string {
	id := s.Meant(kind, is)
	if id == "" {
		return is
	}
	if text, isText := here.(string); isText && s.Meant(kind, text) == id {
		return text
	}
	if slices.Contains(said, is) {
		return is
	}
	for _, text := range said {
		if s.Meant(kind, text) == id {
			return text
		}
	}
	return is
}

// asItIs gives changes what exists in its own words, and a declaration what exists of the
// fields that do not change: they are sent as they are.
func (words reworded) asItIs(d *diff.Delta, desired, live map[string]any) map[string]any {
	for _, w := range words {
		changes := false
		for i := range d.Changes {
			c := &d.Changes[i]
			if !w.at.HasPrefix(c.Path) {
				continue
			}
			changes = true
			if _, there := value.Get(c.Old, w.at[len(c.Path):]); there && c.Old != nil {
				c.Old = value.Set(value.Clone(c.Old), w.at[len(c.Path):], w.is)
			}
		}
		if changes {
			continue
		}
		desired, _ = value.Clone(desired).(map[string]any)
		if here, _ := value.Get(desired, w.at); here == any(w.word) {
			value.Set(desired, w.at, w.is)
			continue
		}
		whole := w.at.Whole() // its items stand in another order
		is, _ := value.Get(live, whole)
		value.Set(desired, whole, value.Clone(is))
	}
	return desired
}
