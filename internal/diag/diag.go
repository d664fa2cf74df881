// Package diag holds diagnostics: what is wrong, where, why, and what to type.
//
// In: a code from the table of codes, a position and words. Out: one form of
// text everywhere. It must never import a package that produces diagnostics.
package diag

import (
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/value"
)

// Severity says whether a run may continue.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
)

// String is the word in front of the code.
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Diagnostic is one finding. The summary comes from the code and carries no
// data of the user's; the detail says what and why; the fix says what to type.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Summary  string
	Pos      value.Pos
	Detail   string
	Fix      string
	// Command is what Fix says to run, where that asks the target: it must ask the one
	// that was asked.
	Command Command
	// Excerpt is the line at Pos, where it may be shown.
	Excerpt Excerpt
}

// New makes an error with the summary of its code.
func New(code Code, pos value.Pos, detail, fix string) Diagnostic {
	return Diagnostic{Code: code, Summary: Summary(code), Pos: pos, Detail: detail, Fix: fix}
}

// Warn makes a warning with the summary of its code.
func Warn(code Code, pos value.Pos, detail, fix string) Diagnostic {
	d := New(code, pos, detail, fix)
	d.Severity = Warning
	return d
}

// List collects diagnostics.
type List []Diagnostic

// Add appends an error.
func (l *List) Add(code Code, pos value.Pos, detail, fix string) {
	*l = append(*l, New(code, pos, detail, fix))
}

// HasErrors tells whether a run must stop.
func (l List) HasErrors() bool {
	for _, d := range l {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Sorted returns the list by file, line and column, duplicates dropped, and warnings
// of what is an error at the same place.
func (l List) Sorted() List {
	out := append(List(nil), l...)
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.Pos.File != b.Pos.File {
			return a.Pos.File < b.Pos.File
		}
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line < b.Pos.Line
		}
		if a.Pos.Column != b.Pos.Column {
			return a.Pos.Column < b.Pos.Column
		}
		return a.Code < b.Code
	})
	type place struct {
		pos  value.Pos
		code Code
	}
	failed := map[place]bool{}
	for _, d := range out {
		if d.Severity == Error && d.Pos != (value.Pos{}) {
			failed[place{d.Pos, d.Code}] = true
		}
	}
	var kept List
	for i, d := range out {
		if (i == 0 || d != out[i-1]) && (d.Severity == Error || !failed[place{d.Pos, d.Code}]) {
			kept = append(kept, d)
		}
	}
	return kept
}

// Err returns the list as an error, or nil when it holds none.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return &ListError{List: l}
}

// ListError carries diagnostics through error returns.
type ListError struct{ List List }

// Error renders all of them.
func (e *ListError) Error() string {
	var b strings.Builder
	_ = e.List.Write(&b)
	return strings.TrimRight(b.String(), "\n")
}

// Write renders the list, a blank line between diagnostics.
func (l List) Write(w io.Writer) error { return l.WriteWith(w, plain, 0) }

// WriteWith is Write with the parts painted, and with source lines that fit into a
// number of columns; 0 is any number.
func (l List) WriteWith(w io.Writer, p Paint, columns int) error {
	for i, d := range l.Sorted() {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(w, d.text(p, columns)); err != nil {
			return err
		}
	}
	return nil
}

// String renders one diagnostic, ending in a newline.
func (d Diagnostic) String() string { return d.text(plain, 0) }

func (d Diagnostic) text(paint Paint, columns int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", paint(Head, d.Severity, fmt.Sprintf("%s[%s]", d.Severity, d.Code)), paint(Summarized, d.Severity, d.Summary))
	if d.Pos != (value.Pos{}) {
		fmt.Fprintf(&b, "  %s %s\n", paint(Frame, d.Severity, "-->"), terminal.Line(d.Pos.String()))
	}
	if d.Excerpt.Line != "" && d.Pos.Line > 0 {
		number := strconv.Itoa(d.Pos.Line)
		line, marks := d.Excerpt.shown(room(columns, len("    | ")+len(number)))
		fmt.Fprintf(&b, "   %s %s\n", paint(Frame, d.Severity, number+" |"), line)
		fmt.Fprintf(&b, "   %s %s\n", paint(Frame, d.Severity, strings.Repeat(" ", len(number))+" |"), paint(Marks, d.Severity, marks))
	}
	writeIndented(&b, "", d.Detail)
	writeIndented(&b, "fix: ", d.Fix)
	return b.String()
}

// Paint colours a part of a diagnostic.
type Paint func(p Part, s Severity, text string) string

// Part is what has a colour of its own.
type Part uint8

// The parts.
const (
	Head Part = iota
	Summarized
	Frame
	Marks
)

func plain(_ Part, _ Severity, text string) string { return text }

func writeIndented(b *strings.Builder, label, text string) {
	if text == "" {
		return
	}
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if i == 0 {
			line = label + terminal.Line(line)
		} else {
			line = terminal.Further(line)
		}
		b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
	}
}
