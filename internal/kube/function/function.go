// Package function runs KRM functions: programs that read a ResourceList from
// standard input and write one to standard output.
//
// In: a folder or a stream of Kubernetes objects, programs, selectors. Out: the
// objects as the functions left them, in the same files; documents that no
// function changed keep their bytes. A ResourceGroup is never given to a function
// and never changed. It must never import a client or know what exists in a
// cluster.
package function

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/kube/object"
)

// Item is one object of a package.
type Item struct {
	node *yaml.Node // the mapping
	// path is the file below the folder of the package, with slashes; "" where
	// the object came without one.
	path string
	// index is the position in that file; -1 where none is known yet.
	index int
	// wide says that lists are indented below their key.
	wide bool
	// head holds the lines above the object, foot the comment below.
	head []byte
	foot string
	// from is the document that the object was read from; nil for a new one.
	from *document
	// changed says that the object is not what its document says.
	changed bool
}

// Config is the configuration of a function: one object.
type Config = yaml.Node

// Folder is a folder on disk.
type Folder struct {
	// Path is where it is.
	Path string
	// Shown is how messages name it.
	Shown string
}

func (f Folder) file(name string) string { return filepath.Join(f.Shown, filepath.FromSlash(name)) }

// Below reports whether the folder, which need not exist, is inside of another
// one.
func (f Folder) Below(other Folder) bool {
	path := filepath.Clean(f.Path)
	var missing []string
	for {
		resolved, err := filepath.EvalSymlinks(path)
		if err == nil {
			path = filepath.Join(append([]string{resolved}, missing...)...)
			break
		}
		if filepath.Dir(path) == path {
			return false
		}
		missing = append([]string{filepath.Base(path)}, missing...)
		path = filepath.Dir(path)
	}
	rel, err := filepath.Rel(disk.Real(other.Path), path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// Package holds the objects of a folder or of a stream, with everything that is
// needed to write them back.
type Package struct {
	items []*Item
	files []*file
	// dir is the folder; the zero value for a stream.
	dir Folder
	// streamed counts the objects and ResourceGroups of a stream.
	streamed int
	// config is the function configuration that came with a ResourceList.
	config *yaml.Node
	// Skipped lists the files that were not read because they are links.
	Skipped []string
}

// Len returns the number of objects.
func (p *Package) Len() int { return len(p.items) }

// Groups returns the names of the ResourceGroups that stay out of every list.
func (p *Package) Groups() []string {
	var out []string
	for _, f := range p.files {
		for _, d := range f.documents {
			if d.kind == groupDocument {
				out = append(out, idOf(d.root).String())
			}
		}
	}
	return out
}

// Prefix puts the name of the folder before all paths: as it was given, or its
// last part where that leads elsewhere.
func (p *Package) Prefix() {
	if p.dir.Path == "" {
		return
	}
	name := filepath.Clean(p.dir.Shown)
	if !filepath.IsLocal(name) {
		name = filepath.Base(p.dir.Path)
	}
	name = filepath.ToSlash(name)
	for _, item := range p.items {
		item.path = path.Join(name, item.path)
	}
	for _, f := range p.files {
		f.path = path.Join(name, f.path)
	}
}

// Add adds the objects of another folder. No two files may have the same path.
func (p *Package) Add(other *Package) error {
	paths := map[string]bool{}
	for _, item := range p.items {
		paths[item.path] = true
	}
	for _, item := range other.items {
		if item.path != "" && paths[item.path] {
			return fmt.Errorf("read %s: another folder has a file %s, too; name each folder once, or the one that holds both", other.dir.Shown, item.path)
		}
	}
	p.items, p.files = append(p.items, other.items...), append(p.files, other.files...)
	return nil
}

// sorted returns the items by file and position; those without a file come last.
func sorted(items []*Item) []*Item {
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b *Item) int {
		if (a.path == "") != (b.path == "") {
			return cmp.Compare(b.path, a.path)
		}
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.index, b.index))
	})
	return out
}

// idOf returns the identifier that an object has by its own words.
func idOf(n *yaml.Node) object.ID {
	group, _, found := strings.Cut(text(field(n, "apiVersion")), "/")
	if !found {
		group = ""
	}
	meta := field(n, "metadata")
	return object.ID{Group: group, Kind: text(field(n, "kind")), Namespace: text(field(meta, "namespace")), Name: text(field(meta, "name"))}
}

// isGroup reports whether a document is a ResourceGroup.
func isGroup(n *yaml.Node) bool {
	return object.IsGroup(text(field(n, "apiVersion")), text(field(n, "kind")))
}

// holdsGroup returns the ResourceGroup in a list of objects, or nil.
func holdsGroup(n *yaml.Node) *yaml.Node {
	if !strings.HasSuffix(text(field(n, "kind")), "List") {
		return nil
	}
	items := field(n, "items")
	if items == nil || items.Kind != yaml.SequenceNode {
		return nil
	}
	for _, item := range items.Content {
		if item = follow(item); isGroup(item) {
			return item
		} else if in := holdsGroup(item); in != nil {
			return in
		}
	}
	return nil
}
