package engine

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/plan/choose"
)

// comparison counts the declared resources that were compared with what exists,
// and those that a filter leaves out. What waits for others or could not be read
// is neither.
func comparison(w *Walk, pending []plan.Pending, problems []plan.Problem) (compared, ignored int) {
	aside := map[[2]string]bool{}
	for _, p := range pending {
		aside[[2]string{p.ResourceType, p.ResourceRef}] = true
	}
	for _, p := range problems {
		aside[[2]string{p.ResourceType, p.ResourceRef}] = true // without a ref: all of its type
	}
	selection := choose.NewSelection(w.Set, w.State, w.filter)
	for _, r := range w.Set.Resources {
		switch {
		case r.External != nil:
		case selection.LeftOut(r):
			ignored++
		case aside[[2]string{r.Type.Kind, ""}], aside[[2]string{r.Type.Kind, r.Ref}]:
		default:
			compared++
		}
	}
	if w.Request.Scope.Gateway {
		ignored = 0 // nobody asked for a filter
	}
	return compared, ignored
}

// entities counts the parts of what is attached to resources, where they were
// compared.
func entities(attached []*build.Attachment) int {
	n := 0
	for _, a := range attached {
		if a.Err == nil {
			n += a.Size
		}
	}
	return n
}
