package query

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/value"
)

// Table is what is shown of an answer in text.
type Table struct {
	Header []string
	Rows   [][]string
}

// How many telling columns there are.
const (
	fewColumns  = 2
	manyColumns = 6
	shortID     = 4
)

// Table makes a table: name, a few telling columns, id. Wide shows more of them,
// and the whole id.
func (a *Answer) Table(wide bool) Table {
	if a.Type == nil && a.Columns != nil {
		return a.chosen(wide)
	}
	if a.Type == nil {
		return a.plain()
	}
	t := a.Type
	name := nameColumn(t)
	var out Table
	if name != "" {
		out.Header = append(out.Header, "NAME")
	}
	if t.HasLabels() {
		out.Header = append(out.Header, "NAMESPACE")
	}
	most := fewColumns
	if wide {
		most = manyColumns
	}
	columns := telling(t, name, most)
	if name == "" && len(columns) == 0 {
		columns = a.set(most)
	}
	for _, c := range columns {
		out.Header = append(out.Header, title(c))
	}
	if hasID(t) {
		out.Header = append(out.Header, "ID")
	}
	for _, body := range byName(t, name, a.Bodies) {
		out.Rows = append(out.Rows, row(t, body, name, columns, wide))
	}
	return out
}

// byName sorts what has names, unless their order means something.
func byName(t *catalog.Bound, name string, bodies []map[string]any) []map[string]any {
	ordered := t.Tree != nil || t.Parent != nil && slices.ContainsFunc(t.Parent.Children, func(c *catalog.Bound) bool { return c.Orders == t.Kind })
	if name == "" || ordered {
		return bodies
	}
	out := slices.Clone(bodies)
	slices.SortStableFunc(out, func(a, b map[string]any) int { return strings.Compare(cell(a, name), cell(b, name)) })
	return out
}

// chosen is a table of the columns that the answer names.
func (a *Answer) chosen(wide bool) Table {
	var out Table
	for _, c := range a.Columns {
		out.Header = append(out.Header, title(c))
	}
	for _, body := range a.Bodies {
		var cells []string
		for _, c := range a.Columns {
			shown := cell(body, c)
			if c == "id" {
				shown = idCell(shown, wide)
			}
			cells = append(cells, shown)
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// title is a field as the title of a column.
func title(field string) string {
	return strings.ToUpper(strings.NewReplacer("_", " ", ".", " ").Replace(field))
}

// idCell is an id in a cell: short unless the table is wide.
func idCell(id string, wide bool) string {
	if !wide && len(id) > shortID+1 {
		return id[:shortID] + "…"
	}
	return id
}

// set are the fields that have a value, for types of which no field tells much.
func (a *Answer) set(most int) []string {
	var out []string
	for _, body := range a.Bodies {
		for _, k := range slices.Sorted(maps.Keys(body)) {
			if body[k] != nil && k != "id" && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out[:min(most, len(out))]
}

func row(t *catalog.Bound, body map[string]any, name string, columns []string, wide bool) []string {
	var out []string
	if name != "" {
		out = append(out, cell(body, name))
	}
	if t.HasLabels() {
		labels, _ := body["labels"].(map[string]any)
		out = append(out, text(labels[label.Namespace]))
	}
	for _, c := range columns {
		out = append(out, cell(body, c))
	}
	if hasID(t) {
		out = append(out, idCell(text(body["id"]), wide))
	}
	return out
}

func hasID(t *catalog.Bound) bool { return t.Returned().At([]string{"id"}, nil) != nil }

// Words is what the answer has many of.
func (a *Answer) Words() string {
	if a.Type == nil && a.Of != "" {
		return a.Of + "s"
	}
	if a.Type == nil {
		return "objects"
	}
	return catalog.Words(a.Type.Root())
}

// plain is a table of what is no resource: of one its fields, one in a line.
func (a *Answer) plain() Table {
	if !a.One {
		out := Table{}
		for _, body := range a.Bodies {
			names := slices.Sorted(maps.Keys(body))
			var cells []string
			out.Header = nil
			for _, k := range names {
				out.Header = append(out.Header, strings.ToUpper(k))
				cells = append(cells, text(body[k]))
			}
			out.Rows = append(out.Rows, cells)
		}
		return out
	}
	out := Table{Header: []string{"FIELD", "VALUE"}}
	for _, body := range a.Bodies {
		for _, k := range slices.Sorted(maps.Keys(body)) {
			out.Rows = append(out.Rows, []string{k, text(body[k])})
		}
	}
	return out
}

// nameColumn is the field that is shown as the name, or "".
func nameColumn(t *catalog.Bound) string {
	for _, f := range []string{"name", t.NameField(), "title", "display_name", "username"} {
		if long, _ := t.Example[f].(string); f == "" || strings.Contains(long, "\n") {
			continue
		}
		if _, refers := t.Reference([]string{f}); !refers && f != "id" && t.Returned().At([]string{f}, nil) != nil {
			return f
		}
	}
	return ""
}

// telling are the fields that tell most of a resource: what tells it apart, what
// has one of a few values, what it refers to, then other short texts.
func telling(t *catalog.Bound, name string, most int) []string {
	type ranked struct {
		field string
		rank  int
	}
	var all []ranked
	elsewhere := map[string]string{}
	for _, e := range t.Elsewhere {
		elsewhere[e.Field] = e.At
	}
	shows := t.Neutral().Shows
	most = max(most, len(shows))
	for _, f := range shows {
		all = append(all, ranked{f, 0})
	}
	for _, id := range t.Identity {
		if len(shows) == 0 && id != name && id != "id" && !manyLines(t, id) {
			all = append(all, ranked{cmp.Or(elsewhere[id], id), 0})
		}
	}
	if v := t.Versions; v != nil {
		all = append(all, ranked{v.State, 0}, ranked{v.Number, 0})
	}
	o := t.Returned().Object(nil)
	for _, field := range o.Names() {
		f := o.Field(field).Schema
		if field == name || field == "id" || slices.Contains(t.Identity, field) || slices.Contains(shows, field) || t.Versions != nil && (field == t.Versions.State || field == t.Versions.Number) || t.ReturnedAt(value.Path{field}).Secret {
			continue
		}
		if r := rank(t, field, f); r > 0 && !manyLines(t, field) {
			all = append(all, ranked{field, r})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return a.rank - b.rank })
	var out []string
	for _, r := range all[:min(most, len(all))] {
		out = append(out, r.field)
	}
	return out
}

// manyLines reports whether values of a field do not fit into a table.
func manyLines(t *catalog.Bound, field string) bool {
	example, _ := t.Example[field].(string)
	return strings.Contains(example, "\n")
}

// rank orders fields by how much they tell; 0 leaves one out.
func rank(t *catalog.Bound, field string, f *contract.Schema) int {
	const longest = 255
	_, refers := t.Reference([]string{field})
	switch {
	case f.Deprecated, f.Format == "date-time", strings.HasSuffix(field, "ed_at"):
		return 0
	case len(f.Enum) > 1:
		return 1
	case refers && f.Type == "string":
		return 2
	case f.Type == "string" && f.Format != "" && f.Format != "uuid":
		return 3
	case f.Type == "string" && f.Format == "" && (f.MaxLength == nil || *f.MaxLength <= longest):
		return 4
	case f.Type == "boolean", f.Type == "integer", f.Type == "number":
		return 5
	case f.Type == "array" && f.Items != nil && f.Items.Deref().Type == "string":
		return 6
	default:
		return 0
	}
}

func cell(body map[string]any, field string) string {
	v, _ := value.Get(body, value.ParsePath(field))
	return text(v)
}

// text is a value in a cell.
func text(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case json.Number:
		return x.String()
	case []any:
		var parts []string
		for _, y := range x {
			parts = append(parts, text(y))
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		raw, err := json.Marshal(x)
		if err != nil {
			return ""
		}
		return string(raw)
	default:
		return fmt.Sprint(x)
	}
}
