package view

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitFailure `xml:"failure"`
	Error   *junitFailure `xml:"error"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

// WriteJUnit writes findings as a JUnit report: errors are failed tests, warnings
// are tests that pass with a text. Without a finding there is one test, which
// passes.
func (f Findings) WriteJUnit(w io.Writer) error {
	suite := junitSuite{Name: "kongctl"}
	for _, d := range f.Diagnostics {
		where := value.Pos{File: d.File, Line: d.Line, Column: d.Column}
		c := junitCase{Class: plainText(d.Code), Name: plainText(strings.TrimPrefix(where.String()+": "+d.Summary, ": ")), File: plainText(d.File), Line: d.Line}
		if d.Severity == diag.Warning.String() || d.Severity == noteSeverity {
			c.Out = plainText(sentences(d))
		} else {
			suite.Failures++
			c.Failure = &junitFailure{plainText(d.Summary), plainText(d.Code), plainText(sentences(d))}
		}
		suite.Cases = append(suite.Cases, c)
	}
	switch {
	case f.Error != nil && suite.Failures == 0:
		suite.Errors++
		suite.Cases = append(suite.Cases, junitCase{Class: "kongctl", Name: "run", Error: &junitFailure{plainText(f.Error.Message), "error", plainText(f.Error.Message)}})
	case len(suite.Cases) == 0:
		suite.Cases = []junitCase{{Class: "kongctl", Name: "configuration"}}
	}
	suite.Tests = len(suite.Cases)
	raw, err := xml.MarshalIndent(junitSuites{Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Suite: suite}, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(raw)+"\n")
	return err
}

// plainText is text without what XML has no place for, and without what a terminal or
// a page would obey.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsGraphic(r) {
			return r
		}
		return '\uFFFD'
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

type quality struct {
	Description string          `json:"description"`
	CheckName   string          `json:"check_name"`
	Fingerprint string          `json:"fingerprint"`
	Severity    string          `json:"severity"`
	Location    qualityLocation `json:"location"`
}

type qualityLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

// WriteCodeQuality writes findings as a code quality report, which GitLab shows at
// the lines of a merge request.
func (f Findings) WriteCodeQuality(w io.Writer) error {
	out, seen := []quality{}, map[string]int{}
	add := func(d Diagnostic, severity string) {
		q := quality{Description: strings.ReplaceAll(plainText(strings.TrimSuffix(upperFirst(d.Summary)+": "+d.Detail, ": ")), "\n", " "), CheckName: plainText(d.Code), Severity: severity}
		q.Location.Path, q.Location.Lines.Begin = strings.TrimPrefix(filepath.ToSlash(d.File), "./"), max(d.Line, 1)
		// The line is not part of it: what moves is the same finding. Those that are
		// alike are numbered.
		key := d.Code + "\x00" + q.Location.Path + "\x00" + d.Detail
		seen[key]++
		sum := sha256.Sum256([]byte(fmt.Sprintf("%s\x00%d", key, seen[key])))
		q.Fingerprint = hex.EncodeToString(sum[:16])
		out = append(out, q)
	}
	for _, d := range f.Diagnostics {
		add(d, severityAs(d, "major", "minor", "info"))
	}
	if f.Error != nil && len(f.Diagnostics) == 0 {
		add(Diagnostic{Code: "error", Summary: f.Error.Message}, "critical")
	}
	return WriteJSON(w, out)
}
