package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// TextOptions say how much a text holds.
type TextOptions struct {
	// Extended adds what Konnect returns, other names and the paths of the API.
	Extended bool
	// Width is how many columns a line may have; 0 is any number. Examples are as
	// they are: they are there to be copied.
	Width int
}

// List is all types by family, for people.
func (x *Explainer) List(o TextOptions) string {
	var b strings.Builder
	hang(&b, "", "Resource types by family. kongctl explain TYPE describes one; kongctl explain TYPE.FIELD a field; kongctl explain tags what !ref, !env and the like mean.", o.Width)
	for _, family := range catalog.Families() {
		b.WriteString("\n")
		hang(&b, "", family.Title, o.Width)
		width := 0
		for _, t := range family.Types {
			width = max(width, len(t.Kind))
		}
		var external []string
		for _, t := range family.Types {
			if t.ReadOnly {
				external = append(external, t.Kind)
				continue
			}
			place := t.Root()
			if n := nested(x.cat.Kind(t.Kind)); n != "" {
				place = n
			}
			hang(&b, fmt.Sprintf("  %-*s  ", width, t.Kind), place, o.Width)
		}
		for _, kinds := range byWriter(external, func(kind string) string { return x.writtenWith(x.cat.Kind(kind)) }) {
			title := "external, read-only here"
			if with := x.writtenWith(x.cat.Kind(kinds[0])); with != "" {
				title = "external, written with " + with
			}
			b.WriteString("  " + title + ":\n")
			writeWords(&b, kinds, "    ", o.Width)
		}
	}
	return b.String()
}

// Text describes what was found, for people.
func (x *Explainer) Text(f *Found, o TextOptions) string {
	var b strings.Builder
	if f.Key != nil {
		keyText(&b, f, o.Width)
		return b.String()
	}
	if f.Field != nil {
		x.fieldText(&b, f, o.Width)
		return b.String()
	}
	t := f.Type
	hang(&b, t.Kind+": ", t.summary(), o.Width)
	b.WriteString("\n")
	facts := t.facts()
	if o.Extended {
		facts = append(facts, t.extended()...)
	}
	writeFacts(&b, facts, o.Width)
	if len(t.Children) > 0 {
		b.WriteString("\nChild resources\n")
		b.WriteString(t.children(o.Width))
	}
	b.WriteString("\nKeys\n")
	for _, k := range t.Keys {
		hang(&b, fmt.Sprintf("  %-22s ", k.Name), k.Says, o.Width)
	}
	title := "Fields (* required)"
	if t.Class == External {
		title = "Fields that Konnect returns"
	}
	fmt.Fprintf(&b, "\n%s\n", title)
	writeFields(&b, rows(t.Object, "", "", t.Class != External), o.Width)
	if o.Extended && len(t.Returned) > 0 {
		b.WriteString("\nFields that Konnect sets (use them with !ref NAME#FIELD)\n")
		writeFields(&b, rows(&Object{Fields: t.Returned}, "", "", false), o.Width)
	}
	if t.Class != External {
		b.WriteString("\n")
		hang(&b, "", "A value may be written with a tag, such as !ref or !env: kongctl explain tags", o.Width)
	}
	fmt.Fprintf(&b, "\nExample\n%s", indent(x.Example(t), "  "))
	return b.String()
}

func (t *Type) summary() string {
	switch t.Class {
	case External:
		if t.WrittenWith == "" {
			return "read-only here; a configuration can only refer to one"
		}
		return fmt.Sprintf("written with %s; a configuration can only refer to one", t.WrittenWith)
	case Child:
		return "belongs to " + parentWords(t.Parent)
	case Root:
		return "at the root; belongs to no namespace"
	default:
		return "at the root, in a namespace"
	}
}

// fact is something that is true of a type.
type fact struct{ name, says string }

// variant says by which field several with one identity differ.
func (t *Type) variant() string {
	if t.bound.PerNamespace {
		return ", within the namespace"
	}
	if t.bound.Variant == "" {
		return ""
	}
	return ", and " + t.bound.Variant + " where several have one " + strings.Join(t.Identity, ", ")
}

func (t *Type) facts() []fact {
	out := []fact{{"class", string(t.Class)}, {"root key", t.rootText()}}
	if t.Nested != "" {
		out = append(out, fact{"nested", t.Nested})
	}
	if len(t.Identity) > 0 {
		out = append(out, fact{"identity", strings.Join(t.Identity, ", ") + t.variant()})
	}
	if t.Single {
		out = append(out, fact{"count", fmt.Sprintf("%s has at most one", diag.A(catalog.OwnerWords(t.bound)))})
	}
	if t.Tree != "" {
		out = append(out, fact{"tree", fmt.Sprintf("they nest in each other below %s; what gets another %s is deleted and created again", t.Tree, t.bound.Tree.Parent)})
	}
	if field := catalog.OrderField(t.bound); field != "" {
		out = append(out, fact{"order", fmt.Sprintf("%s that it does not list stay active, after those that it lists", field)},
			fact{"", fmt.Sprintf("without this key, the order of the nested list (%s) is meant", t.orderedKey())})
	}
	switch {
	case t.outlasts():
		out = append(out, fact{"sync", fmt.Sprintf("never deletes them, because their %s is external: kongctl delete -f does", catalog.Words(t.Parent))})
	case t.KeyedPrune:
		where := "the list"
		if t.Single {
			where = "its key"
		}
		out = append(out, fact{"sync", "deletes undeclared ones only where " + where + " is written"})
	case t.Class == Child && !t.bound.ReadOnly && !t.bound.Optional():
		out = append(out, fact{"sync", "never deletes it: without its key it stays as it is"})
	}
	if field := catalog.Withheld(t.bound); field != "" {
		out = append(out, fact{"plan", fmt.Sprintf("does not compare %s, which Konnect does not return: --write-secret REF writes it again", field)})
	}
	if t.Class == Root {
		out = append(out, fact{"sync", "never deletes undeclared ones: they carry no mark of ownership"})
	}
	switch {
	case t.Replaced && t.Object != nil && t.Object.identifies():
		says := "none: another value of any field is another resource"
		if t.Class == Root {
			says += ", and the former one stays"
		}
		out = append(out, fact{"update", says})
	case t.Replaced:
		out = append(out, fact{"update", "none: a change deletes it and creates it again"})
	}
	return out
}

// orderedKey is the list of the resources whose order the type holds.
func (t *Type) orderedKey() string {
	for _, c := range t.bound.Parent.Children {
		if c.Kind == t.bound.Orders {
			return c.Key
		}
	}
	return t.bound.Orders
}

// outlasts reports whether resources of the type belong to external ones alone, so
// that sync deletes none of them.
func (t *Type) outlasts() bool {
	return t.Class == Child && t.bound.Parent.ReadOnly && t.bound.Optional()
}

func (t *Type) rootText() string {
	if t.Parent == "" {
		return t.RootKey
	}
	return fmt.Sprintf("%s, with %s: naming its %s", t.RootKey, t.ParentKeys[0], catalog.Words(t.Parent))
}

func (t *Type) extended() []fact {
	out := []fact{{"family", t.Family}}
	if len(t.Aliases) > 0 {
		out = append(out, fact{"aliases", strings.Join(t.Aliases, ", ")})
	}
	return append(out, fact{"API path", t.bound.Path})
}

func writeFacts(b *strings.Builder, facts []fact, width int) {
	for _, f := range facts {
		hang(b, fmt.Sprintf("  %-9s ", f.name), f.says, width)
	}
}

func (t *Type) children(width int) string {
	var b strings.Builder
	var external []string
	for _, c := range t.Children {
		switch {
		case c.External:
			external = append(external, c.Key)
		case c.Single:
			hang(&b, fmt.Sprintf("  %-22s ", c.Key), c.Kind+" (at most one)", width)
		default:
			hang(&b, fmt.Sprintf("  %-22s ", c.Key), c.Kind, width)
		}
	}
	for _, key := range t.groupNames() {
		var members []string
		for _, m := range catalog.Groups(t.bound)[key] {
			members = append(members, fmt.Sprintf("%s as %s", m.Type.Key, m.Name))
		}
		hang(&b, fmt.Sprintf("  %-22s ", key), diag.Join(members, "and"), width)
	}
	if len(external) > 0 {
		b.WriteString("  external, with _external:\n")
		writeWords(&b, external, "    ", width)
	}
	return b.String()
}

// row is a line of a table of fields.
type row struct{ name, kind, says string }

// fieldText describes one field.
func (x *Explainer) fieldText(b *strings.Builder, f *Found, columns int) {
	path := strings.Join(f.Path, ".")
	fmt.Fprintf(b, "%s.%s: %s\n\n", f.Type.Kind, path, f.Field.kind())
	facts := []fact{{"resource", f.Type.Kind}, {"written at", f.Type.fieldPlace(f.Path)}}
	if f.readOnly {
		facts = []fact{{"resource", f.Type.Kind}, {"read-only", "Konnect sets it; others use it with !ref NAME#" + path}}
	}
	only := onlyWith(f.forms)
	if f.Field.Required {
		facts = append(facts, fact{"required", strings.Replace(strings.TrimSuffix("yes, "+only, ", "), "yes, only with", "with", 1)})
	} else if says := requiredWith(f.forms); says != "" {
		facts = append(facts, fact{"required", says})
	}
	if tag := f.Field.PreferredTag(); tag != "" {
		facts = append(facts, fact{"tag", tag})
	}
	width := 0
	for _, note := range f.Field.notes() {
		facts = append(facts, fact{"", note})
	}
	switch {
	case f.Field.differs(f.forms):
		facts = append(facts, formFacts(f.forms)...)
	case !f.Field.Required && only != "":
		facts = append(facts, fact{"", only})
	}
	for _, fact := range facts {
		width = max(width, len(fact.name))
	}
	for _, fact := range facts {
		hang(b, fmt.Sprintf("  %-*s  ", width, fact.name), fact.says, columns)
	}
	if inner := rows(inside(f.forms), "", "", f.Type.Class != External); len(inner) > 0 {
		b.WriteString("\nFields (* required)\n")
		writeFields(b, inner, columns)
	}
	for _, k := range f.Type.Keys {
		if len(f.Path) == 1 && k.Name == path && f.Type.Object.Field(path) == nil {
			writeKeys(b, namesOf(k.schema), columns)
		}
	}
}

// place is where a resource of the type stands in a document.
func (t *Type) place() string {
	if t.Nested != "" {
		return t.Nested
	}
	return t.RootKey + "[]"
}

// fieldPlace is where a field of the type stands in a document: a list stands for the
// resource that holds it alone.
func (t *Type) fieldPlace(path []string) string {
	at := t.written(path)
	if below, ok := strings.CutPrefix(at, t.bound.Set); ok && t.bound.Set != "" && path[0] == t.bound.Set {
		return t.place() + below
	}
	return t.place() + "." + at
}

// written is a path with the marks of the lists that it leads through.
func (t *Type) written(path []string) string {
	at := []*Field{{Type: "object", Object: t.Object}}
	var out []string
	for i, name := range path {
		var next []*Field
		for _, f := range at {
			for _, x := range f.forms(name) {
				next = append(next, x.field)
			}
		}
		if at = next; len(next) > 0 && i < len(path)-1 && (next[0].Type == "array" || slices.ContainsFunc(next[0].Either, func(e *Field) bool { return e.Type == "array" })) {
			name += "[]"
		}
		out = append(out, name)
	}
	return strings.Join(out, ".")
}

// longText is how long a text may be that is better off in a file.
const longText = 4096

// PreferredTag is the tag that the field is best written with; "" for none.
func (f *Field) PreferredTag() string {
	longest, bounded := f.Limits["maxLength"].(int)
	switch {
	case f.Refers != "":
		return "!ref"
	case f.Returned:
		return ""
	case f.Secret:
		return "!secret"
	case f.Type == "string" && bounded && longest > longText:
		return "!file"
	default:
		return ""
	}
}

func indent(text, by string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = by + line
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
