package language

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/value"
)

// Match is a resource that fits a selector.
type Match struct{ Name, ID string }

// maxMatches is how many matches are told.
const maxMatches = 10

// NoMatch tells that a selector fits no resource.
func NoMatch(r *Resource) diag.Diagnostic {
	lines := slices.Concat(r.told(), r.above(), r.External.found())
	return diag.New(diag.ExtNoMatch, r.External.Pos, strings.Join(lines, "\n"), "verify the resource exists in Konnect.")
}

// ManyMatches tells that a selector fits several resources.
func ManyMatches(r *Resource, matches []Match) diag.Diagnostic {
	lines := slices.Concat(r.told(), r.above(), r.External.found(), []string{"Matched resources:"})
	matches = slices.SortedFunc(slices.Values(matches), func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	for i, m := range matches[:min(len(matches), maxMatches)] {
		lines = append(lines, fmt.Sprintf("  %d. %s %q (id: %s)", i+1, catalog.Words(r.Type.Kind), m.Name, m.ID))
	}
	if more := len(matches) - maxMatches; more > 0 {
		lines = append(lines, fmt.Sprintf("  … and %d more", more))
	}
	d := diag.New(diag.ExtManyMatches, r.External.Pos, strings.Join(lines, "\n"), "refine the selector to match exactly one resource.")
	d.Summary = strings.Replace(d.Summary, "N", fmt.Sprint(len(matches)), 1)
	return d
}

// NoID tells that no resource has the id.
func NoID(r *Resource) diag.Diagnostic {
	lines := slices.Concat(r.told(), r.above(), r.External.found())
	return diag.New(diag.ExtNoID, r.External.Pos, strings.Join(lines, "\n"), "verify the resource exists in Konnect.")
}

// ParentNotThere tells that what an external belongs to is declared, and not
// in Konnect.
func ParentNotThere(r *Resource) diag.Diagnostic {
	pos := r.External.Pos
	if !r.parentRef.IsAbsent() {
		pos = r.parentRef.Pos()
	}
	return parentNotFound(r, pos, r.Parent.Ref, fmt.Sprintf("make sure that the %s is there first, or let what needs it wait: --allow-pending-external.", catalog.Words(r.Parent.Type.Kind)))
}

// parentNotDeclared tells that nothing declares what an external belongs to.
func parentNotDeclared(r *Resource, name string) diag.Diagnostic {
	above := r.Type.Parent
	return parentNotFound(r, r.parentRef.Pos(), name, fmt.Sprintf("ensure the parent is defined: declare the %s under %s, with _external if others own it.", catalog.Words(above.Kind), above.Root()))
}

func parentNotFound(r *Resource, pos value.Pos, name, fix string) diag.Diagnostic {
	return diag.New(diag.ExtNoParent, pos, strings.Join(append(r.told(), "Parent reference: "+name), "\n"), fix)
}

// BothWays tells that one resource is declared as managed and as external.
func BothWays(r, external *Resource) diag.Diagnostic {
	return diag.New(diag.ExtManaged, r.namePos(), fmt.Sprintf("The %s is managed here, and the external %q at %s means the same one.", r.Describe(), external.Ref, external.Pos), "keep one of the two: others own what is external.")
}

// told says which external it is.
func (r *Resource) told() []string {
	what := fmt.Sprintf("External resource %q", r.shownRef())
	if r.External.Unnamed {
		what = "Lookup of " + diag.A(catalog.Words(r.Type.Kind))
	}
	kind := r.word
	if r.Type.External {
		kind += " (" + coreEntity + ")"
	}
	return []string{what, "Resource type: " + kind}
}

// above says whose it is.
func (r *Resource) above() []string {
	var out []string
	if r.Parent != nil {
		out = append(out, fmt.Sprintf("Parent: %s %q", r.Parent.Type.Kind, r.Parent.Ref))
	}
	for _, ref := range r.Type.References {
		v := r.Fields.Lookup(value.ParsePath(ref.Field))
		name, ok := v.Text()
		if e := v.Expr(); e != nil {
			name, ok = e.Name, true
		}
		if ok {
			out = append(out, fmt.Sprintf("Narrowed by: %s %q", ref.Kind, name))
		}
	}
	return out
}

// found says how it is found, as it was written.
func (e *External) found() []string {
	switch {
	case e.Selector != nil:
		return e.Selector.Lines()
	case e.Deck != nil:
		return []string{fmt.Sprintf("Service: %q", e.Deck.Service), "decK file: " + e.Deck.File.Written}
	default:
		return []string{"ID: " + e.ID}
	}
}
