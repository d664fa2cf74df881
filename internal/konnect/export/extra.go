package export

import (
	"path"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// Extra is what another target adds to a resource: decK's state of a control
// plane.
type Extra struct {
	// Key is where it stands on the resource.
	Key string
	// File is its content in a file of its own, whose name ends with Suffix; Named
	// is what then stands on the resource.
	File   []byte
	Suffix string
	Named  func(file string) value.Value
	// Inline is what stands on the resource where there is no such file.
	Inline value.Value
	// Variables are those that it takes secrets from, with what a seed puts in
	// their place.
	Variables map[string]string
	// Size is how many entities it holds.
	Size int
}

// entities counts what other targets add.
func (w *writer) entities() int {
	n := 0
	for _, x := range w.o.Extras {
		n += x.Size
	}
	return n
}

// Chosen reports whether a resource was asked for, and not only what leads to one
// that was.
func (r *Resource) Chosen() bool { return r.chosen }

// extra is what another target adds to a resource. Beside notes a file.
func (w *writer) extra(r *Resource, beside func(name string, data []byte)) []value.Entry {
	x := w.o.Extras[r.Object]
	switch {
	case x == nil:
		return nil
	case beside == nil:
		return []value.Entry{{Key: x.Key, Value: x.Inline}}
	}
	name := w.names.refs[r] + x.Suffix
	if w.o.Split {
		name = path.Join(r.Root().Type.Root(), name)
	} else {
		name = w.o.Base + "." + name
	}
	beside(name, x.File)
	return []value.Entry{{Key: x.Key, Value: x.Named(name)}}
}

// standIns are what a seed puts in the place of variables that are not set.
func (w *writer) standIns() map[string]any {
	out := map[string]any{}
	for _, x := range w.o.Extras {
		for name, text := range x.Variables {
			out[name] = text
		}
	}
	return out
}

// reserve keeps the variables of extras from being made up for other secrets.
func (w *writer) reserve() {
	for _, x := range w.o.Extras {
		for name := range x.Variables {
			w.names.vars[name] = true
		}
	}
}

// sortFiles puts files behind the first into order: they were noted on the way.
func sortFiles(files []File) {
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
}
