package plan

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// checkAllowed tells of permissions that fit nothing: a mistyped one would be
// missed only when it is needed.
func (b *builder) checkAllowed() {
	var kinds, refs []string
	for _, t := range b.Catalog.All() {
		kinds = append(kinds, t.Kind)
	}
	for _, r := range b.Set.Resources {
		refs = append(refs, r.Ref)
	}
	for _, kind := range b.AllowEmpty {
		if kind != "*" && kind != DeckType && b.Catalog.Kind(kind) == nil {
			b.misplaced("--allow-empty", kind, "There is no type "+kind+".", kinds, "use one of "+strings.Join(kinds, ", ")+".")
		}
	}
	declared := map[string]bool{}
	for _, r := range refs {
		declared[r] = true
	}
	for _, ref := range b.AllowReplace {
		if !declared[ref] {
			b.misplaced("--allow-replace", ref, fmt.Sprintf("No declared resource has the ref %q.", ref), refs, "name a declared resource by its ref.")
		}
	}
}

func (b *builder) misplaced(flag, name, detail string, known []string, fix string) {
	if near := diag.Nearest(name, known); near != "" {
		fix = fmt.Sprintf("did you mean %s?", near)
	}
	b.diags.Add(diag.AllowNothing, value.Pos{}, fmt.Sprintf("%s %s: %s", flag, name, detail), fix)
}

// checkCascades tells of permissions to delete what others own that fit neither
// a declared resource nor one that the plan deletes.
func (b *builder) checkCascades() {
	var known []string
	for _, r := range b.Set.Resources {
		known = append(known, r.Ref)
	}
	for _, c := range b.deletes {
		known = append(known, c.ResourceRef)
	}
	slices.Sort(known)
	for _, ref := range b.AllowCascade {
		if !slices.Contains(known, ref) {
			b.misplaced("--allow-cascade", ref, fmt.Sprintf("This plan deletes nothing with the ref %q.", ref), known, "name a resource that the plan deletes, as the plan does.")
		}
	}
}
