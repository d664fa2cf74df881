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
			name, isText := inputText(b.state, v)
			field := t.NamedInside(p.Generic())
			if !isText || field == "" {
				return true
			}
			if names, shown, known := itemNames(b.state, r.Parent, field); known && !slices.Contains(names, name) {
				list, _, _ := catalog.Cut(field)
				item := catalog.Words(catalog.Singular(list))
				detail, use := fmt.Sprintf("The %s names the %s %q in %s, which the %s does not have.", r.Describe(), item, name, p, r.Parent.Describe()), "use"
				if e := v.Expr(); e != nil {
					detail = fmt.Sprintf("The value of $%s, which the %s takes for %s, names no %s of the %s.", e.Name, r.Describe(), p, item, r.Parent.Describe())
					use = fmt.Sprintf("set %s to", e.Name)
				}
				b.diags.Add(diag.RefUnknown, v.Pos(), detail, fmt.Sprintf("%s one of: %s; or add the %s to %s of the %s.", use, strings.Join(shown, ", "), item, list, r.Parent.Describe()))
			}
			return true
		})
	}
}

// itemNames are the texts of a field in the items of a list, as they are and as they are
// shown, and whether all of them are known.
func itemNames(b *state, r *resource.Resource, field string) (names, shown []string, known bool) {
	path, name, _ := catalog.Cut(field)
	list := r.Fields.Lookup(value.ParsePath(path))
	if list.Kind() != value.List {
		return nil, nil, false
	}
	for _, item := range list.Items() {
		v := item.Field(name)
		text, isText := inputText(b, v)
		if !isText {
			return nil, nil, false
		}
		names = append(names, text)
		if e := v.Expr(); e != nil {
			text = "the value of $" + e.Name
		}
		shown = append(shown, text)
	}
	return names, shown, len(names) > 0
}

// distinct tells of items that others could not tell apart, because they have the same
// name.
func distinct(c checker) {
	for _, field := range catalog.Distinct(catalog.Of(c.r)) {
		list, name, _ := catalog.Cut(field)
		first := map[string]int{}
		for i, item := range c.r.Fields.Lookup(value.ParsePath(list)).Items() {
			v := item.Field(name)
			text, isText := inputText(c.state, v)
			before, twice := first[text]
			switch {
			case !isText:
			case !twice:
				first[text] = i
			default:
				shown := fmt.Sprintf(": %q", text)
				if v.Expr() != nil {
					shown = ", by a variable"
				}
				c.add(diag.ValItems, append(value.ParsePath(list).Index(i), name), fmt.Sprintf("Items %d and %d of %s in the %s have the same %s%s.", before+1, i+1, list, c.what(), name, shown), fmt.Sprintf("give each item another %s.", name))
			}
		}
	}
}
