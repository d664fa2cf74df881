package language

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// Match is a resource that fits a selector.
type Match struct {
	Name, ID string
	// Variant is what tells it apart from others of its name, in words; "" for nothing.
	Variant string
}

// known is what tells a match apart.
func (m Match) known() string {
	if m.Variant == "" {
		return "id: " + m.ID
	}
	return "id: " + m.ID + ", " + m.Variant
}

// maxMatches is how many matches are listed.
const maxMatches = 10

// NoMatch tells that a selector fits no resource. Existing are the names of those
// that Konnect has, where they help.
func NoMatch(r *resource.Resource, existing ...string) diag.Diagnostic {
	if r.External.Named {
		return noSuchName(r)
	}
	lines := slices.Concat(whichExternal(r), whose(r), foundLines(r.External))
	if len(existing) > 0 {
		slices.Sort(existing)
		return diag.New(diag.ExtNoMatch, r.External.Pos, strings.Join(lines, "\n"), "use one that Konnect has: "+strings.Join(existing, ", ")+".")
	}
	return diag.New(diag.ExtNoMatch, r.External.Pos, strings.Join(lines, "\n"), existsFix(r))
}

// NearFix names what may have been meant.
func NearFix(names []string) string { return "did you mean " + diag.Join(names, "or") + "?" }

// existsFix says what to do about an external that does not exist.
func existsFix(r *resource.Resource) string {
	if len(r.External.Lacks) > 0 {
		return fmt.Sprintf("verify the resource exists in Konnect, or declare a new one: add %s.", diag.Join(r.External.Lacks, "and"))
	}
	if p := r.Parent; p != nil && p.External == nil && r.Type.Derived != nil && r.External.Selector != nil {
		return fmt.Sprintf("make sure that the %s has it, or, if this configuration adds it, let what needs it wait: --allow-pending-external.", catalog.Words(catalog.Of(p).Kind))
	}
	return "verify the resource exists in Konnect."
}

// noSuchName tells of a name that is neither declared nor there.
func noSuchName(r *resource.Resource) diag.Diagnostic {
	t := catalog.Of(r)
	name := fmt.Sprintf("%q", cmp.Or(r.External.ID, r.External.Wanted(t.Identity[0])))
	instead := "write the name of one that exists"
	if of := r.External.Variable(); of != "" {
		name, instead = "with the name in $"+of, "set "+of+" to the name of one that exists"
	}
	if to := r.External.RefOf; to != nil {
		return diag.New(diag.RefUnknown, r.External.Pos, fmt.Sprintf("This field takes the name of %s, and %s is the ref of the %s.", diag.A(catalog.Words(t.Kind)), name, to.Describe()), fmt.Sprintf("write %s.", shownName(to)))
	}
	detail := fmt.Sprintf("The %s %q has no %s %s: no input declares it, and Konnect does not have it.", catalog.Words(t.Parent.Kind), r.Parent.Name, catalog.Words(t.Kind), name)
	return diag.New(diag.RefUnknown, r.External.Pos, detail, fmt.Sprintf("declare it under %s of the %s, or %s.", t.Key, catalog.Words(t.Parent.Kind), instead))
}

// ManyMatches tells that a selector fits several resources.
func ManyMatches(r *resource.Resource, matches []Match) diag.Diagnostic {
	lines := slices.Concat(whichExternal(r), whose(r), foundLines(r.External), []string{"Matched resources:"})
	matches = slices.SortedFunc(slices.Values(matches), func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	for i, m := range matches[:min(len(matches), maxMatches)] {
		lines = append(lines, fmt.Sprintf("  %d. %s %q (%s)", i+1, catalog.Words(catalog.Of(r).Kind), m.Name, m.known()))
	}
	if more := len(matches) - maxMatches; more > 0 {
		lines = append(lines, fmt.Sprintf("  … and %d more", more))
	}
	d := diag.New(diag.ExtManyMatches, r.External.Pos, strings.Join(lines, "\n"), "refine the selector to match exactly one resource.")
	d.Summary = strings.Replace(d.Summary, "N", fmt.Sprint(len(matches)), 1)
	return d
}

// NoID tells that no resource has the id.
func NoID(r *resource.Resource) diag.Diagnostic {
	if r.External.Named {
		return noSuchName(r)
	}
	if r.External.Unnamed {
		return noSuchID(r)
	}
	lines := slices.Concat(whichExternal(r), whose(r), foundLines(r.External))
	return diag.New(diag.ExtNoID, r.External.Pos, strings.Join(lines, "\n"), existsFix(r))
}

// NoNewID tells the same of an id that a field is about to get.
func NoNewID(r *resource.Resource) diag.Diagnostic {
	d := NoID(r)
	d.Fix = strings.TrimSuffix(d.Fix, ".") + "; if this token may not see it, pass --check-external-ids=false."
	return d
}

// noSuchID tells of an id in a field that nothing has.
func noSuchID(r *resource.Resource) diag.Diagnostic {
	words := catalog.Words(catalog.Of(r).Kind)
	if r.Parent == nil {
		return diag.New(diag.ExtNoID, r.External.Pos, fmt.Sprintf("Konnect has no %s with the id %s.", words, r.External.ID), fmt.Sprintf("write the ref or id of %s that exists.", diag.A(words)))
	}
	return diag.New(diag.ExtNoID, r.External.Pos, fmt.Sprintf("The %s has no %s with the id %s.", r.Parent.Describe(), words, r.External.ID),
		fmt.Sprintf("write the ref or id of one that the %s has.", r.Parent.Describe()))
}

// ParentNotThere tells that what an external belongs to is declared, and not
// in Konnect.
func ParentNotThere(r *resource.Resource) diag.Diagnostic {
	if r.External.Named {
		return noSuchName(r)
	}
	pos := r.External.Pos
	if r.External.Unnamed && r.External.ID != "" {
		t := catalog.Of(r)
		words, under := catalog.Words(t.Kind), fmt.Sprintf("%s of the %s", t.Key, catalog.Words(t.Parent.Kind))
		fix := fmt.Sprintf("declare the %s under %s, and write its ref here.", words, under)
		if t.ReadOnly {
			fix = fmt.Sprintf("declare it under %s, with %s: {id: %s}: what needs it waits until it is there.", under, keyExternal, r.External.ID)
		}
		return diag.New(diag.ExtNoID, pos, fmt.Sprintf("The %s does not exist yet, so it has no %s with the id %s.", r.Parent.Describe(), words, r.External.ID), fix)
	}
	if !r.ParentRef.IsAbsent() {
		pos = r.ParentRef.Pos()
	}
	return parentNotFound(r, pos, r.Parent.Ref, fmt.Sprintf("make sure that the %s is there first, or let what needs it wait: --allow-pending-external.", catalog.Words(catalog.Of(r.Parent).Kind)))
}

// parentNotDeclared tells that nothing declares what an external belongs to.
func parentNotDeclared(r *resource.Resource, name string) diag.Diagnostic {
	above := catalog.Of(r).Parent
	return parentNotFound(r, r.ParentRef.Pos(), name, fmt.Sprintf("ensure the parent is defined: declare the %s under %s, with _external if others own it.", catalog.Words(above.Kind), above.Root()))
}

func parentNotFound(r *resource.Resource, pos value.Pos, name, fix string) diag.Diagnostic {
	return diag.New(diag.ExtNoParent, pos, strings.Join(append(whichExternal(r), "Parent reference: "+name), "\n"), fix)
}

// BothWays tells that one resource is declared as managed and as external.
func BothWays(r, external *resource.Resource) diag.Diagnostic {
	return diag.New(diag.ExtManaged, r.NamePos(), fmt.Sprintf("The %s is managed here, and the external %q at %s means the same one.", r.Describe(), external.Ref, external.Pos), "keep one of the two: others own what is external.")
}

// whichExternal says which external it is.
func whichExternal(r *resource.Resource) []string {
	what := fmt.Sprintf("External resource %q", resource.ShownRef(shownRef(r), ""))
	if r.External.Unnamed {
		what = "Lookup of " + diag.A(catalog.Words(catalog.Of(r).Kind))
	}
	kind := r.Word
	if catalog.Of(r).Writer != "" {
		kind += " (" + coreEntity + ")"
	}
	return []string{what, "Resource type: " + kind}
}

// whose says whose it is.
func whose(r *resource.Resource) []string {
	var out []string
	if r.Parent != nil {
		out = append(out, fmt.Sprintf("Parent: %s %q", catalog.Of(r.Parent).Kind, resource.ShownRef(r.Parent.Ref, r.Parent.Name)))
	}
	for _, ref := range catalog.Of(r).References {
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

// foundLines says how it is found, as it was written.
func foundLines(e *resource.External) []string {
	switch {
	case e.Selector != nil:
		return selectorLines(e.Selector)
	case e.Made != nil:
		return e.Made.Lines
	default:
		return []string{"ID: " + e.ID}
	}
}
