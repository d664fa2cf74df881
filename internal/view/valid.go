package view

import (
	"io"
	"strings"
)

// Valid is the document of a configuration without errors.
type Valid struct {
	Valid bool `json:"valid"`
	// Documents and Resources count what was checked.
	Documents   int          `json:"documents"`
	Resources   int          `json:"resources"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Text says it to people.
func (v Valid) Text() string {
	text := "The configuration is valid: " + count(v.Resources, "resource") + " in " + count(v.Documents, "document")
	if n := len(v.Diagnostics); n > 0 {
		text += ", " + count(n, "warning")
	}
	return text + "."
}

// WriteMarkdown says it in a pull request.
func (v Valid) WriteMarkdown(w io.Writer) error {
	doc := mdDocument{head: "### " + v.Text() + "\n\n", whole: "All of it is on standard error."}
	n := note{title: "Warnings", color: yellow}
	for _, d := range v.Diagnostics {
		n.items = append(n.items, printable(strings.ReplaceAll(sentences(d), "\n", " ")))
	}
	if len(n.items) > 0 {
		doc.parts = append(doc.parts, mdNote(n))
	}
	return doc.write(w, maxMarkdown)
}
