package plan

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// labelsField is the field that the marks of kongctl are written to.
const labelsField = "labels"

// changeForm is a change without its own way of writing itself.
type changeForm Change

// Lookup is by what a resource that a change refers to can be found.
type Lookup struct {
	Name string `json:"name"`
}

// Named is the lookup by a name, or nil for no name.
func Named(name string) *Lookup {
	if name == "" {
		return nil
	}
	return &Lookup{name}
}

// Text is the name that a resource can be found by; "" for none.
func (l *Lookup) Text() string {
	if l == nil {
		return ""
	}
	return l.Name
}

// MarshalJSON writes a change in the form that documents have: the resource above
// it is one of the references, places in lists are numbers, fields of secrets are
// JSON pointers, the marks of kongctl stand beside the fields, and the fields of a
// delete are what it was found by. Parse gives back the change.
func (c *Change) MarshalJSON() ([]byte, error) {
	out := changeForm(*c)
	out.References = writtenReferences(c)
	out.SecretWrites = slices.Clone(c.SecretWrites)
	for i, e := range c.SecretWrites {
		out.SecretWrites[i] = writtenSecret(e)
	}
	out.Fields, out.OwnLabels = withoutMarks(c.Fields, c.OwnLabels)
	if c.Action == Delete && len(c.Fields) == 0 {
		out.Fields = c.Identity
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(&out)
	return b.Bytes(), err
}

// read turns a change from the form of documents, of this version or an earlier
// one, into the one that this program works with.
func (c *Change) read() {
	for key, r := range maps.Clone(c.References) {
		at := c.dotted(key)
		switch {
		case r.Parent && c.stands(r):
			delete(c.References, key)
			if c.Parent != nil {
				c.Parent.Lookup = r.Lookup
			}
		case at != key:
			delete(c.References, key)
			c.References[at] = r
		}
	}
	if len(c.References) == 0 {
		c.References = nil
	}
	for i, e := range c.SecretWrites {
		c.SecretWrites[i] = readSecret(e)
	}
	if c.Action == Delete && c.foundBy(c.Fields) {
		c.Identity, c.Fields = c.Fields, nil
	}
	if len(c.OwnLabels) > 0 && !c.marksTwice() {
		labels, _ := c.Fields[labelsField].(map[string]any)
		labels = maps.Clone(labels)
		if labels == nil {
			labels = map[string]any{}
		}
		maps.Copy(labels, c.OwnLabels)
		c.Fields = maps.Clone(c.Fields)
		if c.Fields == nil {
			c.Fields = map[string]any{}
		}
		c.Fields[labelsField] = labels
		c.OwnLabels = nil
	}
}

// marksTwice reports whether a document has marks both among the labels and beside
// them: no program writes that.
func (c *Change) marksTwice() bool {
	labels, _ := c.Fields[labelsField].(map[string]any)
	return len(c.OwnLabels) > 0 && slices.ContainsFunc(slices.Collect(maps.Keys(labels)), resource.IsMark)
}

// foundBy reports whether fields are some of the resource as it was read.
func (c *Change) foundBy(fields map[string]any) bool {
	for key, v := range fields {
		if is, ok := c.CurrentState[key]; !ok || !value.Equal(is, v) {
			return false
		}
	}
	return true
}

func writtenReferences(c *Change) map[string]Reference {
	if len(c.References) == 0 && c.Parent == nil {
		return c.References
	}
	out := map[string]Reference{}
	for key, r := range c.References {
		out[writtenPath(key)] = r
	}
	if p := c.Parent; p != nil {
		key := p.Type + "_id"
		if _, taken := out[key]; !taken {
			out[key] = Reference{Ref: p.Ref, Type: p.Type, ID: p.ID, Change: p.Change, Lookup: p.Lookup, Parent: true}
		}
	}
	return out
}

// stands reports whether a reference names the resource that the change stands below.
func (c *Change) stands(r Reference) bool {
	p := c.Parent
	return p != nil && p.Ref == r.Ref && p.Type == r.Type && p.ID == r.ID && p.Change == r.Change
}

// writtenPath is a path with places in lists as numbers. A key of a mapping that is a
// number is quoted.
func writtenPath(path string) string {
	p := value.ParsePath(path)
	if text := strings.Join(plainParts(p), "."); indexed(strings.Split(text, ".")).String() == p.String() && !strings.Contains(text, "[") {
		return text
	}
	var b strings.Builder
	for i, part := range p {
		_, place := value.Place(part)
		_, number := value.Place("[" + part + "]")
		switch {
		case place:
			b.WriteString(part)
		case number || strings.ContainsAny(part, `.[]"`) || part == "":
			b.WriteString("[" + strconv.Quote(part) + "]")
		case i > 0:
			b.WriteString("." + part)
		default:
			b.WriteString(part)
		}
	}
	return b.String()
}

// dotted is the path that a key of references stands for. Documents of earlier
// programs have numbers as keys of mappings: what the change sends tells.
func (c *Change) dotted(key string) string {
	if strings.Contains(key, "[") {
		return value.ParsePath(key).String()
	}
	p := indexed(strings.Split(key, "."))
	for i, part := range p {
		if above, ok := value.Get(c.Fields, p[:i]); ok && strings.HasPrefix(part, "[") {
			if _, isMap := above.(map[string]any); isMap {
				p[i] = strings.Trim(part, "[]")
			}
		}
	}
	return p.String()
}

// indexed is a path whose numbers are places in lists.
func indexed(parts []string) value.Path {
	var out value.Path
	for _, part := range parts {
		if i, err := strconv.Atoi(part); err == nil && i >= 0 && strconv.Itoa(i) == part {
			out = out.Index(i)
		} else {
			out = out.Child(part)
		}
	}
	return out
}

// plainParts are the parts of a path, with places in lists as numbers.
func plainParts(p value.Path) []string {
	out := make([]string, len(p))
	for i, part := range p {
		out[i] = strings.TrimSuffix(strings.TrimPrefix(part, "["), "]")
	}
	return out
}

var (
	toPointer   = strings.NewReplacer("~", "~0", "/", "~1")
	fromPointer = strings.NewReplacer("~1", "/", "~0", "~")
)

// pointer is a path as a JSON pointer.
func pointer(p value.Path) string {
	var b strings.Builder
	for _, part := range plainParts(p) {
		b.WriteString("/" + toPointer.Replace(part))
	}
	return b.String()
}

func pointed(text string) value.Path {
	parts := strings.Split(strings.TrimPrefix(text, "/"), "/")
	for i, part := range parts {
		parts[i] = fromPointer.Replace(part)
	}
	return indexed(parts)
}

// writtenSecret writes where a secret goes and what it is made of. A path that a
// pointer does not tell from another, with a number as the key of a mapping, stands
// beside it.
func writtenSecret(e Expression) Expression {
	if strings.HasPrefix(e.Field, "/") {
		return e
	}
	at := pointer(value.ParsePath(e.Field))
	out := Expression{Field: at, Expression: map[string]any{}}
	if pointed(at).String() != e.Field {
		out.Path = e.Field
	}
	var parts []any
	for _, part := range secretParts(e.Expression) {
		parts = append(parts, writtenPart(part))
	}
	out.Expression["parts"] = parts
	return out
}

// kinds are the keys that say where a part of a secret is taken from.
var kinds = []string{string(value.OpEnv), string(value.OpFile), "input"}

func writtenPart(part map[string]any) map[string]any {
	for _, kind := range kinds {
		if name, ok := part[kind]; ok {
			source := maps.Clone(part)
			delete(source, kind)
			source["kind"], source["reference"] = kind, name
			return map[string]any{"source": source}
		}
	}
	if text, ok := part["text"]; ok {
		return map[string]any{"literal": text}
	}
	return part
}

func readSecret(e Expression) Expression {
	if !strings.HasPrefix(e.Field, "/") {
		return e
	}
	out := Expression{Field: e.Path}
	if out.Field == "" {
		out.Field = pointed(e.Field).String()
	}
	list, _ := e.Expression["parts"].([]any)
	parts := make([]any, len(list))
	for i, x := range list {
		part, _ := x.(map[string]any)
		parts[i] = readPart(part)
	}
	out.Expression = map[string]any{"parts": parts}
	if len(parts) == 1 {
		out.Expression = map[string]any{"source": parts[0]}
	}
	return out
}

func readPart(part map[string]any) map[string]any {
	if text, ok := part["literal"]; ok {
		return map[string]any{"text": text}
	}
	source, _ := part["source"].(map[string]any)
	kind, _ := source["kind"].(string)
	if !slices.Contains(kinds, kind) {
		return part // refused where it is evaluated
	}
	out := maps.Clone(source)
	delete(out, "kind")
	delete(out, "reference")
	out[kind] = source["reference"]
	return out
}

// withoutMarks takes the marks of kongctl out of the labels.
func withoutMarks(fields map[string]any, marks map[string]any) (plain, taken map[string]any) {
	labels, _ := fields[labelsField].(map[string]any)
	if !slices.ContainsFunc(slices.Collect(maps.Keys(labels)), resource.IsMark) {
		return fields, marks
	}
	plain, taken = maps.Clone(fields), map[string]any{}
	rest := map[string]any{}
	for k, v := range labels {
		if resource.IsMark(k) {
			taken[k] = v
		} else {
			rest[k] = v
		}
	}
	plain[labelsField] = rest
	if len(rest) == 0 {
		delete(plain, labelsField)
	}
	return plain, taken
}
