package source

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
)

// problem is why something could not be read: a diagnostic without its place.
type problem struct {
	code   diag.Code
	detail string
	fix    string
}

func (p *problem) Error() string { return strings.TrimSuffix(p.detail, ".") }

// reader reads the files that documents name, each once.
type reader struct {
	display  func(path string) string
	contents map[string]*content // by path with links resolved
	sums     map[string]string   // by display name
	// declares reports whether a file declares resources; nil for never.
	declares func(name string, data []byte) bool
}

func newReader(display func(string) string) *reader {
	return &reader{display: display, contents: map[string]*content{}, sums: map[string]string{}}
}

// note records a file as an input.
func (r *reader) note(name, sum string) { r.sums[name] = sum }

func (r *reader) inputs() []Input {
	out := make([]Input, 0, len(r.sums))
	for name, sum := range r.sums {
		out = append(out, Input{File: name, SHA256: sum})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].File < out[j].File })
	return out
}

// open reads a file that a document in dir names: an input.
func (r *reader) open(dir, base, path string) (*content, *problem) {
	c, p := r.peek(dir, base, path)
	if p == nil {
		r.note(c.name, c.sum)
	}
	return c, p
}

// peek reads a file that is an input only if it turns out to be meant.
func (r *reader) peek(dir, base, path string) (*content, *problem) {
	at, p := r.locate(dir, base, path)
	if p != nil {
		return nil, p
	}
	c := r.contents[at.real]
	if c == nil {
		c = &content{name: r.display(at.real)}
		if c.data, c.problem = at.read(); c.problem == nil {
			sum := sha256.Sum256(c.data)
			c.sum = hex.EncodeToString(sum[:])
		}
		r.contents[at.real] = c
	}
	return c, c.problem
}

// value returns a file's content as text, an image as a data URL, or the part
// of it that extract leads to.
func (r *reader) value(dir, base, path, extract string) (any, *problem) {
	c, p := r.open(dir, base, path)
	switch {
	case p != nil:
		return nil, p
	case extract != "":
		return c.part(extract)
	default:
		return c.whole()
	}
}

// place is a file inside its base folder.
type place struct {
	base string // links resolved
	real string // links resolved
	name string // relative to base, with slashes
	path string // as written
}

// locate finds a file that a document in dir names. dir and base have their
// links resolved. Whether a file outside the base exists is not reported.
func (r *reader) locate(dir, base, path string) (place, *problem) {
	full := filepath.FromSlash(path)
	if !filepath.IsAbs(full) {
		full = filepath.Join(dir, full)
	}
	outside := &problem{
		diag.SrcOutsideBase, fmt.Sprintf("%q is outside the base folder, %s.", path, folderName(r.display(base))),
		"move the file into the base folder, or name a wider one with --base-dir.",
	}
	target, err := filepath.EvalSymlinks(full)
	switch {
	case err != nil && !inside(base, full):
		return place{}, outside
	case errors.Is(err, fs.ErrNotExist):
		return place{}, &problem{
			diag.SrcFileMissing, fmt.Sprintf("%q does not exist.", path),
			"create it, or correct the path: it is relative to the file that names it.",
		}
	case err != nil:
		return place{}, unreadable(path, err)
	case !inside(base, target):
		return place{}, outside
	}
	name, err := filepath.Rel(base, full)
	if err != nil || !inside(base, full) {
		if name, err = filepath.Rel(base, target); err != nil {
			return place{}, outside
		}
	}
	return place{base: base, real: target, name: filepath.ToSlash(name), path: path}, nil
}

// check tells whether the file could be read, without reading it.
func (at place) check() *problem {
	root, err := os.OpenRoot(at.base)
	if err != nil {
		return unreadable(at.path, err)
	}
	defer func() { _ = root.Close() }() // nothing was written
	_, p := at.stat(root)
	return p
}

// read reads the file below the opened base folder, so that a link put in its
// way meanwhile leads nowhere.
func (at place) read() ([]byte, *problem) {
	root, err := os.OpenRoot(at.base)
	if err != nil {
		return nil, unreadable(at.path, err)
	}
	defer func() { _ = root.Close() }()
	rel, p := at.stat(root)
	if p != nil {
		return nil, p
	}
	f, err := root.Open(rel)
	if err != nil {
		return nil, unreadable(at.path, err)
	}
	defer func() { _ = f.Close() }()
	return readAll(f, maxFileSize)
}

func (at place) stat(root *os.Root) (string, *problem) {
	rel, err := filepath.Rel(at.base, at.real)
	if err != nil {
		return "", unreadable(at.path, err)
	}
	info, err := root.Stat(rel)
	switch {
	case err != nil:
		return "", unreadable(at.path, err)
	case !info.Mode().IsRegular():
		return "", &problem{diag.SrcBadTag, fmt.Sprintf("%q is a folder or a device, not a file.", at.path), "name a file."}
	case info.Size() > maxFileSize:
		return "", tooLarge(maxFileSize)
	}
	return rel, nil
}

// readAll reads up to a limit.
func readAll(r io.Reader, most int) ([]byte, *problem) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	switch {
	case err != nil:
		return nil, &problem{diag.SrcUnreadable, fmt.Sprintf("Reading broke off: %v.", plainError(err)), ""}
	case len(data) > most:
		return nil, tooLarge(most)
	}
	return data, nil
}

func tooLarge(most int) *problem {
	return &problem{diag.SrcTooLarge, fmt.Sprintf("The file has more than %d MiB.", most>>20), "split the file."}
}

func notText(name string) *problem {
	return &problem{
		diag.SrcBadTag, fmt.Sprintf("%q is neither text (UTF-8) nor an image (PNG, JPEG, GIF, SVG, ICO, WebP).", name),
		"name a text file or an image.",
	}
}

func unreadable(name string, err error) *problem {
	fix := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fix = "correct the path."
	case errors.Is(err, fs.ErrPermission):
		fix = "allow your user to read it."
	}
	return &problem{diag.SrcUnreadable, fmt.Sprintf("%q: %v.", name, plainError(err)), fix}
}

// plainError leaves the reason of an operating system's error.
func plainError(err error) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("no such file or folder")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied")
	case errors.As(err, &path):
		return path.Err
	default:
		return err
	}
}

// folderName names a folder in a sentence.
func folderName(display string) string {
	if display == "." {
		return "the current folder"
	}
	return strconv.Quote(display)
}

// inside tells whether path is folder or below it, going by the names alone.
func inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// realPath resolves links where the path exists, and cleans it elsewhere.
func realPath(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return filepath.Clean(path)
}
