// Package page renders a plan as one HTML file that needs nothing else: no other
// file, no network, no server.
//
// In: what the page shows, as plain values. Out: HTML on a writer. What comes from
// elsewhere is text, whatever it contains, and a Content-Security-Policy lets only
// the page's own script and style in. It must never import the rest of this program.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.html
var source string

//go:embed page.css
var style string

//go:embed page.js
var script string

// Page is what the page shows.
type Page struct {
	// Title is that of the window, Headline says what the plan does.
	Title, Headline string
	Facts           []Fact
	Actions         []Choice
	Types           []Choice
	Namespaces      []Choice
	Notes           []Note
	Groups          []Group
	// Graph is a drawing as SVG, GraphNote what it shows.
	Graph, GraphNote string
	// Total is how many changes there are.
	Total int
}

// Fact is something about the plan.
type Fact struct{ Name, Text string }

// Choice is a value of a filter, and how many changes have it.
type Choice struct {
	Value, Text string
	Count       int
}

// Note is a list of what people must know. Level is red, yellow or "".
type Note struct {
	Title, Level string
	Items        []string
}

// Group is what changes in a root resource and below it. Name is that of a root that
// does not change itself.
type Group struct {
	Name, Summary string
	Changes       []Change
}

// Change is one change.
type Change struct {
	// Anchor is its name in links, of letters, digits and - alone.
	Anchor       string
	Action, Sign string
	Type, Name   string
	Details      string
	Namespace    string
	Source       string
	Depth        int
	Open         bool
	// Lines are what is new or gone as a whole, Rows what differs.
	Lines []string
	Rows  []Row
	Needs []Link
}

// Link leads to another change.
type Link struct{ Anchor, Text string }

// Row is a difference. Kind is pair (a field before and after), head (what the next
// rows are about), hunk (where in a text they are), same or line (of a text).
type Row struct {
	Kind, Name string
	Old, New   string
	// NoOld and NoNew say that a side has nothing.
	NoOld, NoNew bool
}

// Write renders the page.
func Write(w io.Writer, p Page) error {
	t, err := template.New("page").Parse(source)
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return t.Execute(w, struct {
		Page
		Policy string
		Style  template.CSS
		Script template.JS
		Graph  template.HTML
	}{
		Page:   p,
		Policy: "default-src 'none'; style-src '" + digest(style) + "'; script-src '" + digest(script) + "'; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(style), Script: template.JS(script), //nolint:gosec // both are files of this package
		Graph: template.HTML(p.Graph), //nolint:gosec // drawn by layered, which escapes
	})
}

// digest is what a policy calls a script or a style.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
