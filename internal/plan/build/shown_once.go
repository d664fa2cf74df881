package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// WriteGeneratedFlag writes what targets generate and show once to a file.
const WriteGeneratedFlag = "--write-generated"

// shownOnce is a create of a resource that leaves out secrets, which its target generates
// then and shows once.
type shownOnce struct {
	change *plan.Change
	r      *resource.Resource
	again  bool // one that exists is replaced, or goes with its parent
	fields []string
}

// tellShownOnce warns of secrets that are generated and shown once: nothing keeps them by
// itself.
func tellShownOnce(b *Draft) {
	for _, x := range b.shownOnce {
		for _, field := range x.fields {
			if !slices.Contains(b.Plan.Changes, x.change) {
				continue // it is refused
			}
			what := fmt.Sprintf("The %s leaves out %s. Konnect generates it", x.r.Describe(), field)
			if x.again {
				what = fmt.Sprintf("The %s is created again and leaves out %s. Konnect generates another one, which ends the present one,", x.r.Describe(), field)
				tell(b, x.r, []string{fmt.Sprintf("its %s changes: Konnect generates another one, and the present one is no longer valid", field)})
			}
			b.diags = append(b.diags, diag.Warn(diag.ValShownOnce, x.r.Pos, what+" and shows it once, in the answer to the create: nobody can read it later.",
				fmt.Sprintf("write %s: !secret {source: !env NAME}, or pass %s FILE to apply or sync, which writes it to a new file.", field, WriteGeneratedFlag)))
		}
	}
}
