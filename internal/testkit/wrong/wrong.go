// Package wrong makes values that the contract refuses, for tests.
//
// In: a schema and a sample that it accepts. Out: places with a wrong value. It
// must never import anything but the contract.
package wrong

import (
	"encoding/json"
	"strconv"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Value is one that the contract refuses at a place.
type Value struct {
	Path value.Path
	Is   any
}

// Values are values beyond the limits that a schema has for the fields of a
// mapping, in a fixed order: a choice that there is not, and numbers outside of
// their range.
func Values(schema *contract.Schema, sample map[string]any) []Value {
	return below(nil, schema, sample)
}

func below(at value.Path, schema *contract.Schema, sample map[string]any) []Value {
	const deepest = 5
	if len(at) > deepest {
		return nil
	}
	var out []Value
	o := schema.Object(sample)
	for _, name := range o.Names() {
		field, path := o.Field(name).Schema.Deref(), at.Child(name)
		if field.ReadOnly {
			continue
		}
		if len(field.Enum) > 0 && field.Type == "string" {
			out = append(out, Value{path, "no-such-choice"})
		}
		if field.Minimum != nil {
			out = append(out, Value{path, json.Number(strconv.FormatFloat(*field.Minimum-1, 'f', -1, 64))})
		}
		if field.Maximum != nil {
			out = append(out, Value{path, json.Number(strconv.FormatFloat(*field.Maximum+1, 'f', -1, 64))})
		}
		inner, _ := sample[name].(map[string]any)
		out = append(out, below(path, field, inner)...)
	}
	return out
}

// In is the sample with the wrong value.
func (w Value) In(sample map[string]any) map[string]any {
	out, _ := value.Clone(sample).(map[string]any)
	at := out
	for _, name := range w.Path[:len(w.Path)-1] {
		inner, ok := at[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			at[name] = inner
		}
		at = inner
	}
	at[w.Path[len(w.Path)-1]] = w.Is
	return out
}
