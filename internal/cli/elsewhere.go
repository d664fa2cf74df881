package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/profile"
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
		return " --local --data " + shellWord(o.Embedded)
	}
	out := ""
	if o.Profile != "" && o.Profile != profile.DefaultName {
		out += " -p " + shellWord(o.Profile)
	}
	switch {
	case o.Region != "":
		out += " --region " + shellWord(o.Region)
	case o.BaseURL != "":
		out += " --base-url " + shellWord(o.BaseURL)
	}
	return out
}

// resumeCommand is what to type to continue a run of this command: the flags that
// say where are the same.
func resumeCommand(f *factory) string { return "kongctl resume" + whereFlags(f) }

// leadFixes gives the commands in fixes the flags of this one that say where: without
// them they would ask another Konnect.
func leadFixes(f *factory, err error) {
	var found *diag.ListError
	if where := whereFlags(f); where != "" && errors.As(err, &found) {
		for i, d := range found.List {
			for _, verb := range strings.Fields("adopt api") {
				d.Fix = strings.ReplaceAll(d.Fix, "kongctl "+verb+" ", "kongctl "+verb+where+" ")
			}
			found.List[i] = d
		}
	}
}

// whereFlags are the flags of this command that say which Konnect or cluster it asks.
func whereFlags(f *factory) string {
	var out strings.Builder
	if f.flags == nil {
		return ""
	}
	for _, name := range []string{
		"config-file", "profile", "local", "data", "region", "base-url", "base-auth-url",
		"kubeconfig", "context", "cluster", "user", "server",
	} {
		flag := f.flags.Lookup(name)
		switch {
		case flag == nil || !flag.Changed:
		case flag.Value.Type() == "bool":
			out.WriteString(" --" + name)
		default:
			out.WriteString(" --" + name + " " + shellWord(flag.Value.String()))
		}
	}
	return out.String()
}
