package source

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// ignoreFile lists, in gitignore syntax, what a walk leaves out of its folder
// and of those below it.
const ignoreFile = ".kongctlignore"

// wayOut says how a walk is made to leave a file out.
func wayOut(name string) string {
	return fmt.Sprintf(" To leave it out, pass --exclude %s or add a line to %s.", name, ignoreFile)
}

// ValidExclude reports whether a pattern of Options.Exclude can be read.
func ValidExclude(pattern string) bool {
	pattern = strings.TrimPrefix(pattern, "!")
	_, err := path.Match(pattern, "")
	return err == nil && strings.Trim(pattern, "/ ") != ""
}

// exclusion is what a walk leaves out.
type exclusion struct {
	root     string // the folder of the walk, as named
	patterns []gitignore.Pattern
	files    []gitignore.Pattern // of the ignore files that were met
}

func newExclusion(root string, patterns []string) *exclusion {
	x := &exclusion{root: root}
	for _, p := range patterns {
		x.patterns = append(x.patterns, gitignore.ParsePattern(p, nil))
	}
	return x
}

// why says what leaves a path out; "" keeps it. A pattern of --exclude may
// start from the folder of the walk or from the current one, as files are
// shown; it wins over what an ignore file says.
func (x *exclusion) why(path, shown string, isDir bool) string {
	match := func(patterns []gitignore.Pattern, segments []string) gitignore.MatchResult {
		for i := len(patterns) - 1; i >= 0 && len(segments) > 0; i-- {
			if m := patterns[i].Match(segments, isDir); m != gitignore.NoMatch {
				return m
			}
		}
		return gitignore.NoMatch
	}
	here := x.segments(path)
	verdict, by := match(x.patterns, here), "excluded by --exclude"
	if verdict == gitignore.NoMatch && !filepath.IsAbs(shown) {
		verdict = match(x.patterns, strings.Split(shown, "/"))
	}
	if verdict == gitignore.NoMatch {
		verdict, by = match(x.files, here), "excluded by "+ignoreFile
	}
	if verdict != gitignore.Exclude {
		return ""
	}
	return by
}

func (x *exclusion) segments(path string) []string {
	rel, err := filepath.Rel(x.root, path)
	if err != nil || rel == "." {
		return nil
	}
	return strings.Split(filepath.ToSlash(rel), "/")
}

// readIgnoreFile adds the patterns of a folder's ignore file, if it has one.
func (w *walker) readIgnoreFile(folder string, entries []fs.DirEntry) {
	for _, e := range entries {
		if e.Name() != ignoreFile {
			continue
		}
		full := filepath.Join(folder, ignoreFile)
		name := w.display(full)
		at := place{base: w.base, real: realPath(full), path: name}
		if !inside(w.base, at.real) {
			at.base = w.root
		}
		if !inside(at.base, at.real) {
			w.outside(name)
			return
		}
		data, p := at.read()
		if p != nil {
			w.lose(true)
			w.diags.Add(p.code, value.Pos{File: name}, p.detail, p.fix)
			return
		}
		w.ignore(folder, name, string(data))
	}
}

func (w *walker) ignore(folder, name, text string) {
	domain := w.exclude.segments(folder)
	line := 0
	for pattern := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line++
		pattern = strings.TrimSuffix(pattern, "\r")
		if strings.TrimSpace(pattern) == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		if !ValidExclude(pattern) {
			w.diags.Add(diag.SrcIgnorePattern, value.Pos{File: name, Line: line, Column: 1},
				fmt.Sprintf("%q is not a pattern in gitignore syntax.", pattern), `correct or remove the line; write \[ for a bracket in a name.`)
			continue
		}
		w.exclude.files = append(w.exclude.files, gitignore.ParsePattern(pattern, domain))
	}
}
