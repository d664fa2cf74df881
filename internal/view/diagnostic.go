package view

import (
	"io"

	"github.com/kongctl/kongctl/internal/diag"
)

// WriteDiagnostics renders diagnostics for people.
func WriteDiagnostics(w io.Writer, list diag.List, style Style) error {
	return list.WriteWith(w, func(p diag.Part, s diag.Severity, text string) string {
		loud := red
		if s == diag.Warning {
			loud = yellow
		}
		switch p {
		case diag.Head, diag.Marks:
			return style.paint(loud, text)
		case diag.Summarized:
			return style.paint(bold, text)
		default:
			return style.paint(dim, text)
		}
	}, style.Width)
}
