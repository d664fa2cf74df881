package choose

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
)

// Unmatched tells of patterns that match nothing, now that all was read. Where
// something could not be read, that may be what is meant.
func (s *Selection) Unmatched(cat *resource.Types) diag.List {
	if len(s.Patterns) == 0 || len(s.snap.Failures()) > 0 {
		return nil
	}
	known, texts := map[string]bool{}, map[string][]int{}
	for i, p := range s.Patterns {
		texts[p.Text] = append(texts[p.Text], i)
	}
	for _, r := range s.set.Resources {
		known[r.Ref] = true
		known[r.Name] = true
	}
	add := func(t *resource.Type, o *resource.Object) {
		for _, name := range s.answers(t, o) {
			known[name] = true
			for _, i := range texts[name] {
				s.matched[i] = true
			}
		}
	}
	s.eachUndeclared(cat, func(t *resource.Type, o *resource.Object, _ *resource.Resource) { add(t, o) })
	var diags diag.List
	for i, p := range s.Patterns {
		if s.matched[i] {
			continue
		}
		fix := "correct it, or remove it; a whole type is written " + typePrefix + "T."
		if near := diag.Nearest(p.Text, slices.Sorted(maps.Keys(known))); near != "" {
			fix = fmt.Sprintf("did you mean %s?", near)
		} else if cat.Kind(p.Text) != nil {
			fix = fmt.Sprintf("did you mean %s%s?", typePrefix, p.Text)
		}
		diags.Add(diag.FilterNoMatch, p.Pos, fmt.Sprintf("No resource has the ref %q, and none that the namespaces of this configuration manage in Konnect has this name or slug, or appears under it in a plan.", p.Text), fix)
	}
	return diags
}
