package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// checkInside reports texts that name no item of their declared parent.
func checkInside(b *reader) {
	for _, r := range b.set.Resources {
		if !r.Type.NamesInside() || r.Parent == nil || r.Parent.External != nil || r.External != nil {
			continue
		}
		t := catalog.Of(r)
		r.Fields.Walk(func(p value.Path, v value.Value) bool {
			name, isText := v.Text()
			field := t.NamedInside(p.Generic())
			if !isText || field == "" {
				return true
			}
			if names, known := itemNames(r.Parent, field); known && !slices.Contains(names, name) {
				list, _, _ := catalog.Cut(field)
				item := catalog.Words(catalog.Singular(list))
				b.diags.Add(diag.RefUnknown, v.Pos(),
					fmt.Sprintf("The %s names the %s %q in %s, which the %s does not have.", r.Describe(), item, name, p, r.Parent.Describe()),
					fmt.Sprintf("use one of: %s; or add the %s to %s of the %s.", strings.Join(names, ", "), item, list, r.Parent.Describe()))
			}
			return true
		})
	}
}

// itemNames are the texts of a field in the items of a list, and whether all of them
// are known.
func itemNames(r *resource.Resource, field string) (names []string, known bool) {
	path, name, _ := catalog.Cut(field)
	list := r.Fields.Lookup(value.ParsePath(path))
	if list.Kind() != value.List {
		return nil, false
	}
	for _, item := range list.Items() {
		text, isText := item.Field(name).Text()
		if !isText {
			return nil, false
		}
		names = append(names, text)
	}
	return names, len(names) > 0
}
