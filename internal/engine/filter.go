package engine

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/plan/choose"
	"github.com/kongctl/kongctl/internal/value"
)

// Select reads the patterns that leave parts of the configuration out, and
// returns which types do not exist.
func (w *Walk) Select() diag.List {
	given := w.Request.Scope.Filter
	if w.Request.Scope.Gateway {
		w.filter.Isolate = []choose.Pattern{{Text: gatewayPattern}}
	}
	var list diag.List
	for _, s := range given.Ignore {
		w.filter.Ignore = append(w.filter.Ignore, choose.Pattern{Text: s})
	}
	for _, s := range given.Isolate {
		w.filter.Isolate = append(w.filter.Isolate, choose.Pattern{Text: s})
	}
	for _, name := range given.IgnoreFiles {
		patterns, err := w.ignoreFile(name)
		if err != nil {
			list.Add(diag.SrcUnreadable, value.Pos{File: name}, fmt.Sprintf("The file of --ignore-file cannot be read: %v.", disk.Cause(err)), "check the path and its permissions.")
			continue
		}
		w.filter.Ignore = append(w.filter.Ignore, patterns...)
	}
	return append(list, w.filter.Check(w.Set.Types)...)
}

// unmatched reports the patterns that match nothing where reading found a problem:
// building, which reports them otherwise, does not come to it.
func (w *Walk) unmatched(problems diag.List) diag.List {
	if !problems.HasErrors() || w.State == nil {
		return nil
	}
	return choose.NewSelection(w.Set, w.State, w.filter).Unmatched(w.Set.Types)
}

// maxIgnoreFile keeps a wrong file from eating the machine.
const maxIgnoreFile = 10 << 20

// ignoreFile reads one pattern a line. A # begins a comment at the start of a
// line and after a space: names may hold one.
func (w *Walk) ignoreFile(name string) ([]choose.Pattern, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.WorkDir, path)
	}
	opened, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }() // nothing was written
	raw, err := io.ReadAll(io.LimitReader(opened, maxIgnoreFile))
	if err != nil {
		return nil, err
	}
	var out []choose.Pattern
	for i, line := range strings.Split(string(raw), "\n") {
		text := " " + strings.ReplaceAll(line, "\t", " ")
		if at := strings.Index(text, " #"); at >= 0 {
			text = text[:at]
		}
		if text = strings.TrimSpace(text); text != "" {
			column := strings.Index(line, text) + 1
			out = append(out, choose.Pattern{Text: text, Pos: value.Pos{File: name, Line: i + 1, Column: max(column, 1)}})
		}
	}
	return out, nil
}
