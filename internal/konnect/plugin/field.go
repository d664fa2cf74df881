package plugin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
)

// The types of fields, in the words of gateways.
const (
	KindRecord  = "record"
	KindArray   = "array"
	KindSet     = "set"
	KindMap     = "map"
	KindString  = "string"
	KindNumber  = "number"
	KindInteger = "integer"
	KindBoolean = "boolean"
	// KindAny takes anything.
	KindAny = "any"
)

// Field is a field of a configuration.
type Field struct {
	Name, Kind string
	// Required: null is refused. What is left out has the default.
	Required bool
	// Encrypted: gateways keep it encrypted. It is a secret unless it is an Identifier,
	// which says who somebody is and proves nothing. Secret is one that gateways do not
	// encrypt.
	Encrypted, Identifier, Secret bool
	// Referenceable: it may refer to a vault, whatever its type.
	Referenceable bool
	// Auto: a value is made up for what is left out, but not for null.
	Auto  bool
	OneOf []string
	// Limits of numbers and of the length of texts; nil for none.
	Min, Max       *float64
	MinLen, MaxLen *int
	Default        any
	// HasDefault: there is a default, which may be null.
	HasDefault bool
	Element    *Field   // of arrays, sets and maps
	Fields     []*Field // of records
	Some, One  []string // of records: one must be set; only one may be
}

// IsSecret reports whether a field must never be shown.
func (f *Field) IsSecret() bool { return f.Encrypted && !f.Identifier || f.Secret }

func (f *Field) field(name string) *Field {
	for _, x := range f.Fields {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Names are the fields of a record.
func (f *Field) Names() []string {
	out := make([]string, len(f.Fields))
	for i, x := range f.Fields {
		out[i] = x.Name
	}
	return out
}

// shapeKey is the key of a record's own flags among its fields.
const shapeKey = "_"

// Record reads the fields of a record: notations by name, or records. The key _
// says that it is an array, a set or a map of such records, and has its flags.
func Record(fields map[string]any) (*Field, error) {
	out := &Field{Kind: KindRecord}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name == shapeKey {
			continue
		}
		f, err := member(fields[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.Name = name
		out.Fields = append(out.Fields, f)
	}
	shape, _ := fields[shapeKey].(string)
	out.Required = always(out)
	for _, word := range strings.Fields(shape) {
		switch word {
		case KindArray, KindSet, KindMap:
			out.Required = false
			out = &Field{Kind: word, Element: out}
		case "!":
			out.Required = true
		default:
			return nil, fmt.Errorf("%q is not a shape", shape)
		}
	}
	return out, nil
}

// always reports whether a record is there even if nobody gives it: it has
// defaults to offer, and needs nothing that only people know.
func always(record *Field) bool {
	offers := false
	for _, f := range record.Fields {
		if f.Required && !f.HasDefault && f.Kind != KindRecord {
			return false
		}
		offers = offers || f.HasDefault || f.Kind == KindRecord && f.Required
	}
	return offers
}

func member(v any) (*Field, error) {
	switch v := v.(type) {
	case string:
		return Parse(v)
	case map[string]any:
		return Record(v)
	default:
		return nil, fmt.Errorf("%v is neither a field nor a record", v)
	}
}

var notation = pattern.New(`^((?:(?:array|set|map) )*)(string|number|integer|boolean|any)(?:\(([^)]*)\))?(?:\[([^\]]*)\])?((?: [!*@]+)*)(?: = (.*))?$`)

// Parse reads the notation of a field:
//
//	TYPE(a|b)[>=0,<=9] !*@ = DEFAULT
//
// the type, behind array, set or map for each list around it; the values that are
// allowed; limits of a number, or with len of the length; required, encrypted,
// may refer to a vault; the default in JSON.
func Parse(text string) (*Field, error) {
	parts := notation.FindStringSubmatch(text)
	if parts == nil {
		return nil, fmt.Errorf("%q is not a field", text)
	}
	f := &Field{Kind: parts[2]}
	if parts[3] != "" {
		f.OneOf = strings.Split(parts[3], "|")
	}
	if err := f.limit(parts[4]); err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	f.Referenceable = strings.Contains(parts[5], "@")
	for _, kind := range slices.Backward(strings.Fields(parts[1])) {
		f = &Field{Kind: kind, Element: f, Referenceable: f.Referenceable}
	}
	f.Required, f.Encrypted = strings.Contains(parts[5], "!"), strings.Contains(parts[5], "*")
	if parts[6] == "" {
		return f, nil
	}
	f.HasDefault = true
	var err error
	f.Default, err = decode([]byte(parts[6]))
	return f, err
}

func decode(raw []byte) (out any, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return out, dec.Decode(&out)
}

func (f *Field) limit(text string) error {
	for _, part := range strings.Split(text, ",") {
		if part == "" {
			continue
		}
		bound, ofLength := strings.CutPrefix(part, "len")
		upper := strings.HasPrefix(bound, "<=")
		if !upper && !strings.HasPrefix(bound, ">=") {
			return fmt.Errorf("%q is not a limit", part)
		}
		n, err := strconv.ParseFloat(bound[2:], 64)
		if err != nil {
			return err
		}
		length := int(n)
		switch {
		case ofLength && upper:
			f.MaxLen = &length
		case ofLength:
			f.MinLen = &length
		case upper:
			f.Max = &n
		default:
			f.Min = &n
		}
	}
	return nil
}

// clone copies plain data.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = clone(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = clone(x)
		}
		return out
	default:
		return v
	}
}
