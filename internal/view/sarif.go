package view

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
)

// Findings are diagnostics for programs that show findings: code hosts, editors
// and pipelines.
type Findings struct {
	Diagnostics []Diagnostic
	// Error is why the command failed, where it did.
	Error *Error
	// Version is that of this program.
	Version string
}

// PlanFindings are the warnings of loading a configuration, and what a plan says
// beside its changes, at the lines of the configuration that it is about.
func PlanFindings(warnings diag.List, p *plan.Plan) []Diagnostic {
	out := Diagnostics(warnings.Sorted())
	by := map[string]*plan.Source{}
	for _, c := range p.Changes {
		if c.Source != nil {
			by[c.ResourceType+" "+c.ResourceRef] = c.Source
		}
	}
	add := func(code, severity, kind, ref, summary, detail string) {
		d := Diagnostic{Code: code, Severity: severity, Summary: summary, Detail: detail}
		if at := by[kind+" "+ref]; at != nil {
			d.File, d.Line, d.Column = at.File, at.Line, at.Column
		}
		out = append(out, d)
	}
	for _, b := range p.Blocked {
		add("blocked", diag.Error.String(), b.ResourceType, b.ResourceRef, "a change is blocked", verb(string(b.Action))+resource(b.ResourceType, b.ResourceRef)+": "+printable(b.Message))
	}
	for _, e := range p.Errors {
		add("not-planned", diag.Error.String(), e.ResourceType, e.ResourceRef, "a part could not be planned", resource(e.ResourceType, e.ResourceRef)+": "+printable(e.Message))
	}
	for _, w := range p.Warnings {
		kind, ref := w.ResourceType, w.ResourceRef
		text := printable(w.Message)
		if c := p.Change(w.ChangeID); c != nil {
			kind, ref = c.ResourceType, c.ResourceRef
		}
		if ref != "" {
			text = resource(kind, ref) + ": " + text
		}
		add("plan-warning", diag.Warning.String(), kind, ref, "a warning of the plan", text)
	}
	return out
}

// noteSeverity is the severity of what is less than a warning.
const noteSeverity = "note"

// severityAs is the word for the severity of a diagnostic.
func severityAs(d Diagnostic, bad, warning, noted string) string {
	switch d.Severity {
	case diag.Warning.String():
		return warning
	case noteSeverity:
		return noted
	default:
		return bad
	}
}

// sentences are a diagnostic in words: what, why and what to do.
func sentences(d Diagnostic) string {
	parts := []string{upperFirst(d.Summary)}
	if d.Detail != "" {
		parts = append(parts, d.Detail)
	}
	if d.Fix != "" {
		parts = append(parts, "Fix: "+d.Fix)
	}
	return strings.Join(parts, "\n")
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

type sarifPhysical struct {
	ArtifactLocation struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region *sarifRegion `json:"region,omitempty"`
}

type sarifLocation struct {
	PhysicalLocation sarifPhysical `json:"physicalLocation"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	ExitCode            int                 `json:"exitCode"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Name    string      `json:"name"`
			Version string      `json:"version,omitempty"`
			Rules   []sarifRule `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
	Invocations []sarifInvocation `json:"invocations"`
}

// WriteSARIF writes findings as SARIF 2.1.0.
func (f Findings) WriteSARIF(w io.Writer) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver.Name, run.Tool.Driver.Version, run.Tool.Driver.Rules = "kongctl", f.Version, []sarifRule{}
	for _, d := range f.Diagnostics {
		rule := slices.IndexFunc(run.Tool.Driver.Rules, func(r sarifRule) bool { return r.ID == d.Code })
		if rule < 0 {
			rule = len(run.Tool.Driver.Rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{d.Code, sarifText{d.Summary}})
		}
		r := sarifResult{RuleID: d.Code, RuleIndex: rule, Level: severityAs(d, "error", "warning", noteSeverity), Message: sarifText{sentences(d)}}
		if d.File != "" {
			var at sarifLocation
			at.PhysicalLocation.ArtifactLocation.URI = fileURI(d.File)
			if d.Line > 0 {
				at.PhysicalLocation.Region = &sarifRegion{d.Line, d.Column}
			}
			r.Locations = []sarifLocation{at}
		}
		run.Results = append(run.Results, r)
	}
	invocation := sarifInvocation{ExecutionSuccessful: true}
	if f.Error != nil {
		invocation = sarifInvocation{ExitCode: f.Error.ExitCode, Notifications: []sarifNotification{{"error", sarifText{f.Error.Message}}}}
	}
	run.Invocations = []sarifInvocation{invocation}
	return WriteJSON(w, struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// fileURI names a file in a URI; one in the current folder stays relative.
func fileURI(file string) string {
	if remote, err := url.Parse(file); err == nil && (remote.Scheme == "https" || remote.Scheme == "http") {
		return remote.String()
	}
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}
