package source

import (
	"fmt"
	"os"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// meta are the signs that make a name a pattern.
const meta = "*?[{"

// glob returns what a pattern matches: * within a name, ** through folders, and
// {a,b}. Hidden files are matched only by a dot. What ** finds are files: the
// folders among them would be read twice.
func glob(pattern string) ([]string, error) {
	return doublestar.FilepathGlob(pattern, globOptions(pattern)...)
}

func globOptions(pattern string) []doublestar.GlobOption {
	options := []doublestar.GlobOption{doublestar.WithNoHidden()}
	if strings.Contains(pattern, "**") {
		options = append(options, doublestar.WithFilesOnly())
	}
	return options
}

// expand returns the paths that an input names: itself, or what it matches as
// a pattern, as a shell would expand it. A file that has that very name wins.
func (l *loader) expand(in string) []string {
	path := l.abs(in)
	if _, err := os.Lstat(path); err == nil || !strings.ContainsAny(in, meta) {
		return []string{path}
	}
	found, err := glob(path)
	if len(found) > 0 {
		return found
	}
	l.lose(true)
	detail := fmt.Sprintf("No file matches the pattern %q.", in)
	if err != nil {
		detail = fmt.Sprintf("%q is neither a file nor a valid pattern.", in)
	}
	l.diags.Add(diag.SrcUnreadable, value.Pos{File: l.display(path)}, detail, "name files, folders or a pattern that matches some: -f 'config/*.yaml'.")
	return nil
}

// split takes values apart at commas that stand outside of braces, unless a file
// has that very name.
func (l *loader) split(values []string) []string {
	var out []string
	for _, v := range values {
		if _, err := os.Lstat(l.abs(v)); err == nil && v != "" {
			out = append(out, v)
			continue
		}
		found := false
		for _, part := range atCommas(v) {
			if part = strings.TrimSpace(part); part != "" {
				out, found = append(out, part), true
			}
		}
		if !found {
			l.lose(true)
			l.diags.Add(diag.SrcUnreadable, value.Pos{}, "An input was given without a name.",
				"name a file, a folder, a URL, or - for standard input.")
		}
	}
	return out
}

func atCommas(text string) []string {
	var out []string
	depth, start := 0, 0
	for i, r := range text {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth <= 0 {
				out, start = append(out, text[start:i]), i+1
			}
		}
	}
	return append(out, text[start:])
}
