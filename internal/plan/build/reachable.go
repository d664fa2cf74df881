package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// reachable tells whether what a planned resource needs of what the filter
// leaves out is there: what it belongs to, and what it refers to.
func reachable(b *Draft, r *resource.Resource) bool {
	ok := true
	for _, above := range []*resource.Resource{r.Parent, r.Above} {
		if above == nil || above.External != nil || !b.selection.LeftOut(above) || b.Snapshot.Object(above) != nil || b.broken[above] != nil {
			continue
		}
		ok = false
		b.diags.Add(diag.FilterParent, r.Pos, fmt.Sprintf("The %s belongs to the %s, which does not exist yet and is left out.", r.Describe(), above.Describe()),
			fmt.Sprintf("isolate it, too: add %s to --isolate-refs, or make it first.", above.Ref))
	}
	for _, link := range b.Links.From(r) {
		if !b.selection.LeftOut(link.Target) || link.Target.External != nil {
			continue
		}
		if _, known := resource.EdgeValue(b.Snapshot, b.Links, link); known || variable(b, r, link.Path) != nil {
			continue
		}
		ok = false
		lacksTarget(b, r, link.Path, link.Target)
	}
	for _, u := range r.Named {
		if !u.Open && b.selection.LeftOut(u.Target) && u.Target.External == nil && b.Snapshot.Object(u.Target) == nil && b.broken[u.Target] == nil {
			ok = false
			lacksTarget(b, r, u.At, u.Target)
		}
	}
	return ok
}

// lacksTarget reports a field that needs what a filter leaves out and what does not exist.
func lacksTarget(b *Draft, r *resource.Resource, at value.Path, target *resource.Resource) {
	d := diag.New(diag.FilterReference, r.Fields.Nearest(at), fmt.Sprintf("The %s takes %s from the %s, which does not exist yet and is left out.", r.Describe(), at, target.Describe()), filterFix(b, r, target))
	if !slices.ContainsFunc(b.diags, func(x diag.Diagnostic) bool { return x.Code == d.Code && x.Pos == d.Pos }) {
		b.diags = append(b.diags, d)
	}
}

func filterFix(b *Draft, r, target *resource.Resource) string {
	if b.selection.Isolate {
		return fmt.Sprintf("isolate it, too: add %s to --isolate-refs, or make it first.", target.Ref)
	}
	return fmt.Sprintf("ignore %s, too, or make %s first.", r.Ref, target.Ref)
}

// mayLose refuses to make a resource again when that would delete what the
// filter leaves out.
func mayLose(b *Draft, r *resource.Resource) bool {
	lost := append(b.selection.SparesBelow(r), meantToo(b, r)...)
	if len(lost) == 0 {
		return true
	}
	by := "filter"
	if len(b.selection.Patterns) == 0 {
		by = "external"
	}
	b.Plan.Blocked = append(b.Plan.Blocked, plan.Blocked{
		ResourceType: r.Type.Kind, ResourceRef: r.Ref, Action: plan.Delete, By: by,
		Message: lossMessage(b, r, lost),
	})
	return false
}

// lossMessage says what a replace would lose, why that must stay, and the way
// out.
func lossMessage(b *Draft, r *resource.Resource, lost []string) string {
	text := fmt.Sprintf("Replacing the %s would also delete %s", resource.WithName(r.Type.Words, r.Ref), strings.Join(lost, ", "))
	if len(b.selection.Patterns) > 0 {
		return text + ", which the filter leaves out or others own. Change the filter, or remove these externals from the configuration."
	}
	return text + ", which the configuration declares as external: others own it. Remove the external from the configuration, or declare what it refers to."
}

// meantToo lists the externals that mean a managed resource by its id or a
// lookup: they would lead to what is gone.
func meantToo(b *Draft, r *resource.Resource) []string {
	o := b.Snapshot.Object(r)
	var out []string
	for x := range b.selection.Others {
		if x.Type == r.Type && o != nil && b.Snapshot.Object(x).ID == o.ID {
			out = append(out, "external "+x.Describe())
		}
	}
	slices.Sort(out)
	return out
}
