package cli

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kongctl/internal/diag"
	"kongctl/internal/disk"
	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// filterFlags leave parts of the configuration out of a plan.
type filterFlags struct {
	ignore, isolate patternList
	files           []string
}

const (
	flagIgnore     = "ignore-refs"
	flagIsolate    = "isolate-refs"
	flagIgnoreFile = "ignore-file"
)

func (f *filterFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.ignore, flagIgnore, "leave these as they are: refs, names of managed resources, type:T; comma-separated or repeated")
	flags.Var(&f.isolate, flagIsolate, "plan only these: refs, names of managed resources, type:T; comma-separated or repeated")
	flags.StringArrayVar(&f.files, flagIgnoreFile, nil, "file with a pattern of --ignore-refs on each line, and # comments")
}

func (f *filterFlags) empty() bool { return len(f.ignore)+len(f.isolate)+len(f.files) == 0 }

// check refuses what does not go together.
func (f *filterFlags) check() error {
	switch {
	case len(f.isolate) == 0:
		return nil
	case len(f.ignore) > 0:
		return usagef("--%s and --%s exclude each other", flagIgnore, flagIsolate)
	case len(f.files) > 0:
		return usagef("--%s and --%s exclude each other", flagIgnoreFile, flagIsolate)
	default:
		return nil
	}
}

// patternList is a flag that takes patterns, comma-separated or repeated. None
// may be empty: where a script meant a variable that is not set, all would be
// planned.
type patternList []string

// Set adds the patterns of one flag.
func (l *patternList) Set(text string) error {
	fields, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return errors.New("write patterns between commas; quote one that holds a comma")
	}
	for _, s := range fields {
		if s = strings.TrimSpace(s); s != "" {
			*l = append(*l, s)
			continue
		}
		return errEmptyPattern
	}
	if len(fields) == 0 {
		return errEmptyPattern
	}
	return nil
}

var errEmptyPattern = errors.New("a pattern is empty: write a ref, or type:T for a whole type")

// String is the patterns as they may be written.
func (l *patternList) String() string { return strings.Join(*l, ",") }

// Type is what help calls a value.
func (l *patternList) Type() string { return "patterns" }

// readFilter reads the patterns of a plan and tells of types that do not exist.
func (p *pipeline) readFilter(w *walk) diag.List {
	flags := w.request.scope.filter
	if w.request.scope.gateway {
		w.filter.Isolate = []plan.Pattern{{Text: "type:" + plan.DeckType}}
	}
	var list diag.List
	for _, s := range flags.ignore {
		w.filter.Ignore = append(w.filter.Ignore, plan.Pattern{Text: s})
	}
	for _, s := range flags.isolate {
		w.filter.Isolate = append(w.filter.Isolate, plan.Pattern{Text: s})
	}
	for _, name := range flags.files {
		patterns, err := p.factory.ignoreFile(name)
		if err != nil {
			list.Add(diag.SrcUnreadable, value.Pos{File: name}, fmt.Sprintf("The file of --%s cannot be read: %v.", flagIgnoreFile, disk.Cause(err)), "check the path and its permissions.")
			continue
		}
		w.filter.Ignore = append(w.filter.Ignore, patterns...)
	}
	return append(list, w.filter.Check(w.catalog)...)
}

// maxIgnoreFile keeps a wrong file from eating the machine.
const maxIgnoreFile = 10 << 20

// ignoreFile reads one pattern a line. A # begins a comment at the start of a
// line and after a space: names may hold one.
func (f *factory) ignoreFile(name string) ([]plan.Pattern, error) {
	path, err := f.absolute(name)
	if err != nil {
		return nil, err
	}
	h, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = h.Close() }() // nothing was written
	raw, err := io.ReadAll(io.LimitReader(h, maxIgnoreFile))
	if err != nil {
		return nil, err
	}
	var out []plan.Pattern
	for i, line := range strings.Split(string(raw), "\n") {
		text := " " + strings.ReplaceAll(line, "\t", " ")
		if at := strings.Index(text, " #"); at >= 0 {
			text = text[:at]
		}
		if text = strings.TrimSpace(text); text != "" {
			column := strings.Index(line, text) + 1
			out = append(out, plan.Pattern{Text: text, Pos: value.Pos{File: name, Line: i + 1, Column: max(column, 1)}})
		}
	}
	return out, nil
}
