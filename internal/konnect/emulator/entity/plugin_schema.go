package entity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kongctl/internal/konnect/emulator/model"

	"go.yaml.in/yaml/v3"
)

// Types of a gateway's schemas that have something below them.
const (
	typeRecord = "record"
	typeArray  = "array"
	typeSet    = "set"
	typeMap    = "map"
)

// member is a field of a gateway's schema, in the words of gateways.
type member struct {
	name      string
	kind      string
	required  bool
	encrypted bool
	choices   []string
	preset    any
	// hasPreset: there is a default, which may be null.
	hasPreset bool
	// auto: a value is made up for what is left out, but not for null.
	auto      bool
	element   *member   // of arrays, sets and maps
	fields    []*member // of records
	some, one []string  // of records: one must be set; only one may be
}

// pluginSchema is what a plugin takes.
type pluginSchema struct {
	config   *member
	partials map[string][]string // by type, where they go
}

// pluginTable reads plugin.yaml.
func pluginTable(text []byte) (map[string]*pluginSchema, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("table of plugins: %w", err)
	}
	notation := regexp.MustCompile(`^((?:(?:array|set|map) )*)(string|number|integer|boolean)(?:\(([^)]*)\))?( !)?( \*)?( \+)?(?: = (.*))?$`)
	out := map[string]*pluginSchema{}
	err := eachPair(&doc, func(name string, value *yaml.Node) error {
		p := &pluginSchema{}
		if err := eachPair(value, func(key string, v *yaml.Node) error {
			if key != "_partials" {
				return nil
			}
			return v.Decode(&p.partials)
		}); err != nil {
			return err
		}
		config, err := readMember("config", value, notation)
		p.config = config
		out[name] = p
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("table of plugins: %w", err)
	}
	return out, nil
}

func eachPair(n *yaml.Node, f func(key string, value *yaml.Node) error) error {
	for n.Kind == yaml.DocumentNode || n.Kind == yaml.AliasNode {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		} else {
			n = n.Content[0]
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := f(n.Content[i].Value, n.Content[i+1]); err != nil {
			return fmt.Errorf("%s: %w", n.Content[i].Value, err)
		}
	}
	return nil
}

func readMember(name string, n *yaml.Node, notation *regexp.Regexp) (*member, error) {
	if n.Kind == yaml.ScalarNode {
		return readPlain(name, n.Value, notation)
	}
	m := &member{name: name, kind: typeRecord, required: true}
	shape := ""
	err := eachPair(n, func(key string, v *yaml.Node) error {
		switch key {
		case "_":
			shape = v.Value
		case "_some":
			return v.Decode(&m.some)
		case "_one":
			return v.Decode(&m.one)
		case "_partials":
		default:
			f, err := readMember(key, v, notation)
			m.fields = append(m.fields, f)
			return err
		}
		return nil
	})
	switch shape {
	case typeArray, typeSet, typeMap:
		m.name, m.required = "", false
		m = &member{name: name, kind: shape, element: m}
	case "optional":
		m.required = false
	}
	return m, err
}

func readPlain(name, text string, notation *regexp.Regexp) (*member, error) {
	parts := notation.FindStringSubmatch(text)
	if parts == nil {
		return nil, fmt.Errorf("%q is not a field", text)
	}
	m := &member{kind: parts[2]}
	if parts[3] != "" {
		m.choices = strings.Split(parts[3], "|")
	}
	outer := strings.Fields(parts[1])
	for _, kind := range slices.Backward(outer) {
		m = &member{kind: kind, element: m}
	}
	m.name, m.required, m.encrypted = name, parts[4] != "", parts[5] != ""
	m.auto = parts[6] != ""
	if parts[7] == "" {
		return m, nil
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(parts[7])))
	dec.UseNumber()
	m.hasPreset = true
	return m, dec.Decode(&m.preset)
}

// schema is the field in the form that gateways give it.
func (m *member) schema() map[string]any {
	out := map[string]any{"type": m.kind}
	if m.required {
		out["required"] = true
	}
	if m.encrypted {
		out["encrypted"], out["referenceable"] = true, true
	}
	if m.auto {
		out["auto"] = true
	}
	if m.hasPreset {
		out["default"] = model.Clone(m.preset)
	}
	if m.choices != nil {
		list := make([]any, len(m.choices))
		for i, c := range m.choices {
			list[i] = c
		}
		out["one_of"] = list
	}
	switch m.kind {
	case typeRecord:
		fields := []any{}
		for _, f := range m.fields {
			fields = append(fields, map[string]any{f.name: f.schema()})
		}
		out["fields"] = fields
	case typeMap:
		out["keys"], out["values"] = map[string]any{"type": "string"}, m.element.schema()
	case typeArray, typeSet:
		out["elements"] = m.element.schema()
	}
	return out
}

// complete fills in defaults, and null where there is none. Null that was given
// stays.
func (m *member) complete(record map[string]any) {
	for _, f := range m.fields {
		v, given := record[f.name]
		switch {
		case !given && f.kind == typeRecord && f.required:
			below := map[string]any{}
			f.complete(below)
			record[f.name] = below
		case !given && f.hasPreset:
			record[f.name] = model.Clone(f.preset)
		case v == nil:
			record[f.name] = nil
		default:
			f.completeBelow(v)
		}
	}
}

func (m *member) completeBelow(v any) {
	switch x := v.(type) {
	case map[string]any:
		if m.kind == typeRecord {
			m.complete(x)
			return
		}
		if m.element != nil {
			for _, e := range x {
				m.element.completeBelow(e)
			}
		}
	case []any:
		if m.element != nil {
			for _, e := range x {
				m.element.completeBelow(e)
			}
		}
	}
}

// check returns what is wrong with a value.
func (m *member) check(path string, v any) []model.Invalid {
	wrong := func(reason string) []model.Invalid {
		return []model.Invalid{{Field: path, Rule: "invalid", Reason: reason, Source: "body"}}
	}
	if v == nil {
		if m.required {
			return wrong("required field missing")
		}
		return nil
	}
	switch m.kind {
	case typeRecord:
		record, ok := v.(map[string]any)
		if !ok {
			return wrong("expected a record")
		}
		return m.checkRecord(path, record)
	case typeMap:
		all, ok := v.(map[string]any)
		if !ok {
			return wrong("expected a map")
		}
		var out []model.Invalid
		for k, e := range all {
			out = append(out, m.element.check(path+"."+k, e)...)
		}
		return out
	case typeArray, typeSet:
		list, ok := v.([]any)
		if !ok {
			return wrong("expected " + article(m.kind))
		}
		var out []model.Invalid
		for i, e := range list {
			out = append(out, m.element.check(fmt.Sprintf("%s[%d]", path, i+1), e)...)
		}
		return out
	default:
		if reason := m.plain(v); reason != "" {
			return wrong(reason)
		}
		return nil
	}
}

func (m *member) checkRecord(path string, record map[string]any) []model.Invalid {
	var out []model.Invalid
	add := func(field, reason string) {
		out = append(out, model.Invalid{Field: field, Rule: "invalid", Reason: reason, Source: "body"})
	}
	for k := range record {
		if !slices.ContainsFunc(m.fields, func(f *member) bool { return f.name == k }) {
			add(path+"."+k, "unknown field")
		}
	}
	for _, f := range m.fields {
		out = append(out, f.check(path+"."+f.name, record[f.name])...)
	}
	set := func(names []string) (n int) {
		for _, name := range names {
			if record[name] != nil {
				n++
			}
		}
		return n
	}
	if m.some != nil && set(m.some) == 0 {
		add(path, "at least one of these fields must be non-empty: "+strings.Join(m.some, ", "))
	}
	if m.one != nil && set(m.one) > 1 {
		add(path, "only one of these fields must be non-empty: "+strings.Join(m.one, ", "))
	}
	slices.SortFunc(out, func(a, b model.Invalid) int { return strings.Compare(a.Field, b.Field) })
	return out
}

func (m *member) plain(v any) string {
	ok := false
	switch x := v.(type) {
	case string:
		ok = m.kind == "string"
	case bool:
		ok = m.kind == "boolean"
	case json.Number:
		ok = m.kind == "number" || m.kind == "integer" && !strings.ContainsAny(x.String(), ".eE")
	}
	switch {
	case !ok:
		return "expected " + article(m.kind)
	case m.choices != nil && !slices.Contains(m.choices, v.(string)):
		return "expected one of: " + strings.Join(m.choices, ", ")
	default:
		return ""
	}
}

func article(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// hide takes encrypted values out.
func (m *member) hide(record map[string]any) {
	for _, f := range m.fields {
		v, ok := record[f.name]
		switch {
		case !ok || v == nil:
		case f.encrypted:
			delete(record, f.name)
		default:
			f.hideBelow(v)
		}
	}
}

func (m *member) hideBelow(v any) {
	below, _ := v.(map[string]any)
	switch m.kind {
	case typeRecord:
		m.hide(below)
	case typeMap:
		for _, e := range below {
			m.element.hideBelow(e)
		}
	case typeArray, typeSet:
		list, _ := v.([]any)
		for _, e := range list {
			m.element.hideBelow(e)
		}
	}
}
