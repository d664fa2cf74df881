package view

import (
	"fmt"
	"io"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/lint"
	"github.com/kongctl/kongctl/internal/terminal"
)

// Lint is the document of findings of rules over a file.
type Lint struct {
	// Total counts all findings, Fail those that fail the run.
	Total   int          `json:"total_count"`
	Fail    int          `json:"fail_count"`
	Results []LintResult `json:"results"`
	Error   *Error       `json:"error,omitempty"`
	// Diagnostics are the findings once more, where they fail the run.
	Diagnostics []Diagnostic `json:"diagnostics,omitzero"`
}

// LintResult is one finding.
type LintResult struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Path     string `json:"path"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// NewLint makes the document. Findings below the bound do not fail the run, and are
// left out where only failures are shown.
func NewLint(found []lint.Finding, bound lint.Severity, onlyFailures bool) Lint {
	out := Lint{Total: len(found), Results: []LintResult{}}
	for _, f := range found {
		fails := f.Severity.AtLeast(bound)
		if fails {
			out.Fail++
		}
		if fails || !onlyFailures {
			out.Results = append(out.Results, LintResult{f.Rule, string(f.Severity), f.Message, f.Path, f.Pos.File, f.Pos.Line, f.Pos.Column})
		}
	}
	return out
}

// Compatible is the document with the keys of the tool that rulesets come from.
func (l Lint) Compatible() any {
	type result struct {
		Message   string `json:"Message"`
		Severity  string `json:"Severity"`
		Line      int    `json:"Line"`
		Column    int    `json:"Column"`
		Character int    `json:"Character"`
		Path      string `json:"Path"`
	}
	results := []result{}
	for _, r := range l.Results {
		results = append(results, result{Message: r.Message, Severity: r.Severity, Line: r.Line, Column: r.Column, Path: r.Path})
	}
	return struct {
		Total   int      `json:"total_count"`
		Fail    int      `json:"fail_count"`
		Results []result `json:"results"`
	}{l.Total, l.Fail, results}
}

// Findings are the findings for programs that show diagnostics: what is below a
// warning is a note.
func (l Lint) Findings() []Diagnostic {
	out := []Diagnostic{}
	for _, r := range l.Results {
		severity := noteSeverity
		switch r.Severity {
		case string(lint.Error):
			severity = diag.Error.String()
		case string(lint.Warn):
			severity = diag.Warning.String()
		}
		out = append(out, Diagnostic{Code: r.Rule, Severity: severity, Summary: r.Message, Detail: r.Path, File: r.File, Line: r.Line, Column: r.Column})
	}
	return out
}

// WriteText writes the findings for people.
func (l Lint) WriteText(w io.Writer, style Style) error {
	var b strings.Builder
	by := map[string]int{}
	for _, r := range l.Results {
		by[r.Severity]++
		loud := dim
		switch lint.Severity(r.Severity) {
		case lint.Error:
			loud = red
		case lint.Warn:
			loud = yellow
		case lint.Info, lint.Hint:
		}
		fmt.Fprintf(&b, "%s: %s\n", style.paint(loud, terminal.Line(r.Severity+"["+r.Rule+"]")), style.paint(bold, terminal.Line(r.Message)))
		fmt.Fprintf(&b, "  %s %s\n", style.paint(dim, "-->"), terminal.Line(fmt.Sprintf("%s:%d:%d", r.File, r.Line, r.Column)))
		fmt.Fprintf(&b, "  %s\n\n", terminal.Line(r.Path))
	}
	b.WriteString(l.sum(by) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// sum counts the findings: 3 findings: 1 error, 2 hints.
func (l Lint) sum(by map[string]int) string {
	if l.Total == 0 {
		return "No findings."
	}
	var parts []string
	for _, s := range lint.Severities() {
		if n := by[string(s)]; n > 0 {
			word := map[lint.Severity]string{lint.Error: "error", lint.Warn: "warning", lint.Info: "note", lint.Hint: "hint"}[s]
			parts = append(parts, count(n, word))
		}
	}
	text := count(l.Total, "finding")
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if hidden := l.Total - len(l.Results); hidden > 0 {
		text += fmt.Sprintf(" (%d not shown)", hidden)
	}
	return text + "."
}
