package plan

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/config"
)

// noteLeftOut notes that a delete would also delete, by cascade, a resource that
// the filter leaves out or that is not planned for another reason.
func (b *builder) noteLeftOut(u used) {
	alone := u.r != nil && b.selection.leftOut(u.r)
	if u.r == nil && slices.Contains(b.Set.Namespaces, u.user.Namespace()) {
		alone = b.selection.spares(u.user.Type, u.user.Object, b.parentOf(u))
	}
	if alone {
		b.leftOut[u.by] = append(b.leftOut[u.by], userName(u.user))
	}
}

// parentOf is the declared resource that a user belongs to; nil where it has
// none.
func (b *builder) parentOf(u used) *config.Resource {
	t, above := u.user.Type, u.user.Ancestors
	if t.Parent == nil || len(above) == 0 {
		return nil
	}
	return b.declaredAt[objectKey(t.Parent, above[len(above)-1], above[:len(above)-1])]
}

// guardLeftOut refuses a delete that would also delete what is left alone.
func guardLeftOut(b *builder) map[*Change]string {
	out := map[*Change]string{}
	for c, lost := range b.leftOut {
		if slices.Contains(b.plan.Changes, c) {
			out[c] = fmt.Sprintf("Deleting it would also delete what is left alone: %s.", strings.Join(lost, ", "))
		}
	}
	return out
}
