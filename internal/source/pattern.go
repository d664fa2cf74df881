package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// expand returns the paths that an input names: itself, or what it matches as
// a pattern, as a shell would expand it. A file that has that very name wins.
func (l *loader) expand(in string) []string {
	path := l.abs(in)
	if _, err := os.Lstat(path); err == nil || !strings.ContainsAny(in, "*?[") {
		return []string{path}
	}
	found, err := filepath.Glob(path)
	var out []string
	for _, name := range found {
		if !hidden(path, name) {
			out = append(out, name)
		}
	}
	if len(out) > 0 {
		return out
	}
	l.lose(true)
	detail := fmt.Sprintf("No file matches the pattern %q.", in)
	if err != nil {
		detail = fmt.Sprintf("%q is neither a file nor a valid pattern.", in)
	}
	l.diags.Add(diag.SrcUnreadable, value.Pos{File: l.display(path)}, detail, "name files, folders or a pattern that matches some: -f 'config/*.yaml'.")
	return nil
}

// hidden reports whether a wildcard stands for the dot of a hidden file or
// folder, which shells do not match either.
func hidden(pattern, name string) bool {
	wanted := strings.Split(pattern, string(filepath.Separator))
	for i, part := range strings.Split(name, string(filepath.Separator)) {
		if strings.HasPrefix(part, ".") && i < len(wanted) && !strings.HasPrefix(wanted[i], ".") {
			return true
		}
	}
	return false
}
