package function

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/disk"
)

// Written counts what was written.
type Written struct{ Files, Removed int }

// WriteBack writes the objects back to the folder they came from. Files without a
// change are not touched, and a file that lost its last object is removed. It
// writes nothing when a file has changed since it was read.
func (p *Package) WriteBack() (Written, error) {
	root, err := openRoot(p.dir)
	if err != nil {
		return Written{}, err
	}
	defer func() { _ = root.Close() }() // it is only a handle
	var w Written
	var changes []disk.Change
	content, err := p.compose()
	if err != nil {
		return w, err
	}
	read := map[string]*file{}
	for _, f := range p.files {
		read[f.path] = f
	}
	for _, c := range content {
		f := read[c.Name]
		switch {
		case f == nil:
			if err := free(root, c.Name); err != nil {
				return w, fmt.Errorf("write %s: %w", p.dir.file(c.Name), err)
			}
		case !c.Remove && bytes.Equal(c.Data, f.data):
			continue
		default:
			now, err := root.ReadFile(filepath.FromSlash(f.path))
			if err != nil || !bytes.Equal(now, f.data) {
				return w, fmt.Errorf("write %s: it was changed while functions ran; run the command again", p.dir.file(f.path))
			}
		}
		if c.Remove {
			w.Removed++
		} else {
			w.Files++
		}
		changes = append(changes, c)
	}
	return w, commit(root, p.dir, changes)
}

func commit(root *os.Root, dir Folder, changes []disk.Change) error {
	if err := disk.Commit(root, changes); err != nil {
		return fmt.Errorf("change %s: %w", dir.Shown, err)
	}
	return nil
}

// free reports why a new file cannot be made: its place is taken by a file that
// was not read, or a link is on the way.
func free(root *os.Root, name string) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := root.Lstat(filepath.FromSlash(dir))
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link", dir)
		}
	}
	switch _, err := root.Lstat(filepath.FromSlash(name)); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return disk.Cause(err)
	default:
		return errors.New("a file that is not part of the package is already there")
	}
}

// ErrNotEmpty says that a folder for output holds something.
var ErrNotEmpty = errors.New("the folder is not empty")

// CheckOutput refuses a folder that holds something: output never mixes with it.
func CheckOutput(dir Folder) error {
	entries, err := os.ReadDir(dir.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("write %s: %w", dir.Shown, disk.Cause(err))
	case len(entries) > 0:
		return fmt.Errorf("write %s: %w", dir.Shown, ErrNotEmpty)
	default:
		return nil
	}
}

// WriteTo writes everything that was read into a new or empty folder. What no
// function may change is copied byte for byte.
func (p *Package) WriteTo(dir Folder) (Written, error) {
	if err := CheckOutput(dir); err != nil {
		return Written{}, err
	}
	if p.dir.Path == "" {
		p.placeAll()
	}
	content, err := p.compose()
	if err != nil {
		return Written{}, err
	}
	content = slices.DeleteFunc(content, func(c disk.Change) bool { return c.Remove })
	return Written{Files: len(content)}, writeNew(dir, content)
}

// placeAll gives the objects of a stream their files.
func (p *Package) placeAll() {
	for _, f := range p.files {
		f.documents = slices.DeleteFunc(f.documents, func(d *document) bool { return d.kind != groupDocument })
		f.path = "resourcegroup.yaml"
		if len(f.documents) > 0 {
			f.documents[0].lead = nil
		}
	}
	p.dir.Path = "."
	p.items = p.settle(p.items, "")
	p.dir.Path = ""
}

// writeNew writes files into a folder that does not exist or is empty; a folder
// that does not exist appears whole or not at all.
func writeNew(dir Folder, content []disk.Change) (err error) {
	if _, err := os.Stat(dir.Path); err == nil {
		root, err := os.OpenRoot(dir.Path)
		if err != nil {
			return fmt.Errorf("write %s: %w", dir.Shown, disk.Cause(err))
		}
		defer func() { _ = root.Close() }() // it is only a handle
		return commit(root, dir, content)
	}
	parent := filepath.Dir(filepath.Clean(dir.Path))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return fmt.Errorf("write %s: %w", dir.Shown, disk.Cause(err))
	}
	temp, err := os.MkdirTemp(parent, ".kongctl-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", dir.Shown, disk.Cause(err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	fresh := filepath.Join(temp, "out")
	if err := os.Mkdir(fresh, 0o777); err != nil {
		return fmt.Errorf("write %s: %w", dir.Shown, disk.Cause(err))
	}
	root, err := os.OpenRoot(fresh)
	if err != nil {
		return fmt.Errorf("write %s: %w", dir.Shown, disk.Cause(err))
	}
	if err := errors.Join(commit(root, dir, content), root.Close()); err != nil {
		return err
	}
	if err := os.Rename(fresh, dir.Path); err != nil {
		return fmt.Errorf("write %s: %w", dir.Shown, disk.Cause(err))
	}
	return nil
}

// WriteList writes all objects as one ResourceList.
func (p *Package) WriteList(w io.Writer) error {
	l := &list{config: p.config}
	for _, item := range sorted(p.items) {
		l.items = append(l.items, item.marked(""))
	}
	data, _, err := l.encode()
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// SetConfig sets the function configuration of the ResourceList.
func (p *Package) SetConfig(config *Config) { p.config = config }

// WriteObjects writes all objects and ResourceGroups as documents, in the order in
// which they were read.
func (p *Package) WriteObjects(w io.Writer) error {
	all := slices.Clone(p.items)
	for _, f := range p.files {
		for _, d := range f.documents {
			if d.kind == groupDocument {
				all = append(all, &Item{path: f.path, index: d.index, from: d})
			}
		}
	}
	var b bytes.Buffer
	for _, item := range sorted(all) {
		data, err := item.bytes()
		if err != nil {
			return err
		}
		if b.Len() > 0 {
			b.WriteString("---\n")
		}
		b.Write(ended(bytes.TrimLeft(data, "\r\n")))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// bytes returns an object as it stands in its file.
func (i *Item) bytes() ([]byte, error) {
	if i.from != nil && !i.changed {
		return i.from.body, nil
	}
	return i.encode()
}

// ended returns text that ends with its line.
func ended(data []byte) []byte {
	if len(data) == 0 || bytes.HasSuffix(data, []byte("\n")) {
		return data
	}
	return append(slices.Clone(data), '\n')
}

// part is one document of a file that is written.
type part struct {
	index int
	lead  []byte
	body  []byte
	// first says that the document was the first of the file.
	first bool
}

// compose returns all files as they are to be, sorted by name.
func (p *Package) compose() ([]disk.Change, error) {
	byFile := map[string][]*Item{}
	for _, item := range p.items {
		byFile[item.path] = append(byFile[item.path], item)
	}
	var out []disk.Change
	for _, f := range p.files {
		items := byFile[f.path]
		delete(byFile, f.path)
		if len(items) == 0 && len(f.documents) == 0 && p.dir.Path == "" {
			continue // a stream has no file of its own
		}
		change, err := f.compose(items)
		if err != nil {
			return nil, err
		}
		out = append(out, change)
	}
	for name, items := range byFile {
		change, err := (&file{path: name}).compose(items)
		if err != nil {
			return nil, err
		}
		out = append(out, change)
	}
	slices.SortFunc(out, func(a, b disk.Change) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// compose returns a file with these objects.
func (f *file) compose(items []*Item) (disk.Change, error) {
	var parts []part
	here := map[*document]*Item{}
	for _, item := range items {
		if item.from != nil && slices.Contains(f.documents, item.from) && here[item.from] == nil {
			here[item.from] = item
		}
	}
	meta, lost, kept := false, false, false
	for i, d := range f.documents {
		next := part{index: d.index, lead: d.lead, body: d.body, first: i == 0}
		switch item := here[d]; {
		case item != nil:
			data, err := item.bytes()
			if err != nil {
				return disk.Change{}, err
			}
			if item.changed {
				next.lead, next.body = f.cleanLead(d.lead), f.lines(data)
			}
			next.index = item.index
			kept = true
		case d.kind == objectDocument:
			lost = true
			continue
		default:
			meta = meta || d.kind == metaDocument
			kept = kept || d.root != nil
		}
		parts = append(parts, next)
	}
	for _, item := range items {
		if item.from != nil && here[item.from] == item {
			continue
		}
		if meta && path.Base(f.path) == kptfile {
			return disk.Change{}, fmt.Errorf("write %s: functions get a Kptfile only with --include-meta-resources", f.path)
		}
		data, err := item.bytes()
		if err != nil {
			return disk.Change{}, err
		}
		parts = append(parts, part{index: item.index, body: f.lines(data)})
		kept = true
	}
	if lost && !kept {
		return disk.Change{Name: f.path, Remove: true}, nil
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.index, b.index) })
	return disk.Change{Name: f.path, Data: f.join(parts)}, nil
}

// lines gives text the line ends of the file.
func (f *file) lines(data []byte) []byte {
	if !f.crlf {
		return data
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
}

// cleanLead returns a separator on a line of its own, with directives as they were.
func (f *file) cleanLead(lead []byte) []byte {
	if trimmed := bytes.TrimRight(lead, " \t"); len(trimmed) < len(lead) {
		return slices.Concat(trimmed, f.lines([]byte("\n")))
	}
	return lead
}

// join puts documents into one file.
func (f *file) join(parts []part) []byte {
	var b bytes.Buffer
	b.Write(f.mark)
	for i, part := range parts {
		lead := part.lead
		switch {
		case i == 0 && part.first:
		case i == 0:
			lead = nil
			if len(f.documents) > 0 {
				lead = f.cleanLead(f.documents[0].lead)
			}
		case len(lead) == 0:
			lead = f.lines([]byte("---\n"))
		}
		if i > 0 && !bytes.HasSuffix(b.Bytes(), []byte("\n")) {
			b.Write(f.lines([]byte("\n")))
		}
		b.Write(lead)
		b.Write(part.body)
	}
	return b.Bytes()
}
