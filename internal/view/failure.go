package view

import "github.com/kongctl/kongctl/internal/diag"

// Error is why a command failed, for programs.
type Error struct {
	Message  string `json:"message"`
	ExitCode int    `json:"exit_code"`
}

// Failure is the document of a command that ended without another one.
type Failure struct {
	Error       *Error       `json:"error"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic is a diagnostic for programs.
type Diagnostic struct {
	Code     string `json:"code"`
	Severity string `json:"severity"` // error, warning or note
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail,omitempty"`
	Fix      string `json:"fix,omitempty"`
}

// Diagnostics are diagnostics for programs, in their order.
func Diagnostics(list diag.List) []Diagnostic {
	out := []Diagnostic{}
	for _, d := range list {
		out = append(out, Diagnostic{
			Code: string(d.Code), Severity: d.Severity.String(), File: d.Pos.File, Line: d.Pos.Line, Column: d.Pos.Column,
			Summary: d.Summary, Detail: d.Detail, Fix: d.Fix,
		})
	}
	return out
}
