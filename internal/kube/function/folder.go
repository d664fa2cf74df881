package function

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
)

const (
	kptfile    = "Kptfile"
	ignoreFile = ".krmignore"
)

// Options says what belongs to a package.
type Options struct {
	// Meta gives Kptfiles and the configurations of functions to functions, too.
	Meta bool
}

// Open reads the objects of a folder and of all folders below it. Folders whose
// name begins with a dot, links, and what .krmignore lists are left out.
func Open(dir Folder, o Options) (*Package, error) {
	root, err := openRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // it is only a handle
	p := &Package{dir: dir}
	w := &walker{root: root, dir: dir, p: p}
	if err := w.folder("."); err != nil {
		return nil, err
	}
	if err := p.quote(w.problems).Err(); err != nil {
		return nil, err
	}
	configs := map[string]bool{}
	for _, k := range p.kptfiles() {
		for _, name := range k.configs() {
			configs[name] = true
		}
	}
	for _, f := range p.files {
		for _, d := range f.documents {
			switch {
			case d.kind == metaDocument && o.Meta:
				d.kind = objectDocument
			case d.kind == objectDocument && configs[f.path] && !o.Meta:
				d.kind = metaDocument
			}
			if d.kind == objectDocument {
				p.items = append(p.items, d.item(f.path))
			}
		}
	}
	return p, nil
}

func openRoot(dir Folder) (*os.Root, error) {
	info, err := os.Stat(dir.Path)
	if err == nil && !info.IsDir() {
		return nil, unreadable(dir.Shown, "This is not a folder.", "name the folder that it is in.")
	}
	if err != nil {
		return nil, unreadable(dir.Shown, fmt.Sprintf("The folder cannot be read: %v.", disk.Cause(err)), "check the path and its permissions.")
	}
	root, err := os.OpenRoot(dir.Path)
	if err != nil {
		return nil, unreadable(dir.Shown, fmt.Sprintf("The folder cannot be read: %v.", disk.Cause(err)), "check its permissions.")
	}
	return root, nil
}

func unreadable(shown, detail, fix string) error {
	return diag.List{diag.New(diag.SrcUnreadable, posOf(shown), detail, fix)}.Err()
}

// walker reads a folder.
type walker struct {
	root     *os.Root
	dir      Folder
	p        *Package
	ignored  []gitignore.Pattern
	problems diag.List
}

// folder reads a folder, given by its path below the root.
func (w *walker) folder(name string) error {
	entries, err := fs.ReadDir(w.root.FS(), name)
	if err != nil {
		return fmt.Errorf("read %s: %w", w.shown(name), disk.Cause(err))
	}
	if err := w.readIgnored(name, entries); err != nil {
		return err
	}
	// Files first, so that a list is sorted by folder.
	for _, e := range entries {
		full := path.Join(name, e.Name())
		switch {
		case e.IsDir() || !isSource(e.Name()) || w.isIgnored(full, false):
		case e.Type()&fs.ModeSymlink != 0:
			w.p.Skipped = append(w.p.Skipped, w.shown(full))
		case !e.Type().IsRegular():
			return fmt.Errorf("read %s: it is not a regular file", w.shown(full))
		default:
			if err := w.file(full); err != nil {
				return err
			}
		}
	}
	for _, e := range entries {
		full := path.Join(name, e.Name())
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !w.isIgnored(full, true) {
			if err := w.folder(full); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walker) file(name string) error {
	data, err := w.root.ReadFile(filepath.FromSlash(name))
	if err != nil {
		return fmt.Errorf("read %s: %w", w.shown(name), disk.Cause(err))
	}
	f, problems := parse(name, w.shown(name), data)
	w.problems = append(w.problems, problems...)
	for _, d := range f.documents {
		if d.root != nil {
			w.problems = append(w.problems, d.classify(path.Base(name), w.shown(name))...)
		}
	}
	w.p.files = append(w.p.files, f)
	return nil
}

// shown is how messages name a file.
func (w *walker) shown(name string) string {
	return w.dir.file(name)
}

// readIgnored reads the patterns of a folder, in gitignore syntax.
func (w *walker) readIgnored(name string, entries []fs.DirEntry) error {
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ignoreFile }) {
		return nil
	}
	full := path.Join(name, ignoreFile)
	data, err := w.root.ReadFile(filepath.FromSlash(full))
	if err != nil {
		return fmt.Errorf("read %s: %w", w.shown(full), disk.Cause(err))
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			w.ignored = append(w.ignored, gitignore.ParsePattern(line, segments(name)))
		}
	}
	return nil
}

func (w *walker) isIgnored(name string, isDir bool) bool {
	return gitignore.NewMatcher(w.ignored).Match(segments(name), isDir)
}

func segments(name string) []string {
	if name == "." {
		return nil
	}
	return strings.Split(name, "/")
}

// isSource reports whether a file holds objects, by its name.
func isSource(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".yaml" || ext == ".yml" || name == kptfile
}

// Read reads objects from a stream: documents, lists of objects, or a ResourceList.
func Read(r io.Reader, shown string) (*Package, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", shown, disk.Cause(err))
	}
	f, problems := parse("", shown, data)
	p := &Package{files: []*file{f}}
	for _, d := range f.documents {
		if d.root == nil {
			continue
		}
		if isList(d.root) {
			if err := p.unwrap(d, shown); err != nil {
				return nil, err
			}
			continue
		}
		if text(field(d.root, "kind")) == "List" {
			problems = append(problems, p.flatten(f, d, shown)...)
			continue
		}
		problems = append(problems, d.classify("", shown)...)
		switch d.kind {
		case objectDocument:
			p.stream(d.item(""))
		case groupDocument:
			d.index = p.next()
		case metaDocument, otherDocument:
		}
	}
	if err := quoteFrom(shown, data, problems).Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// next counts what a stream holds.
func (p *Package) next() int {
	p.streamed++
	return p.streamed - 1
}

// stream adds an object of a stream.
func (p *Package) stream(item *Item) {
	if n := p.next(); item.path == "" {
		item.index = n
	}
	p.items = append(p.items, item)
}

// unwrap takes the objects out of a ResourceList.
func (p *Package) unwrap(d *document, shown string) error {
	l, err := listOf(d.root)
	if err != nil {
		return fmt.Errorf("read %s: %w", shown, err)
	}
	d.root = nil
	p.config = l.config
	for _, n := range l.items {
		item, err := place(n, nil, "")
		if err != nil {
			return fmt.Errorf("read %s: %w", shown, err)
		}
		item.changed = true
		p.stream(item)
	}
	return nil
}

// flatten takes the objects out of a list of Kubernetes.
func (p *Package) flatten(f *file, d *document, shown string) diag.List {
	items := field(d.root, "items")
	d.root = nil
	if items == nil {
		return nil
	}
	var problems diag.List
	for _, n := range items.Content {
		inner := &document{lead: []byte("---\n"), root: plain(n)}
		found := inner.classify("", shown)
		problems = append(problems, found...)
		switch {
		case len(found) > 0:
		case inner.kind == groupDocument:
			inner.body, _ = encode(inner.root, false) // it was read, so it can be written
			inner.index = p.next()
			f.documents = append(f.documents, inner)
		case inner.kind == objectDocument:
			p.stream(&Item{node: inner.root, changed: true})
		}
	}
	return problems
}

// OpenConfig reads the file with the configuration of a function.
func OpenConfig(path, shown string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(shown, fmt.Sprintf("The function configuration cannot be read: %v.", disk.Cause(err)), "check the path and its permissions.")
	}
	return readConfig(data, shown)
}

// readConfig reads the configuration of a function: exactly one object.
func readConfig(data []byte, shown string) (*Config, error) {
	f, problems := parse("", shown, data)
	if err := quoteFrom(shown, data, problems).Err(); err != nil {
		return nil, err
	}
	var found []*yaml.Node
	for _, d := range f.documents {
		if d.root != nil {
			found = append(found, d.root)
		}
	}
	if len(found) != 1 || found[0].Kind != yaml.MappingNode || text(field(found[0], "kind")) == "" || text(field(found[0], "apiVersion")) == "" {
		return nil, quoteFrom(shown, data, diag.List{wrongConfig(shown, found)}).Err()
	}
	return plain(found[0]), nil
}

func wrongConfig(shown string, found []*yaml.Node) diag.Diagnostic {
	detail, at := "The document is not an object with apiVersion and kind.", posOf(shown)
	switch len(found) {
	case 0:
		detail = "The file holds no document, and a function has one configuration."
	case 1:
		at = pos(shown, found[0])
	default:
		detail, at = fmt.Sprintf("The file holds %d documents, and a function has one configuration.", len(found)), pos(shown, found[1])
	}
	return diag.New(diag.FnConfig, at, detail, "write one object with apiVersion and kind into it.")
}

// NewConfig returns a ConfigMap with data from pairs, each key=value.
func NewConfig(pairs []string) (*Config, error) {
	data := mapping()
	for _, pair := range pairs {
		key, value, found := strings.Cut(pair, "=")
		switch {
		case !found || key == "":
			return nil, fmt.Errorf("%q is not key=value", pair)
		case field(data, key) != nil:
			return nil, fmt.Errorf("the key %q is given twice", key)
		}
		v := scalar(value)
		v.Style = yaml.SingleQuotedStyle
		set(data, key, v)
	}
	return configMap(data), nil
}

func configMap(data *yaml.Node) *yaml.Node {
	return mapping(scalar("apiVersion"), scalar("v1"), scalar("kind"), scalar("ConfigMap"), scalar("metadata"), mapping(scalar("name"), scalar("function-input")), scalar("data"), data)
}

var errOutside = errors.New("the path leads out of the folder")

// localPath returns a path as a function gave it, relative to a folder, as one
// below the root.
func localPath(prefix, name string) (string, error) {
	slashed := filepath.ToSlash(name)
	if path.IsAbs(slashed) || !filepath.IsLocal(filepath.FromSlash(slashed)) {
		return "", errOutside
	}
	clean := path.Clean(slashed)
	if !isSource(path.Base(clean)) {
		return "", errors.New("the name of the file does not end in .yaml or .yml")
	}
	if slices.ContainsFunc(strings.Split(path.Dir(clean), "/"), func(s string) bool { return s != "." && strings.HasPrefix(s, ".") }) {
		return "", errors.New("the name of a folder begins with a dot")
	}
	return path.Join(prefix, clean), nil
}
