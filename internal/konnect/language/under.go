package language

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// checkUnder reports resources below a parent that cannot have them. What a parent
// leaves out has its default; a parent that others own may have any value.
func checkUnder(b *reader) {
	for _, r := range b.set.Resources {
		t := catalog.Of(r)
		if r.Parent == nil || r.Parent.External != nil || isNone(t, r) {
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(t.Under)) {
			p := value.ParsePath(field)
			v := r.Parent.Fields.Lookup(p)
			have, isText := inputText(b.state, v)
			if v.IsAbsent() {
				have, isText = t.Parent.Write().At(p.Generic(), nil).Default.(string)
			}
			if !isText || have == t.Under[field] {
				continue // a reference, which is checked when it is known
			}
			fix := fmt.Sprintf("write %s: %v there, or remove %s.", field, t.Under[field], t.Key)
			if e := v.Expr(); e != nil {
				have, fix = "another value from $"+e.Name, fmt.Sprintf("set %s to %v, or remove %s.", e.Name, t.Under[field], t.Key)
			}
			b.diags.Add(diag.ValEnum, r.Parent.Fields.Nearest(p),
				fmt.Sprintf("The %s has %s: only one with %s: %v can have them, and this one has %s.", r.Parent.Describe(), t.Key, field, t.Under[field], have), fix)
		}
	}
}

// isNone reports whether a resource is a list with nothing in it, which any parent
// has.
func isNone(t *catalog.Bound, r *resource.Resource) bool {
	return t.Set != "" && len(r.Fields.Lookup(value.Path{t.Set}).Items()) == 0
}

// CheckSets reports lists of references that name one resource twice, and lists of
// members with the resource that they belong to.
func CheckSets(set *resource.Set, links *resource.Links) diag.List {
	var out diag.List
	for _, r := range set.Resources {
		t := catalog.Of(r)
		if t == nil {
			continue
		}
		seen := map[string]bool{}
		for _, e := range links.From(r) {
			list, alone := listOf(r, e.Path)
			if _, refers := t.Reference(e.Path.Generic()); !refers || e.Field != "id" || !alone {
				continue
			}
			at, key := r.Fields.Nearest(e.Path), list.String()+" "+e.Target.Address()
			switch {
			case t.Set != "" && e.Target == r.Parent:
				out.Add(diag.ValItems, at, fmt.Sprintf("The %s is one of its own %s.", r.Parent.Describe(), t.Key), "remove it from the list.")
			case seen[key] && t.Set != "":
				out.Add(diag.ValItems, at, fmt.Sprintf("The %s is twice in the %s of the %s.", e.Target.Describe(), t.Key, r.Parent.Describe()), "name it once.")
			case seen[key]:
				out.Add(diag.ValItems, at, fmt.Sprintf("The %s is twice in %s of the %s.", e.Target.Describe(), list, r.Describe()), "name it once.")
			}
			seen[key] = true
		}
	}
	return out
}

// listOf is the list that a reference is an item of, and whether the item is nothing
// else: the id, or a mapping with the id alone.
func listOf(r *resource.Resource, p value.Path) (list value.Path, alone bool) {
	n := len(p) - 1
	if n > 0 && p[n] == keyID {
		n--
	}
	if n < 1 || r.Fields.Lookup(p[:n]).Kind() != value.List {
		return nil, false
	}
	item := r.Fields.Lookup(p[:n+1])
	return p[:n], item.Kind() != value.Map || len(item.Keys()) == 1
}
