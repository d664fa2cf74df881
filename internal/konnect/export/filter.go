package export

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/query"
)

// Filter picks resources. What is empty fits everything; in texts * stands for
// any letters and ? for one.
type Filter struct {
	// Type is a kind or a root key.
	Type      string
	Name      string
	ID        string
	Namespace string
	Labels    map[string]string
}

const labelWord = "label."

// FilterWords returns what a term of a filter begins with.
func FilterWords() []string { return []string{"name=", "id=", "namespace=", "type=", labelWord} }

// ParseFilter reads name=GLOB,label.KEY=VALUE,namespace=NS,type=TYPE.
func ParseFilter(text string) (Filter, error) {
	f := Filter{Labels: map[string]string{}}
	for _, term := range strings.Split(text, ",") {
		word, pattern, ok := strings.Cut(term, "=")
		word, pattern = strings.TrimSpace(word), strings.TrimSpace(pattern)
		if !ok || pattern == "" {
			return Filter{}, fmt.Errorf("%q is not a word, = and a value", strings.TrimSpace(term))
		}
		label, isLabel := strings.CutPrefix(word, labelWord)
		switch {
		case isLabel && label != "":
			f.Labels[label] = pattern
		case word == "name":
			f.Name = pattern
		case word == "id":
			f.ID = pattern
		case word == "namespace":
			f.Namespace = pattern
		case word == "type":
			f.Type = pattern
		default:
			return Filter{}, fmt.Errorf("there is no filter by %q; filter by name, id, namespace, type or label.KEY", word)
		}
	}
	return f, nil
}

// fits tells whether a filter picks a resource, except for its type. Namespace and
// labels are those of the root: children carry none.
func (f Filter) fits(r *Resource) bool {
	labels := catalog.Labels(r.Root().Object)
	if f.ID != "" && f.ID != r.Object.ID {
		return false
	}
	if f.Name != "" && !glob(f.Name, r.Name()) {
		return false
	}
	if f.Namespace != "" && !glob(f.Namespace, labels[label.Namespace]) {
		return false
	}
	for k, pattern := range f.Labels {
		if v, ok := labels[k]; !ok || !glob(pattern, v) {
			return false
		}
	}
	return true
}

func glob(pattern, text string) bool {
	quoted := regexp.QuoteMeta(pattern)
	quoted = strings.ReplaceAll(strings.ReplaceAll(quoted, `\*`, `.*`), `\?`, `.`)
	return regexp.MustCompile(`(?s)^` + quoted + `$`).MatchString(text)
}

// TypeError is the name of a type that cannot be exported.
type TypeError struct {
	Name string
	// Near is the name that was probably meant.
	Near string
	// External tells that the type exists and is not written here.
	External bool
}

// Error names the type.
func (e *TypeError) Error() string {
	if e.External {
		return fmt.Sprintf("%s: this type is managed elsewhere, so a configuration cannot hold it", e.Name)
	}
	return fmt.Sprintf("%s: there is no such type", e.Name)
}

// Knows reports whether a word is that of a type that can be exported.
func Knows(cat *catalog.Catalog, word string) bool {
	_, err := typeOf(cat, word)
	return err == nil
}

// choice is what was asked for, in terms of types.
type choice struct {
	named   map[*catalog.Bound]bool // by Options.Resources; none: all roots
	filters []typedFilter
	// leads are the types that may be chosen, and those above them.
	leads    map[*catalog.Bound]bool
	children bool
}

type typedFilter struct {
	Filter
	only *catalog.Bound // nil: any
}

func newChoice(cat *catalog.Catalog, o Options) (*choice, error) {
	c := &choice{named: map[*catalog.Bound]bool{}, leads: map[*catalog.Bound]bool{}, children: o.Children}
	for _, name := range o.Resources {
		t, err := typeOf(cat, strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		c.named[t] = true
	}
	if o.Linked && o.Children {
		linked(cat, c)
	}
	for _, f := range o.Filters {
		tf := typedFilter{Filter: f}
		if f.Type != "" {
			t, err := typeOf(cat, f.Type)
			if err != nil {
				return nil, err
			}
			tf.only = t
		}
		c.filters = append(c.filters, tf)
	}
	for _, t := range cat.All() {
		if c.candidate(t) {
			for x := t; x != nil; x = x.Parent {
				c.leads[x] = true
			}
		}
	}
	return c, nil
}

// candidate tells whether resources of a type may be chosen for themselves.
func (c *choice) candidate(t *catalog.Bound) bool {
	if t.ReadOnly && (!owner(t) || !c.asks(t) && !c.whole()) {
		return false
	}
	if len(c.named) > 0 {
		return c.named[t]
	}
	for _, f := range c.filters {
		if f.only == t {
			return true
		}
	}
	return t.Parent == nil
}

// linked adds what others own and links to what is asked for: users, whose teams are.
func linked(cat *catalog.Catalog, c *choice) {
	for _, t := range cat.All() {
		if !t.ReadOnly || !owner(t) {
			continue
		}
		for _, child := range t.Children {
			if !child.ReadOnly && slices.ContainsFunc(child.References, func(r catalog.Reference) bool { return c.named[cat.Kind(r.Kind)] }) {
				c.named[t] = true
			}
		}
	}
}

// asks reports whether a type is asked for by name.
func (c *choice) asks(t *catalog.Bound) bool {
	return c.named[t] || slices.ContainsFunc(c.filters, func(f typedFilter) bool { return f.only == t })
}

// whole reports whether everything is asked for.
func (c *choice) whole() bool { return len(c.named) == 0 && len(c.filters) == 0 && c.children }

// owner reports whether resources of a type that others write have children of our
// own, such as the roles of users. An export of everything has those that have some.
func owner(t *catalog.Bound) bool {
	return t.Parent == nil && t.Writer == "" && slices.ContainsFunc(t.Children, func(c *catalog.Bound) bool { return !c.ReadOnly })
}

// picks tells whether a resource is chosen for itself.
func (c *choice) picks(r *Resource) bool {
	if !c.candidate(r.Type) {
		return false
	}
	for _, f := range c.filters {
		switch {
		case f.only != nil && f.only != r.Type:
		case f.only == nil && len(c.named) == 0 && r.Parent != nil: // a filter without a type means roots
		case f.fits(r):
			return true
		}
	}
	return len(c.filters) == 0
}

// typeOf finds a type by its kind or its root key.
func typeOf(cat *catalog.Catalog, name string) (*catalog.Bound, error) {
	for _, word := range []string{name, strings.ReplaceAll(name, "-", "_")} {
		t := cat.Kind(cat.Types().Now(word))
		if t == nil {
			t = cat.RootKey(word)
		}
		switch {
		case t == nil:
		case t.ReadOnly && !owner(t):
			return nil, &TypeError{Name: name, External: true}
		default:
			return t, nil
		}
	}
	if asked, err := query.Parse(strings.Split(name, ".")); err == nil && asked.Type != nil && asked.Name == "" { // as get says it
		if t := cat.Kind(asked.Type.Kind); !t.ReadOnly || owner(t) {
			return t, nil
		}
	}
	known := cat.RootKeys()
	for _, t := range cat.All() {
		known = append(known, t.Kind)
	}
	return nil, &TypeError{Name: name, Near: diag.Nearest(name, known)}
}
