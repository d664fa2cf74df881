package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// reader reads JSON that gen has written, in one pass: every command that knows
// types waits for it. What is read shares the memory of the text. After an error
// it stands at the end and reads nothing more.
type reader struct {
	text string
	at   int
	err  error
}

var errSyntax = errors.New("not the JSON that gen writes")

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = fmt.Errorf("at byte %d: %w", r.at, err)
	}
	r.at = len(r.text)
}

// next is the first character of the next value or delimiter, 0 at the end.
func (r *reader) next() byte {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return c
		}
	}
	return 0
}

// take reads a delimiter, and reports whether it is there.
func (r *reader) take(c byte) bool {
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

// object calls member for each key; it must read the value, with the reader or with
// skip. Null is an object without keys.
func (r *reader) object(member func(key string)) {
	r.group('{', '}', func() {
		key := r.string()
		if !r.take(':') {
			r.fail(errSyntax)
			return
		}
		member(key)
	})
}

// list calls item for each item, which must read it. Null is an empty list.
func (r *reader) list(item func()) { r.group('[', ']', item) }

func (r *reader) group(first, last byte, member func()) {
	if r.next() == 'n' {
		r.skip()
		return
	}
	if !r.take(first) {
		r.fail(errSyntax)
		return
	}
	for more := !r.take(last); more; {
		member()
		more = r.take(',')
		if !more && !r.take(last) {
			r.fail(errSyntax)
		}
	}
}

// skip returns the text of the next value as it is written.
func (r *reader) skip() string {
	r.next()
	start, depth := r.at, 0
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case '"':
			r.quoted()
		case '{', '[':
			depth++
			r.at++
		case '}', ']':
			if depth == 0 {
				return r.text[start:r.at]
			}
			depth--
			r.at++
		case ',':
			if depth == 0 {
				return r.text[start:r.at]
			}
			r.at++
			continue
		default:
			r.at++
			continue
		}
		if depth == 0 {
			return r.text[start:r.at]
		}
	}
	return r.text[start:]
}

// quoted returns the next string with its quotes, and whether something in it is
// escaped.
func (r *reader) quoted() (text string, escaped bool) {
	start := r.at
	for i := r.at + 1; i < len(r.text); i++ {
		switch r.text[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			r.at = i + 1
			return r.text[start:r.at], escaped
		}
	}
	r.fail(errSyntax)
	return `""`, false
}

// string reads a string; null is an empty one.
func (r *reader) string() string {
	switch r.next() {
	case 'n':
		r.skip()
		return ""
	case '"':
	default:
		r.fail(errSyntax)
		return ""
	}
	text, escaped := r.quoted()
	if !escaped {
		return text[1 : len(text)-1]
	}
	var out string
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		r.fail(err)
	}
	return out
}

func (r *reader) strings() []string {
	var out []string
	r.list(func() { out = append(out, r.string()) })
	return out
}

func (r *reader) bool() bool { return strings.TrimSpace(r.skip()) == "true" }

func (r *reader) int() *int { return number(r, strconv.Atoi) }

func (r *reader) float() *float64 {
	return number(r, func(text string) (float64, error) { return strconv.ParseFloat(text, 64) })
}

// number reads a number, nil for null.
func number[T any](r *reader, parse func(string) (T, error)) *T {
	text := strings.TrimSpace(r.skip())
	if text == "null" {
		return nil
	}
	n, err := parse(text)
	if err != nil {
		r.fail(err)
		return nil
	}
	return &n
}

// any reads a value that is part of a schema: a default, an enum. Numbers stay as
// they are written.
func (r *reader) any() any {
	switch r.next() {
	case '"':
		return r.string()
	case '{':
		out := map[string]any{}
		r.object(func(key string) { out[key] = r.any() })
		return out
	case '[':
		out := []any{}
		r.list(func() { out = append(out, r.any()) })
		return out
	}
	switch text := strings.TrimSpace(r.skip()); text {
	case "null":
		return nil
	case "true", "false":
		return text == "true"
	default:
		return json.Number(text)
	}
}

// schema reads a schema; true is one that says nothing, false one that nothing
// fits. It is nil for null.
func (r *reader) schema() *Schema {
	switch r.next() {
	case 't':
		r.skip()
		return &Schema{}
	case 'f':
		r.skip()
		return &Schema{never: true}
	case 'n':
		r.skip()
		return nil
	}
	s := &Schema{}
	r.into(s)
	return s
}

func (r *reader) into(s *Schema) {
	r.object(func(key string) {
		if !r.structure(s, key) && !r.limit(s, key) && !r.mark(s, key) {
			r.skip()
		}
	})
}

func (r *reader) schemas() []*Schema {
	var out []*Schema
	r.list(func() { out = append(out, r.schema()) })
	return out
}

func (r *reader) named() map[string]*Schema {
	out := map[string]*Schema{}
	r.object(func(key string) { out[key] = r.schema() })
	return out
}

// structure reads what a schema says of values below the value; it reports whether
// the key is one for that.
func (r *reader) structure(s *Schema, key string) bool {
	switch key {
	case "$ref":
		s.Ref = r.string()
	case "type":
		s.Type = r.oneType()
	case "properties":
		s.Properties = r.named()
	case "required":
		s.Required = r.strings()
	case "items":
		s.Items = r.schema()
	case "additionalProperties":
		s.Additional = r.schema()
	case "oneOf":
		s.OneOf = r.schemas()
	case "anyOf":
		s.AnyOf = r.schemas()
	case "allOf":
		s.AllOf = r.schemas()
	case "discriminator":
		s.Discriminator = r.discriminator()
	default:
		return false
	}
	return true
}

// oneType reads the name of a type; of a list of them nothing could be said.
func (r *reader) oneType() Types {
	if r.next() == '[' {
		r.skip()
		return ""
	}
	return Types(r.string())
}

func (r *reader) discriminator() *Discriminator {
	d := &Discriminator{}
	r.object(func(key string) {
		switch key {
		case "propertyName":
			d.Property = r.string()
		case "mapping":
			d.Mapping = map[string]string{}
			r.object(func(value string) { d.Mapping[value] = r.string() })
		default:
			r.skip()
		}
	})
	return d
}

// limit reads what a schema asks of the value itself.
func (r *reader) limit(s *Schema, key string) bool {
	switch key {
	case "enum":
		s.Enum, _ = r.any().([]any)
	case "const":
		s.Const = r.any()
	case "default":
		s.Default, s.hasDefault = r.any(), true
	case "pattern":
		s.Pattern = r.string()
	case "format":
		s.Format = r.string()
	case "minLength":
		s.MinLength = r.int()
	case "maxLength":
		s.MaxLength = r.int()
	case "minimum":
		s.Minimum = r.float()
	case "maximum":
		s.Maximum = r.float()
	case "exclusiveMinimum":
		s.ExclMinimum = r.any()
	case "exclusiveMaximum":
		s.ExclMaximum = r.any()
	case "multipleOf":
		s.MultipleOf = r.float()
	case "minItems":
		s.MinItems = r.int()
	case "maxItems":
		s.MaxItems = r.int()
	case "minProperties":
		s.MinProperties = r.int()
	case "maxProperties":
		s.MaxProperties = r.int()
	default:
		return false
	}
	return true
}

// mark reads what is true or false of a schema.
func (r *reader) mark(s *Schema, key string) bool {
	switch key {
	case "uniqueItems":
		s.UniqueItems = r.bool()
	case "nullable":
		s.Nullable = r.bool()
	case "readOnly":
		s.ReadOnly = r.bool()
	case "writeOnly":
		s.WriteOnly = r.bool()
	case "deprecated":
		s.Deprecated = r.bool()
	case "computed":
		s.Computed = r.bool()
	case "secret":
		s.Secret = r.bool()
	default:
		return false
	}
	return true
}
