package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/kongctl/kongctl/internal/diag"
)

// Named is what a key of a claim names: one file, or those of a folder or of a
// pattern.
type Named struct {
	Files []File
	// Listing is the folder or the pattern, named like a file; "" for one file.
	Listing string
}

// listing is what a name stands for that may be a folder or a pattern.
type listing struct {
	paths   []string // sorted; relative to the folder that the name is relative to
	pattern string   // the path of the folder or the pattern; "" for one file
}

// find returns the files that a name in a document of dir stands for. Which of
// them are meant is not decided here.
func (r *reader) find(dir, base, written string) (listing, *problem) {
	at, p := r.locate(dir, base, written)
	switch {
	case p != nil && p.code == diag.SrcFileMissing && strings.ContainsAny(written, meta):
		return r.match(dir, base, written)
	case p != nil:
		return listing{}, p
	}
	if !isFolder(at.real) {
		return listing{paths: []string{written}}, nil
	}
	out := listing{pattern: from(dir, written)}
	full, err := inFolder(out.pattern)
	if err != nil {
		return listing{}, unreadable(written, err)
	}
	out.paths = relativeTo(dir, full)
	return out, nil
}

// match returns the files that a pattern matches, as one of -f does, and those
// in the folders that it matches. It lists no folder outside of base.
func (r *reader) match(dir, base, written string) (listing, *problem) {
	out := listing{pattern: from(dir, written)}
	stem, pattern := doublestar.SplitPattern(path.Clean(filepath.ToSlash(written)))
	at, p := r.locate(dir, base, stem)
	switch {
	case p != nil && p.code == diag.SrcFileMissing:
		return out, nil
	case p != nil:
		return listing{}, p
	}
	rel, err := filepath.Rel(base, at.real)
	if err != nil {
		return listing{}, unreadable(written, err)
	}
	if rel != "." {
		pattern = escaped(filepath.ToSlash(rel)) + "/" + pattern
	}
	found, err := doublestar.Glob(within(base), pattern, append(globOptions(pattern), doublestar.WithFailOnIOErrors())...)
	switch {
	case errors.Is(err, doublestar.ErrBadPattern):
		return listing{}, &problem{diag.SrcFileMissing, fmt.Sprintf("%q is neither a file nor a valid pattern.", written), "correct the path: it is relative to the file that names it."}
	case errors.Is(err, errOutside):
		return listing{}, &problem{
			diag.SrcOutsideBase, fmt.Sprintf("A link that the pattern %q meets leads outside the base folder, %s.", written, folderName(r.display(base))),
			"replace the link with what it leads to, or name a base folder that holds both with --base-dir.",
		}
	case err != nil:
		return listing{}, unreadable(written, err)
	}
	var full []string
	for _, name := range found {
		name = filepath.Join(base, filepath.FromSlash(name))
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			full = append(full, name)
			continue
		}
		if !inside(base, realPath(name)) {
			full = append(full, name) // refused where it is read
			continue
		}
		more, err := inFolder(name)
		if err != nil {
			return listing{}, unreadable(written, err)
		}
		full = append(full, more...)
	}
	full = slices.DeleteFunc(full, func(name string) bool { return !isYAML(name) && !isJSON(name) })
	out.paths = relativeTo(dir, full)
	return out, nil
}

// inFolder lists the files below a folder that may be meant, without hidden ones. Links
// to folders are not followed.
func inFolder(folder string) ([]string, error) {
	var out []string
	root := realPath(folder)
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := name != root && strings.HasPrefix(e.Name(), ".")
		switch {
		case e.IsDir() && hidden:
			return fs.SkipDir
		case !e.IsDir() && !hidden && (isYAML(name) || isJSON(name)):
			out = append(out, filepath.Join(folder, strings.TrimPrefix(name, root)))
		}
		return nil
	})
	return out, err
}

func isJSON(name string) bool { return strings.EqualFold(filepath.Ext(name), ".json") }

// from is the path that a name in a document of dir stands for.
func from(dir, written string) string {
	full := filepath.FromSlash(written)
	if filepath.IsAbs(full) {
		return filepath.Clean(full)
	}
	return filepath.Join(dir, full)
}

// relativeTo names files from a folder, each once and in order.
func relativeTo(dir string, full []string) []string {
	var out []string
	for _, name := range full {
		if rel, err := filepath.Rel(dir, name); err == nil {
			name = rel
		}
		out = append(out, filepath.ToSlash(name))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// escaped makes a path a pattern that matches it alone.
func escaped(path string) string {
	var b strings.Builder
	for _, r := range path {
		if strings.ContainsRune(meta+`]}\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// within is a folder, links resolved, that no link leads out of.
type within string

var errOutside = errors.New("outside the base folder")

func (w within) path(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	target, err := filepath.EvalSymlinks(filepath.Join(string(w), filepath.FromSlash(name)))
	if err == nil && !inside(string(w), target) {
		err = &fs.PathError{Op: op, Path: name, Err: errOutside}
	}
	return target, noFolder(err)
}

// noFolder makes nothing of a file that a pattern takes for a folder.
func noFolder(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return fs.ErrNotExist
	}
	return err
}

// Open opens a file.
func (w within) Open(name string) (fs.File, error) {
	target, err := w.path("open", name)
	if err != nil {
		return nil, err
	}
	return os.Open(target)
}

// Stat describes a file.
func (w within) Stat(name string) (fs.FileInfo, error) {
	target, err := w.path("stat", name)
	if err != nil {
		return nil, err
	}
	return os.Stat(target)
}

// ReadDir lists a folder.
func (w within) ReadDir(name string) ([]fs.DirEntry, error) {
	target, err := w.path("readdir", name)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(target)
	return entries, noFolder(err)
}

// several reads the files of a folder or a pattern. What declares resources is
// configuration, and not among them.
func (r *reader) several(dir, base, written, words string) (Named, *problem) {
	found, p := r.find(dir, base, written)
	if p != nil {
		return Named{}, p
	}
	out := Named{}
	if found.pattern != "" {
		out.Listing = r.display(found.pattern)
	}
	for _, path := range found.paths {
		c, p := r.peek(dir, base, path)
		switch {
		case p != nil:
			return Named{}, p
		case out.Listing != "" && r.declares != nil && r.declares(c.name, c.data),
			slices.ContainsFunc(out.Files, func(f File) bool { return f.Name == c.name }):
			continue
		}
		r.note(c.name, c.sum)
		out.Files = append(out.Files, File{Name: c.name, Content: c.data})
	}
	if len(out.Files) == 0 {
		detail, fix := fmt.Sprintf("No %s matches the pattern %q.", words, written), "correct the pattern: it is relative to the file that names it, and matches names in .yaml, .yml and .json."
		if !strings.ContainsAny(written, meta) {
			detail, fix = fmt.Sprintf("No %s is in the folder %q.", words, written), "add one, in .yaml, .yml or .json, or correct the path."
		}
		return Named{}, &problem{diag.SrcFileMissing, detail, fix}
	}
	return out, nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
