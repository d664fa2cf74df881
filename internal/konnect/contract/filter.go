package contract

// Filter copies plain data without the entries of mappings that drop names. It
// receives what the schema says of an entry, nil where it says nothing, and
// whether the schema allows the entry at all.
func (s *Schema) Filter(v any, drop func(field *Schema, allowed bool, v any) bool) any {
	s = s.Deref()
	switch x := v.(type) {
	case []any:
		var items *Schema
		switch {
		case s == nil:
		case s.loose:
			items = s
		default:
			items = s.Items
		}
		out := make([]any, len(x))
		for i, y := range x {
			out[i] = items.Filter(y, drop)
		}
		return out
	case map[string]any:
		o := &Object{Open: true}
		if s != nil {
			o = s.Object(x)
		}
		out := make(map[string]any, len(x))
		for k, y := range x {
			field := o.Values
			if f := o.Field(k); f != nil {
				field = f.Schema
			}
			if !drop(field, field != nil || o.Open, y) {
				out[k] = field.Filter(y, drop)
			}
		}
		return out
	default:
		return v
	}
}
