package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// Found is what a path leads to: a type, a field of it, or another key.
type Found struct {
	Type *Type
	// Field is nil where the path leads to a type; Path is where it stands in
	// the type.
	Field *Field
	Path  []string
	// Key is the schema of a key of the language that is no field, or nil.
	Key map[string]any

	// written is the path of a key with the marks of lists.
	written string
	// readOnly: Konnect sets the field, and nobody writes it.
	readOnly bool
	// forms are what the field is in each variant that has it.
	forms []form
}

// UnknownError is a path that leads nowhere.
type UnknownError struct {
	Message string
	// Hint says what to write instead.
	Hint string
}

// Error says what does not exist.
func (e *UnknownError) Error() string { return e.Message }

// Find follows a path such as portal, portal.pages, portal_page or
// portal.pages.slug.
func (x *Explainer) Find(path string) (*Found, error) {
	segments := strings.Split(strings.Trim(strings.ReplaceAll(path, "[]", ""), "."), ".")
	b, rest := x.start(segments)
	if b == nil {
		return nil, x.unknownType(segments[0])
	}
	for len(rest) > 0 {
		below := child(b, rest[0])
		if below == nil || x.namesField(b, below, rest) {
			break
		}
		b, rest = below, rest[1:]
		if len(rest) > 0 && slices.Contains(catalog.Keys(b), rest[0]) {
			rest = rest[1:] // the key of one of a mapping of them
		}
	}
	t := x.Type(b)
	found, err := t.At(rest)
	if err != nil && b.Set != "" { // its list stands for it
		if in, wrong := t.At(append([]string{b.Set}, rest...)); wrong == nil {
			return in, nil
		}
	}
	if err != nil {
		if key, wrong := x.keyAt(t, rest); key != nil || wrong != nil {
			return key, wrong
		}
	}
	return found, err
}

// namesField reports whether the end of a path is the name of a field, and not the key
// of a child that a word leads to as well.
func (x *Explainer) namesField(b, below *catalog.Bound, rest []string) bool {
	return len(rest) == 1 && rest[0] != below.Key && x.Type(b).Object.Field(rest[0]) != nil
}

// At follows the names of fields below a type; no names lead to the type.
func (t *Type) At(names []string) (*Found, error) {
	out := &Found{Type: t}
	if len(names) == 0 {
		return out, nil
	}
	var err error
	if out.forms, out.Path, err = t.find(names); err != nil {
		return out, err
	}
	out.Field = merge(out.forms)
	is := func(f *Field) bool { return f.Name == names[0] }
	out.readOnly = t.Class != External && slices.ContainsFunc(t.Returned, is) && !slices.ContainsFunc(t.Keys, func(k *Key) bool { return k.Name == names[0] })
	return out, nil
}

// start finds the type that a path begins with: the longest that has a name.
func (x *Explainer) start(segments []string) (*catalog.Bound, []string) {
	segments = inFamily(segments)
	for n := len(segments); n > 0; n-- {
		word := strings.Join(segments[:n], ".")
		if b := x.cat.RootKey(word); b != nil {
			return b, segments[n:]
		}
		if b := x.cat.RootKey(strings.ReplaceAll(word, "-", "_")); b != nil {
			return b, segments[n:]
		}
		if b := x.cat.Word(word); b != nil {
			return b, segments[n:]
		}
		for _, b := range x.cat.All() {
			if slices.Contains(b.Short, word) && b.Parent == nil {
				return b, segments[n:]
			}
		}
		if b := x.cat.Named(strings.ReplaceAll(word, "-", "_")); b != nil {
			return b, segments[n:]
		}
	}
	return nil, segments
}

// inFamily puts the first word of a family in the place of another one of its words.
func inFamily(segments []string) []string {
	for _, f := range catalog.Families() {
		if len(segments) > 1 && slices.Contains(f.Words, segments[0]) {
			return append([]string{f.Words[0]}, segments[1:]...)
		}
	}
	return segments
}

// child finds a child type by its key, in the plural or singular.
func child(b *catalog.Bound, word string) *catalog.Bound {
	word = strings.ReplaceAll(strings.ToLower(word), "-", "_")
	for _, c := range b.Children {
		if slices.Contains(catalog.ChildWords(c.Type), word) {
			return c
		}
	}
	if b.Tree != nil && word == b.Tree.Children {
		return b
	}
	return nil
}

func (x *Explainer) unknownType(word string) error {
	if w, isWord := x.Word(word); isWord {
		return &UnknownError{Message: fmt.Sprintf("%q is a word of the configuration language and no resource type", word), Hint: fmt.Sprintf("kongctl explain %s describes it.", w.Name)}
	}
	e := &UnknownError{Message: fmt.Sprintf("unknown resource type %q", word), Hint: "kongctl explain lists the types."}
	if near := diag.NearestWord(strings.ReplaceAll(word, "-", "_"), x.words()); near != "" {
		e.Message += fmt.Sprintf("; did you mean %q?", near)
	}
	return e
}

func (x *Explainer) words() []string {
	var out []string
	for _, b := range x.cat.All() {
		out = append(out, b.Kind)
	}
	for _, b := range x.cat.All() {
		out = append(out, b.Root())
		out = append(out, b.Aliases...)
	}
	return out
}

// find follows the names of fields below a type, through all variants.
func (t *Type) find(names []string) ([]form, []string, error) {
	at := []form{{field: &Field{Type: "object", Object: t.Object}}}
	var path []string
	for i, name := range names {
		var next []form
		lacking := slices.ContainsFunc(at, func(above form) bool { return len(above.field.forms(name)) == 0 })
		for _, above := range at {
			for _, x := range above.field.forms(name) {
				if x.property != "" && len(path) > 0 { // one of the same name may stand further up
					x.when = only(strings.Join(append(slices.Clone(path), x.property), "."), x.is)
				}
				x.some = x.some || above.some || lacking
				if above.when != "" && x.when != "" {
					x.when = both(above.when, x.when)
				} else if x.when == "" {
					x.property, x.is, x.when = above.property, above.is, above.when
				}
				next = append(next, x)
			}
		}
		if f := t.key(name); len(next) == 0 && i == 0 && f != nil {
			next = []form{{field: f}}
		}
		if len(next) == 0 {
			return nil, nil, t.unknownField(at, path, name)
		}
		if next[0].field.Name != "" {
			name = next[0].field.Name
		}
		at, path = next, append(path, name)
	}
	return at, path, nil
}

// key is what a configuration says besides the fields of the API, as a field.
func (t *Type) key(name string) *Field {
	for _, k := range t.Keys {
		if k.Name == name {
			return k.field()
		}
	}
	for _, f := range t.Returned {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// field is a key as a field of the type that it has first.
func (k *Key) field() *Field {
	out := &Field{Name: k.Name, Loads: k.Says}
	switch is := k.schema["type"].(type) {
	case string:
		out.Type = is
	case []any:
		out.Type, _ = is[0].(string)
	}
	return out
}

func (t *Type) unknownField(at []form, path []string, name string) error {
	in := t.Kind
	if len(path) > 0 {
		in += "." + strings.Join(path, ".")
	}
	var known []string
	for _, x := range at {
		known = append(known, x.names()...)
	}
	if len(path) == 0 {
		for _, c := range t.Children {
			known = append(known, c.Key)
		}
		for _, k := range t.Keys {
			known = append(known, k.Name)
		}
		known = append(known, t.groupNames()...)
		known = append(known, fieldNames(t.Returned)...)
	}
	e := &UnknownError{Message: fmt.Sprintf("%s has no field %q", in, name), Hint: fmt.Sprintf("run kongctl explain %s to see its fields.", in)}
	if near := diag.Nearest(name, known); near != "" {
		e.Message += fmt.Sprintf("; did you mean %q?", near)
	}
	if len(known) == 0 {
		e.Hint = fmt.Sprintf("%s is %s.", in, diag.A(merge(at).kind()))
	}
	return e
}
