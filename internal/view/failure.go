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
type Diagnostic = diag.Record

// Diagnostics are diagnostics for programs, in their order.
func Diagnostics(list diag.List) []Diagnostic { return list.Records() }
