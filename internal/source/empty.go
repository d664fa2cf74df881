package source

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// empty reports whether a file has no document, and tells the loader so: what it
// used to declare would be missing, and sync deletes what is missing. A file that
// declares nothing on purpose says {}.
func (f *file) empty(l *loader) bool {
	if len(f.docs) > 0 || len(f.diags) > 0 {
		return false
	}
	if f.walked && strings.HasPrefix(filepath.Base(f.name), ".") {
		return true // another tool's setting
	}
	detail := fmt.Sprintf("No configuration is in %s: it is empty, or holds only comments.", f.words())
	fix := "declare a resource in it, or write {} if it is to declare nothing."
	pos := value.Pos{File: f.posName()}
	if !f.walked {
		l.lose(true)
		l.diags.Add(diag.SrcNothingFound, pos, detail, fix)
		return true
	}
	l.result.Skipped = append(l.result.Skipped, Skipped{File: f.name, Why: "empty", Unknown: true})
	l.diags = append(l.diags, diag.Warn(diag.SrcNothingFound, pos, detail, fix+wayOut(f.name)))
	return true
}

// words is what people call the file.
func (f *file) words() string {
	if f.name == stdinName {
		return "standard input"
	}
	return strconv.Quote(f.name)
}
