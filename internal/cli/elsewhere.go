package cli

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/profile"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/view"
)

// mostElsewhere is how many runs of elsewhere a message names.
const mostElsewhere = 5

// elsewhereText says where unfinished runs belong that are not continued here, and
// what continues them.
func elsewhereText(e *engine.ElsewhereError) string {
	text := e.Error()
	for i, u := range e.Runs {
		if i == mostElsewhere {
			text += fmt.Sprintf("\n  %s elsewhere: `kongctl resume --list` lists them.", plural(len(e.Runs)-i, "more run is", "more runs are"))
			break
		}
		m := u.Plan.Metadata
		text += fmt.Sprintf("\n  The run %s belongs to %s: `kongctl resume%s %s` continues it.", u.ID, view.PlaceOf(m).Words(), leadingTo(m.Organization), u.ID)
	}
	return text
}

// leadingTo are the flags that lead to the organization of a plan; the token comes
// from elsewhere.
func leadingTo(o plan.Organization) string {
	if o.Embedded != "" {
		return " --local --data " + terminal.ShellWord(o.Embedded)
	}
	out := ""
	if o.Profile != "" && o.Profile != profile.DefaultName {
		out += " -p " + terminal.ShellWord(o.Profile)
	}
	switch {
	case o.Region != "":
		out += " --region " + terminal.ShellWord(o.Region)
	case o.BaseURL != "":
		out += " --base-url " + terminal.ShellWord(o.BaseURL)
	}
	return out
}
