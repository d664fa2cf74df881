package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
)

// unreadUsers names what could not be read and may use resources of a type, or
// children of them; "" is nothing.
func unreadUsers(b *Draft, t *resource.Type) string {
	for _, f := range slices.Concat(b.Snapshot.Failures(), b.Users.Failures()) {
		if user := b.Types.Kind(f.Kind); user != nil && user != t && !user.ReadOnly && mayUse(b, user, t) {
			return diag.A(resource.Words(f.Kind))
		}
	}
	return ""
}

// mayUse reports whether resources of a type, or their children, may refer to
// resources of another, or to their children.
func mayUse(b *Draft, user, t *resource.Type) bool {
	uses := b.Types.Uses(t.Kind)
	for _, derived := range b.Types.DerivedFrom(t.Kind) {
		uses = slices.Concat(uses, b.Types.Uses(derived.Kind))
	}
	for _, use := range b.Types.NamedBy(t.Kind) {
		if use.OnDelete == resource.Refuses {
			uses = append(slices.Clip(uses), use)
		}
	}
	for _, use := range uses {
		for by := use.By; by != nil; by = by.Parent {
			if by == user {
				return true
			}
		}
	}
	return slices.ContainsFunc(t.Children, func(child *resource.Type) bool { return mayUse(b, user, child) })
}

// stays warns of something that is not deleted because of what could not be
// read.
func stays(b *Draft, what, unread string) {
	b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{Message: fmt.Sprintf("the %s stays, because %s that may use it could not be read", what, unread)})
}

// mayBeUsed reports whether something that could not be read may use a resource
// that would be created again.
func mayBeUsed(b *Draft, r *resource.Resource) bool {
	unread := unreadUsers(b, r.Type)
	if unread != "" {
		b.Plan.Errors = append(b.Plan.Errors, plan.Problem{
			ResourceType: r.Type.Kind, ResourceRef: r.Ref,
			Message: fmt.Sprintf("it cannot be deleted and created again, because %s that may use it could not be read", unread),
		})
	}
	return unread != ""
}

// failures are what could not be read, each once.
func failures(b *Draft) []resource.Failure {
	out := b.Snapshot.Failures()
	for _, f := range b.Users.Failures() {
		if !slices.ContainsFunc(out, func(x resource.Failure) bool { return x.Kind == f.Kind && x.Err.Error() == f.Err.Error() }) {
			out = append(out, f)
		}
	}
	return out
}
