package resource

import (
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// Naming is fields that hold the names of resources of a kind with the same parent, as
// texts. What they name may also exist without being declared.
type Naming struct {
	Kind   string
	Fields []string
	// Open: a name may also come from elsewhere, so that what it names need not exist.
	Open bool
	// Inside is the field of the parent that the names stand in, as phases.key, where
	// they are those of its items: Kind is "" then.
	Inside string
}

// NamesInside reports whether fields of a type name items of the parent, which must
// have them first.
func (t *Type) NamesInside() bool {
	return slices.ContainsFunc(t.Namings, func(n Naming) bool { return n.Inside != "" })
}

// NamesIn goes through the values of fields that name resources, each item of a list
// by itself. A value that is not known yet is no text.
func (t *Type) NamesIn(fields map[string]any, each func(n Naming, at value.Path, v any)) {
	for _, n := range t.Namings {
		if n.Inside != "" {
			continue
		}
		for _, f := range n.Fields {
			for _, at := range value.Places(fields, value.ParsePath(f)) {
				v, _ := value.Get(fields, at)
				list, isList := v.([]any)
				if !isList {
					each(n, at, v)
				}
				for i, item := range list {
					each(n, at.Index(i), item)
				}
			}
		}
	}
}

// NamedIn goes through what the fields of a resource name.
func (t *Type) NamedIn(fields map[string]any, each func(kind, name string)) {
	t.NamesIn(fields, func(n Naming, _ value.Path, v any) {
		if name, ok := v.(string); ok {
			each(n.Kind, name)
		}
	})
}

// CalledIn goes through all that the fields of a resource name, also in place of an id.
func CalledIn(t *Type, fields map[string]any, each func(kind, name string)) {
	t.NamedIn(fields, each)
	for _, r := range t.Either {
		for _, name := range value.TextsAt(fields, value.ParsePath(r.Field)) {
			each(r.Kind, name)
		}
	}
}

// NameUses are the fields that name what must exist, as references.
func NameUses(t *Type) []Reference {
	out := slices.Clone(t.Either)
	for _, n := range t.Namings {
		if n.Open || n.Inside != "" {
			continue
		}
		for _, f := range n.Fields {
			out = append(out, Reference{Field: f, Kind: n.Kind})
		}
	}
	return out
}

// Mentions reports whether a resource has a value in a field that names resources of a
// kind which must exist.
func (t *Type) Mentions(fields value.Value, kind string) bool {
	return slices.ContainsFunc(t.Namings, func(n Naming) bool {
		return n.Kind == kind && !n.Open && slices.ContainsFunc(n.Fields, func(f string) bool {
			return !fields.Field(value.ParsePath(f)[0]).IsAbsent()
		})
	})
}

// NamedBy lists the fields that name resources of a kind. Where what they name must
// exist, a deletion of it leaves them wrong; the others keep the name.
func (t *Types) NamedBy(kind string) []Use { return t.namedBy[kind] }

func (t *Types) findNamings() {
	for _, x := range t.all {
		for _, n := range x.Namings {
			ending := Refuses
			if n.Open {
				ending = Keeps
			}
			if t.byKind[n.Kind] == nil || n.Inside != "" {
				continue
			}
			for _, f := range n.Fields {
				t.namedBy[n.Kind] = append(t.namedBy[n.Kind], Use{By: x, Reference: Reference{Field: f, Kind: n.Kind, OnDelete: ending}, ByName: true})
			}
		}
	}
}

// NamedAt is what a field holds the names of; its kind is "" where it holds none.
func (t *Type) NamedAt(path value.Path) Naming {
	for _, n := range t.Namings {
		if slices.Contains(n.Fields, path.String()) {
			return n
		}
	}
	return Naming{}
}

// NameIn is what others call a resource by in such fields: its identity, where that
// is a text.
func (t *Type) NameIn(fields map[string]any) string {
	if len(t.Identity) != 1 {
		return ""
	}
	name, _ := fields[t.Identity[0]].(string)
	return name
}

// NamedUse is a field with the name of a declared resource.
type NamedUse struct {
	At value.Path
	// ID is the field with its id, where the contract takes that in the place of the
	// name; else nil.
	ID     value.Path
	Target *Resource
	// Open: the name may also come from elsewhere.
	Open bool
}
