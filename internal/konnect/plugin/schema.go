package plugin

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/value"
)

// Schema is the field in the form that gateways give it.
func (f *Field) Schema() map[string]any {
	out := map[string]any{"type": f.Kind}
	if f.Kind == KindAny {
		out["type"] = "json"
	}
	flag := func(name string, set bool) {
		if set {
			out[name] = true
		}
	}
	flag("required", f.Required)
	flag("encrypted", f.Encrypted)
	flag("referenceable", f.Referenceable)
	flag("auto", f.Auto)
	if f.HasDefault {
		out["default"] = clone(f.Default)
	}
	if f.OneOf != nil {
		list := make([]any, len(f.OneOf))
		for i, c := range f.OneOf {
			list[i] = c
			if f.Kind != KindString {
				if n, err := decode([]byte(c)); err == nil {
					list[i] = n
				}
			}
		}
		out["one_of"] = list
	}
	f.limits(out)
	switch f.Kind {
	case KindRecord:
		fields := []any{}
		for _, x := range f.Fields {
			fields = append(fields, map[string]any{x.Name: x.Schema()})
		}
		out["fields"] = fields
	case KindMap:
		out["keys"], out["values"] = map[string]any{"type": KindString}, f.Element.Schema()
	case KindArray, KindSet:
		out["elements"] = f.Element.Schema()
	}
	return out
}

func (f *Field) limits(out map[string]any) {
	switch {
	case f.Min != nil && f.Max != nil:
		out["between"] = []any{*f.Min, *f.Max}
	case f.Min != nil:
		out["gt"] = *f.Min - 1
	}
	if f.MinLen != nil {
		out["len_min"] = *f.MinLen
	}
	if f.MaxLen != nil {
		out["len_max"] = *f.MaxLen
	}
}

// Served reads a schema that a gateway or Konnect serves for a plugin.
func Served(schema map[string]any) (*Field, error) {
	f := fromSchema(schema, true).field("config")
	if f == nil {
		return nil, fmt.Errorf("the schema has no config")
	}
	f.Required = true
	return f, nil
}

// fromSchema reads what it knows of a schema, and takes the rest for allowed.
// Top is the record of the plugin itself, which has no type.
func fromSchema(schema map[string]any, top bool) *Field {
	text := func(key string) string { s, _ := schema[key].(string); return s }
	is := func(key string) bool { b, _ := schema[key].(bool); return b }
	f := &Field{Kind: text("type"), Required: is("required"), Encrypted: is("encrypted"), Referenceable: is("referenceable"), Auto: is("auto")}
	f.Default, f.HasDefault = schema["default"]
	below := func(key string) *Field {
		m, ok := schema[key].(map[string]any)
		if !ok {
			return &Field{Kind: KindAny}
		}
		return fromSchema(m, false)
	}
	switch f.Kind {
	case KindArray, KindSet:
		f.Element = below("elements")
	case KindMap:
		f.Element = below("values")
	case KindString, KindNumber, KindInteger, KindBoolean:
		f.allow(schema)
	default:
		if f.Kind != KindRecord && !top {
			f.Kind = KindAny
			return f
		}
		f.Kind = KindRecord
		list, isList := schema["fields"].([]any)
		if !isList {
			f.Kind = KindAny
		}
		for _, e := range list {
			m, _ := e.(map[string]any)
			for name, v := range m {
				one, _ := v.(map[string]any)
				x := fromSchema(one, false)
				x.Name = name
				f.Fields = append(f.Fields, x)
			}
		}
		f.old(schema)
	}
	return f
}

// old adds fields that gateways still take under the names they once had.
func (f *Field) old(schema map[string]any) {
	list, _ := schema["shorthand_fields"].([]any)
	for _, e := range list {
		m, _ := e.(map[string]any)
		for name := range m {
			if f.field(name) == nil {
				f.Fields = append(f.Fields, &Field{Name: name, Kind: KindAny})
			}
		}
	}
}

func (f *Field) allow(schema map[string]any) {
	list, _ := schema["one_of"].([]any)
	for _, e := range list {
		f.OneOf = append(f.OneOf, fmt.Sprint(e))
	}
	if between, _ := schema["between"].([]any); len(between) == 2 {
		low, isLow := asNumber(between[0])
		high, isHigh := asNumber(between[1])
		if isLow && isHigh {
			f.Min, f.Max = &low, &high
		}
	}
	for key, to := range map[string]**int{"len_min": &f.MinLen, "len_max": &f.MaxLen} {
		if n, ok := asNumber(schema[key]); ok {
			length := int(n)
			*to = &length
		}
	}
}

// Without is the record without what stands at paths, which others give.
func (f *Field) Without(paths []value.Path) *Field {
	out := *f
	out.Fields = nil
	for _, x := range f.Fields {
		var below []value.Path
		gone := false
		for _, p := range paths {
			if len(p) > 0 && p[0] == x.Name {
				gone = gone || len(p) == 1
				below = append(below, p[1:])
			}
		}
		switch {
		case gone:
			x = &Field{Name: x.Name, Kind: KindAny}
		case len(below) > 0:
			x = x.Without(below)
		}
		out.Fields = append(out.Fields, x)
	}
	return &out
}
