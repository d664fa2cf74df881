package build

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// checkUndeclared reports references to fields that what they lead to does not
// declare, and that nothing else gives a value: a label that it will not have.
func checkUndeclared(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	for _, r := range b.Links.Sorted() {
		if r.External != nil || b.selection.LeftOut(r) {
			continue
		}
		for _, link := range b.Links.From(r) {
			p := value.ParsePath(link.Field)
			if link.Field == "id" || link.Target.External != nil || !link.Target.Fields.Lookup(p).IsAbsent() || covers(link.Target, p) || link.Target.Type.Fills(link.Target, p) || keepsValue(b, link) {
				continue
			}
			wrongValue(b, r.Fields.Nearest(link.Path), fmt.Sprintf("The %s takes %s from %s of the %s, which does not declare it.", r.Describe(), link.Path, link.Field, link.Target.Describe()), toDeclare(link.Target, p))
		}
	}
}

// covers reports whether a field that a path leads through is known later only.
func covers(r *resource.Resource, p value.Path) bool {
	for n := 1; n < len(p); n++ {
		if r.Fields.Lookup(p[:n]).Kind() == value.Expr {
			return true
		}
	}
	return false
}

// keepsValue reports whether what exists has the value, and keeps it.
func keepsValue(b *Draft, link resource.Edge) bool {
	o := b.object(link.Target)
	if o == nil || b.Mode.Prunes() && !b.selection.LeftOut(link.Target) {
		return false
	}
	v, has := link.Target.Type.Field(o, value.ParsePath(link.Field))
	return has && v != nil
}

// toDeclare says how to give a field a value, or which other one is meant.
func toDeclare(r *resource.Resource, p value.Path) string {
	last := len(p) - 1
	fix := fmt.Sprintf("add %s to the %s, or write the value itself.", p, r.Describe())
	at, _ := r.Fields.Lookup(p[:last]).Plain(func(value.Path, *value.Expression) any { return nil }).(map[string]any)
	keys := slices.Sorted(maps.Keys(at))
	if near := diag.Nearest(p[last], keys); near != "" {
		return fmt.Sprintf("did you mean %s? Or %s", p[:last].Child(near), fix)
	}
	if last > 0 && len(keys) > 0 {
		return fmt.Sprintf("%s It declares %s.", fix, strings.Join(keys, ", "))
	}
	return fix
}
