package view_test

import (
	"io"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/lint"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view"
)

func TestLint(t *testing.T) {
	found := []lint.Finding{
		{Rule: "a", Severity: lint.Error, Message: "m", Path: "$.a", Pos: value.Pos{File: "f.yaml", Line: 1, Column: 2}},
		{Rule: "b", Severity: lint.Warn, Message: "n", Path: "$.b"},
		{Rule: "c", Severity: lint.Info, Message: "o", Path: "$.c"},
		{Rule: "d", Severity: lint.Hint, Message: "p", Path: "$.d"},
	}
	for name, c := range map[string]struct {
		found []lint.Finding
		bound lint.Severity
		only  bool
		fails int
		end   string
	}{
		"all":       {found, lint.Warn, false, 2, "\n\n4 findings: 1 error, 1 warning, 1 note, 1 hint.\n"},
		"failures":  {found, lint.Warn, true, 2, "\n\n4 findings: 1 error, 1 warning (2 not shown).\n"},
		"none fail": {found[3:], lint.Error, true, 0, "1 finding (1 not shown).\n"},
		"nothing":   {nil, lint.Hint, false, 0, "No findings.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			l := view.NewLint(c.found, c.bound, c.only)
			var b strings.Builder
			if err := l.WriteText(&b, view.Style{}); err != nil {
				t.Fatal(err)
			}
			if l.Fail != c.fails || !strings.HasSuffix(b.String(), c.end) {
				t.Errorf("%d fail:\n%s", l.Fail, b.String())
			}
		})
	}
	severities := ""
	for _, d := range view.NewLint(found, lint.Error, false).Findings() {
		severities += d.Severity + " "
	}
	if severities != "error warning note note " {
		t.Error(severities)
	}
}

// TestLintIsHarmless asserts that what a file says cannot make lines or colours.
func TestLintIsHarmless(t *testing.T) {
	x := testkit.HostileBytes
	l := view.NewLint([]lint.Finding{{Rule: x, Severity: lint.Error, Message: x, Path: x, Pos: value.Pos{File: x, Line: 1}}}, lint.Error, false)
	var b strings.Builder
	if err := l.WriteText(&b, view.Style{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\x1b") || strings.Count(b.String(), "\n") != 5 {
		t.Errorf("%q", b.String())
	}
}

// What is less than a warning is a note in every form.
func TestLintNotes(t *testing.T) {
	pos := value.Pos{File: "a.yaml", Line: 1, Column: 1}
	var found []lint.Finding
	for _, s := range lint.Severities() {
		found = append(found, lint.Finding{Rule: string(s), Severity: s, Message: "m", Pos: pos})
	}
	list := view.NewLint(found, lint.Hint, false).Findings()
	findings := view.Findings{Diagnostics: list}
	for name, row := range map[string]struct {
		write func(io.Writer) error
		want  []string
	}{
		"sarif":        {findings.WriteSARIF, []string{`"level": "error"`, `"level": "warning"`, `"level": "note"`}},
		"junit":        {findings.WriteJUnit, []string{`failures="1"`}},
		"code quality": {findings.WriteCodeQuality, []string{`"severity": "major"`, `"severity": "minor"`, `"severity": "info"`}},
		"annotations":  {func(w io.Writer) error { return view.WriteAnnotations(w, list, func(s string) string { return s }) }, []string{"::error ", "::warning ", "::notice "}},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := row.write(&b); err != nil {
				t.Fatal(err)
			}
			for _, want := range row.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("no %s in\n%s", want, b.String())
				}
			}
		})
	}
}
