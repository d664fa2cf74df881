package cli

import (
	"errors"
	"io"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/view"
)

// counter remembers whether anything was written.
type counter struct {
	io.Writer
	wrote bool
}

// Write writes.
func (c *counter) Write(p []byte) (int, error) {
	c.wrote = c.wrote || len(p) > 0
	return c.Writer.Write(p)
}

// writeErrorDocument writes the one document that programs read where a command
// that was asked for json or yaml ended before it had one. Standard error has the
// text for people.
func writeErrorDocument(f *factory, form string, err error) {
	s := f.world.streams
	if form == formJSONL {
		endLines(f, err)
		return
	}
	if err == nil || s.written == nil || s.written.wrote {
		return
	}
	failed := view.Failure{Error: failure(f, err), Diagnostics: diagnosed(err)}
	switch form { // where standard output is gone, nobody reads it
	case formSARIF, formJUnit, formCodeQuality:
		_ = writeFindings(f, form, view.Findings{Diagnostics: failed.Diagnostics, Error: failed.Error})
	default:
		_ = s.document(form, failed)
	}
}

// failure is an error for programs; nil where nothing went wrong.
func failure(f *factory, err error) *view.Error {
	var (
		list  *diag.ListError
		usage *usageError
	)
	if err == nil {
		return nil
	}
	text := message(err)
	var policy *policyError
	switch problem, ofFile := engine.FileProblem(err); {
	case errors.As(err, &policy):
		text = policy.message()
	case ofFile:
		text = problem.Summary
	case errors.As(err, &list):
		text = counted(list.List)
	case errors.As(err, &usage) && usage.Hint != "":
		text += "; " + usage.Hint
	}
	return &view.Error{Message: text, ExitCode: exitStatus(f, err)}
}
