package source

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
)

// OutsideError says that a plan names a file outside the folders that it may
// read from. It does not say whether there is such a file.
type OutsideError struct{ Name string }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s is outside the folder of the plan; pass --base-dir FOLDER if it may be read", e.Name)
}

// Folders are where the files are that a plan names.
type Folders struct {
	// Dir is the folder that the names are relative to.
	Dir string
	// Bases are the folders that may be read from, links resolved.
	Bases []string
}

// ReadFile reads a file that a plan names.
func (f Folders) ReadFile(name string) ([]byte, error) {
	data, p, err := f.read(name)
	switch {
	case err != nil:
		return nil, err
	case p != nil && p.code == diag.SrcFileMissing:
		return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
	case p != nil:
		return nil, fmt.Errorf("read %s: %w", name, p)
	}
	return data, nil
}

// Beyond reads what a folder or a pattern that a plan names holds beyond the files
// that the plan names, too. One that is not there any more holds nothing.
func (f Folders) Beyond(listing string, files []string) ([]File, error) {
	dir := realPath(f.Dir)
	r := newReader(func(path string) string { return path })
	known := map[string]bool{}
	for _, name := range files {
		known[realPath(from(dir, name))] = true
	}
	for _, base := range f.Bases {
		base = realPath(base)
		found, p := r.find(dir, base, listing)
		switch {
		case p != nil && p.code == diag.SrcOutsideBase:
			continue
		case p != nil && p.code == diag.SrcFileMissing:
			return nil, nil
		case p != nil:
			return nil, fmt.Errorf("read %s: %w", listing, p)
		}
		var out []File
		for _, name := range found.paths {
			if known[realPath(from(dir, name))] {
				continue
			}
			c, p := r.peek(dir, base, name)
			if p != nil {
				return nil, fmt.Errorf("read %s: %w", name, p)
			}
			out = append(out, File{Name: name, Content: c.data})
		}
		return out, nil
	}
	return nil, &OutsideError{Name: filepath.ToSlash(listing)}
}

// ReadSecret reads the file of an OpFile expression at the moment a secret is
// written. One line of text loses its line end, so that a token saved by an
// editor stays a token. The error never holds anything of the content.
func (f Folders) ReadSecret(name, extract string) (string, error) {
	data, p, err := f.read(name)
	var text string
	if err == nil && p == nil {
		text, p = secretText(name, data, extract)
	}
	switch {
	case err != nil:
		return "", err
	case p != nil:
		return "", fmt.Errorf("read secret file %s: %w", name, p)
	}
	return text, nil
}

func (f Folders) read(name string) ([]byte, *problem, error) {
	dir := realPath(f.Dir)
	r := newReader(func(path string) string { return path })
	for _, base := range f.Bases {
		at, p := r.locate(dir, realPath(base), name)
		if p != nil && p.code == diag.SrcOutsideBase {
			continue
		}
		if p != nil {
			return nil, p, nil
		}
		data, p := at.read()
		return data, p, nil
	}
	return nil, nil, &OutsideError{Name: filepath.ToSlash(name)}
}

func secretText(name string, data []byte, extract string) (string, *problem) {
	c := &content{name: name, data: data}
	if extract != "" {
		return c.scalarPart(extract)
	}
	if !isText(data) {
		return "", notText(name)
	}
	text := string(data)
	if line := strings.TrimRight(text, "\r\n"); !strings.Contains(line, "\n") {
		text = line
	}
	return text, nil
}
