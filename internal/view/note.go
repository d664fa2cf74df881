package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
)

// note is a list of what people must know beside the changes.
type note struct {
	title string
	color color
	items []string
}

// notPlanned is the title of what could not be read.
const notPlanned = "Not planned"

// noteList are the notes of a plan; each has an item.
func noteList(p *plan.Plan) []note {
	reads := note{title: "Reads when executed", color: bold}
	if p.Metadata.Reads != nil {
		for _, f := range p.Metadata.Reads.Files {
			reads.items = append(reads.items, "file "+printable(f))
		}
		for _, name := range p.Metadata.Reads.Variables {
			reads.items = append(reads.items, "variable "+printable(name))
		}
	}
	pending := note{title: "Pending", color: yellow}
	for _, x := range p.Pending {
		pending.items = append(pending.items, pendingLine(x))
	}
	blocked := note{title: "Blocked", color: red}
	for _, b := range p.Blocked {
		blocked.items = append(blocked.items, fmt.Sprintf("%s%s: %s (%s)", verb(string(b.Action)), resource(b.ResourceType, b.ResourceRef), printable(b.Message), printable(b.By)))
	}
	unread := note{title: notPlanned, color: red}
	for _, e := range p.Errors {
		unread.items = append(unread.items, resource(e.ResourceType, e.ResourceRef)+": "+printable(e.Message))
	}
	warnings := note{title: "Warnings", color: yellow}
	for _, w := range p.Warnings {
		text := printable(w.Message)
		if c := p.Change(w.ChangeID); c != nil {
			text = subject(c) + ": " + text
		} else if w.ResourceRef != "" {
			text = resource(w.ResourceType, w.ResourceRef) + ": " + text
		}
		warnings.items = append(warnings.items, text)
	}
	refused := note{title: "Refused by the policy", color: red}
	if p.Error != nil {
		for _, text := range p.Error.Rules {
			refused.items = append(refused.items, printable(text))
		}
	}
	return slices.DeleteFunc([]note{refused, reads, pending, blocked, unread, warnings}, func(n note) bool { return len(n.items) == 0 })
}

// headline is a closing line that stands above the notes.
func headline(closing string) string {
	return strings.Replace(closing, "See the warnings above", "See the warnings below", 1)
}
