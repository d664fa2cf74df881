package guard

import (
	"fmt"

	"kongctl/internal/plan"
	"kongctl/internal/plan/build"

	"kongctl/internal/resource"

	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// Protected refuses to delete a protected resource. Of a root, what is live
// counts and what is declared: unprotecting and deleting are never in one plan.
// A child carries no label, so what is declared is all there is.
func Protected(b *build.Sequence) map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for _, c := range b.Plan.Changes {
		if c.Action != plan.Delete || !c.Protection {
			continue
		}
		if c.Replace && c.Half != nil && !c.Half.Protection && c.Parent == nil {
			out[c] = unprotectFirst(b, c)
			continue
		}
		first := "Remove protected: true and apply that first"
		if c.Parent != nil {
			first = "Remove protected: true from its declaration first"
		}
		out[c] = fmt.Sprintf("It is protected. %s; then the %s can be deleted.", first, resource.Words(c.ResourceType))
	}
	return out
}

// unprotectFirst says how to replace a resource that the configuration no longer
// protects.
func unprotectFirst(b *build.Sequence, c *plan.Change) string {
	var fields []string
	t := b.AllTypes.Kind(c.ResourceType)
	for _, x := range c.Half.FieldChanges {
		p := value.ParsePath(x.Field)
		if p[0] != "kongctl" && p[0] != "labels" && t.Immutable(p.Generic()) {
			fields = append(fields, x.Field)
		}
	}
	if len(fields) == 0 {
		fields = []string{"the fields that replace it"}
	}
	return fmt.Sprintf("It is still protected in Konnect. First apply the configuration without the change of %s, which removes the protection; then the %s can be replaced.",
		diag.Join(fields, "and"), resource.Words(c.ResourceType))
}

// guardProtectedChildren refuses to delete what a protected child would be
// deleted with: its parents, and what it nests in.
func guardProtectedChildren(b *build.Draft) map[*plan.Change]string {
	lost := map[*plan.Change][]string{}
	for _, r := range b.Set.Resources {
		if !r.Protected || r.Type.Parent == nil || b.Snapshot.Object(r) == nil && b.Snapshot.Failed(r) == nil {
			continue
		}
		for _, above := range build.AboveAll(r) {
			if c := b.DeleteOf(above); c != nil {
				lost[c] = append(lost[c], "the "+r.Describe())
			}
		}
	}
	out := map[*plan.Change]string{}
	for _, c := range b.Plan.Changes {
		if children := lost[c]; len(children) > 0 {
			out[c] = fmt.Sprintf("It would also delete %s, which %s protected. Remove protected: true there first.", diag.Join(children, "and"), areOrIs(len(children)))
		}
	}
	return out
}

func areOrIs(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// guardProtectedIdentity refuses to delete an undeclared child where a protected
// one of its type is created: it may be that one, whose identity changed.
func guardProtectedIdentity(b *build.Draft) map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for r, c := range b.Making {
		if !r.Protected || r.Type.Parent == nil || c.Action != plan.Create || c.Half != nil {
			continue
		}
		for _, d := range b.Plan.Changes {
			if d.Action == plan.Delete && d.Half == nil && d.ResourceType == c.ResourceType && plan.SameParent(c, d) {
				out[d] = fmt.Sprintf("The %s is protected and would be created. This may be it, before its identity changed. Remove protected: true from the declaration first.", r.Describe())
				out[c] = fmt.Sprintf("It is protected, and its identity may have changed: the plan would delete the %s %q. Remove protected: true first.", d.ResourceType, d.ResourceName)
			}
		}
	}
	return out
}
