package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// Secret stands in place of a secret that a document should not hold.
const Secret = "[secret]"

// Hide returns fields of a resource of a kind without what is secret.
type Hide func(kind string, fields map[string]any) map[string]any

// HideByName returns a value without what is secret by its name, for those who know
// no more about it: all below such a name that is no switch and not empty.
func HideByName(fields map[string]any, hidden string) map[string]any {
	out, _ := byName(fields, hidden, false).(map[string]any)
	return out
}

func byName(v any, hidden string, secret bool) any {
	switch x := v.(type) {
	case nil, bool:
		return v
	case map[string]any:
		if x == nil {
			return x
		}
		out := make(map[string]any, len(x))
		for k, inner := range x {
			if out[k] = byName(inner, hidden, secret || value.MentionsSecret(k)); k == flagsKey && !secret {
				out[k] = hiddenFlags(inner, hidden)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, inner := range x {
			out[i] = byName(inner, hidden, secret)
		}
		return out
	case string:
		switch {
		case secret && x != "":
			return hidden
		default:
			return value.HidePassword(x, hidden)
		}
	default:
		if secret {
			return hidden
		}
		return v
	}
}

// At hides what is secret of the value of one field.
func (h Hide) At(kind, field string, v any) any {
	p := value.ParsePath(field).Generic()
	if len(p) == 0 {
		p = value.Path{field}
	}
	in := v
	for _, name := range slices.Backward(p) {
		in = map[string]any{name: in}
	}
	fields, _ := in.(map[string]any)
	var out any = h(kind, fields)
	for _, name := range p {
		m, ok := out.(map[string]any)
		if !ok {
			return out // all of it is hidden
		}
		out = m[name]
	}
	return out
}

// HideSecrets replaces what is secret of the values of the changes, and reports whether
// there was something. Plans that kongctl makes hold no secrets.
func (p *Plan) HideSecrets(hide Hide) bool {
	found := p.Summary.hideFlags()
	hide = hide.withFlags
	mapping := func(kind string, m *map[string]any) {
		if len(*m) == 0 {
			return
		}
		if out := hide(kind, *m); !reflect.DeepEqual(out, *m) {
			*m, found = out, true
		}
	}
	both := func(kind, field string, old, now *any) {
		was, is := *old, *now
		for _, v := range []*any{old, now} {
			if out := hide.At(kind, field, *v); *v != nil && !reflect.DeepEqual(out, *v) {
				*v, found = out, true
			}
		}
		if !reflect.DeepEqual(was, is) && reflect.DeepEqual(*old, *now) { // it still changes
			*old = former(*old)
		}
	}
	for _, c := range p.Changes {
		if c == nil {
			continue
		}
		kind := c.ResourceType
		mapping(kind, &c.Fields)
		mapping(kind, &c.CurrentState)
		mapping(kind, &c.Identity)
		for field, x := range c.ChangedFields {
			both(kind, field, &x.Old, &x.New)
			c.ChangedFields[field] = x
		}
		for i := range c.FieldChanges {
			f := &c.FieldChanges[i]
			both(kind, f.Field, &f.CurrentValue, &f.DesiredValue)
		}
		for i := range c.Kept {
			mapping(c.Kept[i].Type, &c.Kept[i].State)
		}
	}
	return found
}

// former is a value whose secrets were others.
func former(v any) any {
	switch x := v.(type) {
	case string:
		if x == Secret {
			return Hidden
		}
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, inner := range x {
			out[k] = former(inner)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, inner := range x {
			out[i] = former(inner)
		}
		return out
	}
	return v
}

// HiddenForeign is the document of a plan of another program without what is secret of
// it. What is no value of a resource is hidden by its name.
func HiddenForeign(raw []byte, hide Hide) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var doc map[string]any
	if err := dec.Decode(&doc); err != nil {
		return nil, fmt.Errorf("read plan: %w", PlainJSON(err))
	}
	out := HideByName(doc, Secret)
	list, _ := doc["changes"].([]any)
	changes := make([]any, len(list))
	for i, x := range list {
		c, isMap := x.(map[string]any)
		if !isMap {
			changes[i] = byName(x, Secret, false)
			continue
		}
		changes[i] = hiddenChange(c, hide)
	}
	if doc["changes"] != nil {
		out["changes"] = changes
	}
	if reflect.DeepEqual(out, doc) {
		return raw, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(out)
	return b.Bytes(), err
}

// about are the keys of a change in a foreign plan that hold no values of its resource.
var about = []string{"references", "parent", "depends_on", "resource_monikers", "protection"}

func hiddenChange(c map[string]any, hide Hide) map[string]any {
	kind, _ := c["resource_type"].(string)
	out := make(map[string]any, len(c))
	for key, v := range c {
		m, isMap := v.(map[string]any)
		list, isList := v.([]any)
		switch {
		case key == "secret_writes" && isList:
			out[key] = hiddenWrites(list)
		case key == "gateway_changes" && isList:
			out[key] = hiddenParts(list)
		case key == "changed_fields" && isMap:
			out[key] = hiddenPairs(kind, m, hide)
		case key == "field_changes" && isList:
			out[key] = hiddenList(kind, list, hide)
		case isMap && !slices.Contains(about, key):
			out[key] = hide(kind, hiddenPairs(kind, m, hide))
		default:
			out[key] = byName(v, Secret, value.MentionsSecret(key))
		}
	}
	return out
}

// hiddenParts keeps what was changed, and no value of it: which fields of an entity are
// secret depends on its kind, and the words for kinds are those of another program.
func hiddenParts(list []any) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = byName(x, Secret, true)
		from, _ := x.(map[string]any)
		to, isMap := out[i].(map[string]any)
		for _, key := range []string{"kind", "name", "action"} {
			if text, isText := from[key].(string); isMap && isText {
				to[key] = text
			}
		}
	}
	return out
}

// hiddenPairs hides what is secret of fields that hold their old and new value.
func hiddenPairs(kind string, fields map[string]any, hide Hide) map[string]any {
	out := make(map[string]any, len(fields))
	for field, v := range fields {
		m, isMap := v.(map[string]any)
		out[field] = hide.At(kind, field, v)
		if !isMap || m["old"] == nil && m["new"] == nil {
			continue
		}
		both := map[string]any{}
		for k, x := range m {
			if k == "old" || k == "new" {
				both[k] = hide.At(kind, field, x)
			} else {
				both[k] = byName(x, Secret, value.MentionsSecret(field))
			}
		}
		out[field] = both
	}
	return out
}

// hiddenList hides what is secret of fields that name themselves.
func hiddenList(kind string, list []any, hide Hide) []any {
	out := make([]any, len(list))
	for i, x := range list {
		m, _ := x.(map[string]any)
		field, _ := m["field"].(string)
		if m == nil || field == "" {
			out[i] = byName(x, Secret, true)
			continue
		}
		f := map[string]any{"field": field}
		for k, v := range m {
			if k != "field" {
				f[k] = hide.At(kind, field, v)
			}
		}
		out[i] = f
	}
	return out
}

// hiddenWrites keeps where secrets come from, and no text of them.
func hiddenWrites(list []any) any {
	var walk func(v any, under string) any
	walk = func(v any, under string) any {
		switch x := v.(type) {
		case map[string]any:
			out := make(map[string]any, len(x))
			for k, inner := range x {
				out[k] = walk(inner, k)
			}
			return out
		case []any:
			out := make([]any, len(x))
			for i, inner := range x {
				out[i] = walk(inner, under)
			}
			return out
		case string:
			if x == "" || slices.Contains([]string{"field", "kind", "reference", "id", "ref", "type"}, under) {
				return x
			}
			return Secret
		default:
			return v
		}
	}
	return walk(list, "")
}
