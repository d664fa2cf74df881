package plugin

import "github.com/kongctl/kongctl/internal/value"

// Complete fills in defaults, and null where no default exists. Null that was given
// stays.
func (f *Field) Complete(record map[string]any) {
	for _, x := range f.Fields {
		v, given := record[x.Name]
		switch {
		case !given && x.HasDefault:
			record[x.Name] = clone(x.Default)
		case !given && x.Kind == KindRecord && x.Required:
			below := map[string]any{}
			x.Complete(below)
			record[x.Name] = below
		case v == nil:
			record[x.Name] = nil
		case x.HasDefault && value.Equal(v, x.Default): // as it is: clients take it from the schema
		default:
			x.completeBelow(v)
		}
	}
}

func (f *Field) completeBelow(v any) {
	switch v := v.(type) {
	case map[string]any:
		if f.Kind == KindRecord {
			f.Complete(v)
			return
		}
		if f.Element != nil {
			for _, e := range v {
				f.Element.completeBelow(e)
			}
		}
	case []any:
		if f.Element != nil {
			for _, e := range v {
				f.Element.completeBelow(e)
			}
		}
	}
}

// DropNullRecords takes out records that are null though they are always there:
// clients of gateways fill them in.
func (f *Field) DropNullRecords(record map[string]any) {
	for _, x := range f.Fields {
		v, given := record[x.Name]
		below, isRecord := v.(map[string]any)
		switch {
		case x.Kind != KindRecord:
		case given && v == nil && x.Required:
			delete(record, x.Name)
		case isRecord:
			x.DropNullRecords(below)
		}
	}
}

// Hide takes secrets out.
func (f *Field) Hide(record map[string]any) {
	for _, x := range f.Fields {
		v, ok := record[x.Name]
		switch {
		case !ok || v == nil:
		case x.IsSecret():
			delete(record, x.Name)
		default:
			x.hideBelow(v)
		}
	}
}

func (f *Field) hideBelow(v any) {
	below, _ := v.(map[string]any)
	switch f.Kind {
	case KindRecord:
		f.Hide(below)
	case KindMap:
		for _, e := range below {
			f.Element.hideBelow(e)
		}
	case KindArray, KindSet:
		list, _ := v.([]any)
		for _, e := range list {
			f.Element.hideBelow(e)
		}
	}
}

// At is the field at a path below this one; places of lists may be left out.
// Open tells that the path leads below a map or a field that takes anything: what
// stands there has a name that people chose. Nil is a field that is not known.
func (f *Field) At(path []string) (at *Field, open bool) {
	for len(path) > 0 {
		switch f.Kind {
		case KindAny:
			return f, true
		case KindMap:
			// The key is a name of people's own.
			if len(path) == 1 || f.Element.Kind == KindAny {
				return f, true
			}
			f, path = f.Element, path[1:]
		case KindArray, KindSet:
			f = f.Element
			if len(path[0]) > 0 && path[0][0] == '[' {
				path = path[1:]
			}
		default:
			below := f.field(path[0])
			if below == nil {
				return nil, false
			}
			if f, path = below, path[1:]; f.IsSecret() || f.Identifier {
				return f, false
			}
		}
	}
	return f, false
}
