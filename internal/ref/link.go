// Package ref finds what references lead to.
//
// In: a set of resources. Out: for every reference the resource it means, the
// edges between resources, and problems with their positions: unknown,
// ambiguous, of the wrong type, in a circle. It must never call Konnect.
package ref

import (
	"fmt"
	"sort"
	"strings"

	"kongctl/internal/catalog"
	"kongctl/internal/config"
	"kongctl/internal/diag"
	"kongctl/internal/graph"
	"kongctl/internal/value"
)

// Edge is a field that takes its value from another resource.
type Edge struct {
	Path   value.Path
	Target *config.Resource
	// Field of the target, "id" for its id.
	Field string
}

// Links are all links of a set.
type Links struct {
	from   map[*config.Resource][]Edge
	order  map[*config.Resource][]*config.Resource // by label, no value taken
	sorted []*config.Resource
}

// Sorted lists all resources, each after those that it takes values of, nests
// in or is ordered by.
func (l *Links) Sorted() []*config.Resource { return l.sorted }

// From lists the links of a resource.
func (l *Links) From(r *config.Resource) []Edge { return l.from[r] }

// At finds the link of a field.
func (l *Links) At(r *config.Resource, p value.Path) (Edge, bool) {
	name := p.String()
	for _, link := range l.from[r] {
		if link.Path.String() == name {
			return link, true
		}
	}
	return Edge{}, false
}

// After lists the resources that r must come after though it takes no value of
// them.
func (l *Links) After(r *config.Resource) []*config.Resource { return l.order[r] }

// Link finds what every reference of a set leads to.
func Link(set *config.Set) (*Links, diag.List) {
	k := &linker{
		set:   set,
		links: &Links{from: map[*config.Resource][]Edge{}, order: map[*config.Resource][]*config.Resource{}},
		byRef: map[string]*config.Resource{},
		names: map[string][]*config.Resource{},
	}
	for _, r := range set.Resources {
		if r.Explicit {
			k.byRef[r.Ref] = r
		}
		k.names[r.Ref] = append(k.names[r.Ref], r)
		if r.Name != r.Ref {
			k.names[r.Name] = append(k.names[r.Name], r)
		}
	}
	for _, r := range set.Resources {
		k.resource(r)
		k.labels(r)
	}
	k.sort()
	return k.links, k.diags
}

type linker struct {
	set   *config.Set
	links *Links
	byRef map[string]*config.Resource
	names map[string][]*config.Resource
	diags diag.List
}

func (k *linker) resource(r *config.Resource) {
	r.Fields.Walk(func(p value.Path, v value.Value) bool {
		e := v.Expr()
		if e == nil {
			return true
		}
		if e.Op == value.OpRef {
			k.link(r, p, v.Pos(), e)
		}
		return false
	})
}

func (k *linker) link(r *config.Resource, p value.Path, pos value.Pos, e *value.Expression) {
	want := ""
	if reference, ok := r.Type.Reference(p.Generic()); ok {
		want = reference.Kind
	}
	target := k.find(r, pos, e.Name, want)
	if target == nil {
		return
	}
	field := e.Field
	if field == "" {
		field = "id"
	}
	if field != "id" && !hasField(target.Type, field) {
		k.diags.Add(diag.RefField, pos, fmt.Sprintf("A %s has no field %q.", catalog.Words(target.Type.Kind), field), "use "+e.Name+"#id, or a field that `kongctl` shows for this type.")
		return
	}
	if target == r {
		k.diags.Add(diag.RefCycle, pos, fmt.Sprintf("The %s refers to itself.", k.what(r)), "refer to another resource.")
		return
	}
	k.links.from[r] = append(k.links.from[r], Edge{Path: p, Target: target, Field: field})
}

// hasField tells whether a resource of this type can have the field, declared
// or returned.
func hasField(t *catalog.Bound, field string) bool {
	p := value.ParsePath(field)
	if t.Write().At(p.Generic(), nil) != nil {
		return true
	}
	if t.Read != nil {
		if _, s := t.Read.Success(); s != nil && s.At(p.Generic(), nil) != nil {
			return true
		}
	}
	return false
}

// find looks a name up: refs that people wrote first, then names within the
// wanted type.
func (k *linker) find(r *config.Resource, pos value.Pos, name, want string) *config.Resource {
	if t := k.byRef[name]; t != nil && (want == "" || t.Type.Kind == want) {
		return t
	}
	var fits, others []*config.Resource
	for _, t := range k.names[name] {
		if want == "" || t.Type.Kind == want {
			fits = append(fits, t)
		} else {
			others = append(others, t)
		}
	}
	switch {
	case len(fits) == 1:
		return fits[0]
	case len(fits) > 1:
		k.ambiguous(r, pos, name, fits)
	case len(others) > 0:
		k.diags.Add(diag.RefKind, pos, fmt.Sprintf("The %s needs a %s here, and %q is a %s.", k.what(r), catalog.Words(want), name, catalog.Words(others[0].Type.Kind)), k.choices(want))
	default:
		what := "resource"
		if want != "" {
			what = catalog.Words(want)
		}
		k.diags.Add(diag.RefUnknown, pos, fmt.Sprintf("The %s points at %s %q, and no input declares it.", k.what(r), what, name), k.choices(want))
	}
	return nil
}

func (k *linker) ambiguous(r *config.Resource, pos value.Pos, name string, fits []*config.Resource) {
	var lines []string
	for _, t := range fits {
		lines = append(lines, fmt.Sprintf("%s at %s", k.what(t), t.Pos))
	}
	k.diags.Add(diag.RefAmbiguous, pos, fmt.Sprintf("The %s points at %q, which several resources are called:\n%s", k.what(r), name, strings.Join(lines, "\n")), "give the one you mean a ref of its own, and use that.")
}

// choices says what could be written instead.
func (k *linker) choices(kind string) string {
	var refs []string
	for _, t := range k.set.Resources {
		if kind != "" && t.Type.Kind == kind {
			refs = append(refs, t.Ref)
		}
	}
	sort.Strings(refs)
	if len(refs) > 8 {
		refs = append(refs[:8], "…")
	}
	where := "declare it"
	if t := k.set.Catalog.Kind(kind); t != nil {
		where = "declare it under " + t.Root()
		if t.External {
			return "write the id of the " + catalog.Words(kind) + "."
		}
	}
	if len(refs) == 0 {
		return where + ", or write the id of one that exists."
	}
	return where + ", or use one of " + strings.Join(refs, ", ") + "."
}

// labels orders by labels that name a resource.
func (k *linker) labels(r *config.Resource) {
	for _, e := range r.Fields.Field("labels").Entries() {
		name, ok := e.Value.Text()
		if !ok {
			continue
		}
		for _, t := range k.names[name] {
			if t != r && t.Type.OrderedByLabel == e.Key {
				k.links.order[r] = append(k.links.order[r], t)
			}
		}
	}
}

func (k *linker) what(r *config.Resource) string {
	return fmt.Sprintf("%s %q", catalog.Words(r.Type.Kind), r.Ref)
}

// sort orders the resources, or tells of references that lead back to where
// they start.
func (k *linker) sort() {
	var g graph.Graph[int]
	at := map[*config.Resource]int{}
	for i, r := range k.set.Resources {
		at[r] = i
		g.Add(i)
	}
	for i, r := range k.set.Resources {
		for _, l := range k.links.from[r] {
			g.Need(i, at[l.Target])
		}
		for _, before := range []*config.Resource{r.Parent, r.Above} {
			if before != nil {
				g.Need(i, at[before])
			}
		}
		for _, t := range k.links.order[r] {
			g.Need(i, at[t])
		}
	}
	cycle := g.Cycle()
	if cycle == nil {
		for _, i := range g.Order() {
			k.links.sorted = append(k.links.sorted, k.set.Resources[i])
		}
		return
	}
	var chain []string
	for _, i := range cycle {
		chain = append(chain, k.what(k.set.Resources[i]))
	}
	k.diags.Add(diag.RefCycle, k.set.Resources[cycle[0]].Pos, "These resources wait for each other: "+strings.Join(chain, " → ")+".", "remove one of the references.")
}
