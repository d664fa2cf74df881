package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
)

// notCompared says that a plan cannot tell whether secrets changed, and how to
// write them.
func notCompared(p *plan.Plan) string {
	var open int
	var fixed []string
	for _, x := range p.NotCompared {
		if !x.Immutable {
			open++
		} else if !slices.Contains(fixed, x.ResourceRef) {
			fixed = append(fixed, x.ResourceRef)
		}
	}
	text := ""
	switch {
	case open == 1:
		text += " 1 secret is not compared: --write-secrets writes it."
	case open > 1:
		text += fmt.Sprintf(" %d secrets are not compared: --write-secrets writes them.", open)
	}
	switch n := len(p.NotCompared) - open; n {
	case 0:
	case 1:
		text += " 1 secret is not compared and needs a replace: " + asking(fixed) + "."
	default:
		text += fmt.Sprintf(" %d secrets are not compared and need a replace: %s.", n, asking(fixed))
	}
	return text
}

// asking are the flags that ask for some refs.
func asking(refs []string) string {
	const most = 3
	var out []string
	for _, ref := range refs[:min(len(refs), most)] {
		out = append(out, "--write-secret "+printable(ref))
	}
	if len(refs) > most {
		out = append(out, "…")
	}
	return strings.Join(out, " ")
}
