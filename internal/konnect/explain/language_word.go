package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// Word is a word of the configuration language that is neither a type nor a field.
type Word struct {
	Name string
	Says string
	// Form is how it is written.
	Form string
	// Schema describes what stands there.
	Schema func() map[string]any
}

// Word finds a word of the language.
func (x *Explainer) Word(name string) (Word, bool) {
	for _, w := range x.languageWords() {
		if w.Name == name {
			what := w.Schema
			w.Schema = func() map[string]any { return x.whole(titled(name, what())) }
			return w, true
		}
	}
	return Word{}, false
}

// titled is a copy of a schema that says what it is of.
func titled(name string, schema map[string]any) map[string]any {
	out := maps.Clone(schema)
	out["title"], out["x-kongctl-path"] = name, name
	return out
}

// languageWords are the keys of documents and resources, and the groups of collections.
func (x *Explainer) languageWords() []Word {
	at := func(name string) func() map[string]any {
		return func() map[string]any {
			s, _ := value.Get(x.Language(), value.Path{"properties", name})
			out, _ := s.(map[string]any)
			return out
		}
	}
	is := func(s map[string]any) func() map[string]any { return func() map[string]any { return s } }
	external := map[string]any{"type": "object", "properties": map[string]any{"id": map[string]any{"type": "string"}, "selector": selectorSchema()}}
	out := []Word{
		{
			"_defaults", "At the root of a document: the namespace and the protection that its resources have unless they say otherwise, and what a sync may delete of what the document does not declare, if that is less than --prune says.",
			"_defaults:\n  kongctl: {namespace: my-team, protected: false}\n  prune: declared", at("_defaults"),
		},
		{
			keyMeta, "Below a resource, and below _defaults for a whole document. namespace says whose resource it is: kongctl marks it so, and leaves resources of other namespaces alone. protected: true refuses its deletion and replacement. Children belong to the namespace of their parent.",
			"portals:\n  - name: my-portal\n    kongctl: {namespace: my-team, protected: true}", is(metaSchema(true)),
		},
		{
			keyExternal, "In a resource, in place of its fields: the resource exists and others own it. It is found by its id or by a selector, and never changed; resources below it are managed as others.",
			"portals:\n  - ref: theirs\n    _external: {selector: {matchFields: {name: Their Portal}}}", is(external),
		},
		{
			"moved", "At the root of a document: resources that have another name now. They are renamed, not deleted and created again.",
			"moved:\n  - {type: portal, from: old-name, to: new-name}", at("moved"),
		},
		{
			"external_resources", "At the root of a document: resources that exist and that others own, of any type, so that others can refer to them. It is another way to write _external.",
			"external_resources:\n  - ref: theirs\n    resource_type: portal\n    selector: {matchFields: {name: Their Portal}}", at("external_resources"),
		},
	}
	for _, e := range x.extensions {
		out = append(out, Word{e.Key, "In resources that take it: " + e.Says + ".", "", is(e.Schema)})
	}
	for key, flat := range x.cat.FlatSides() {
		above, s := flat.Type.Parent, flat.Side
		out = append(out, Word{key, fmt.Sprintf("At the root of a document: the %s of each %s, which names it with %s. kongctl explain %s describes what they become.",
			s.Key, catalog.Words(above.Kind), above.Kind, s.Type.Kind), fmt.Sprintf("%s:\n  - %s: its-name\n    %s: [one, two]", key, above.Kind, s.List), at(key)})
	}
	groups := map[string][]string{}
	for _, key := range x.cat.RootKeys() {
		if group, _, nested := strings.Cut(key, "."); nested {
			groups[group] = append(groups[group], key)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		keys := slices.Sorted(slices.Values(groups[group]))
		out = append(out, Word{
			group, "At the root of a document: a group of collections. kongctl explain describes each: " + diag.Join(keys, "and") + ".",
			group + ":\n  " + strings.TrimPrefix(keys[len(keys)-1], group+".") + ": …", at(group),
		})
	}
	return out
}

// Text describes a word, for people.
func (w Word) Text(o TextOptions) string {
	var b strings.Builder
	hang(&b, "", w.Name+": "+w.Says, o.Width)
	if w.Form != "" {
		b.WriteString("\n")
		for _, line := range strings.Split(w.Form, "\n") {
			b.WriteString("  " + line + "\n")
		}
	}
	return b.String()
}
