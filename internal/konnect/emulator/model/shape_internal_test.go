package model

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

func TestWhatStandsForARequiredFieldThatNothingGives(t *testing.T) {
	s := &shapes{}
	text := contract.Types("string")
	for _, row := range []struct {
		name   string
		schema contract.Schema
		want   any
	}{
		{"one of several", contract.Schema{Type: text, Enum: []any{"a", "b"}}, "a"},
		{"a list", contract.Schema{Type: "array"}, []any{}},
		{"true or false", contract.Schema{Type: "boolean"}, false},
		{"a whole number", contract.Schema{Type: "integer"}, json.Number("0")},
		{"a number", contract.Schema{Type: "number"}, json.Number("0")},
		{"an id", contract.Schema{Type: text, Format: "uuid"}, "00000000-0000-0000-0000-000000000000"},
		{"a time", contract.Schema{Type: text, Format: "date-time"}, "1970-01-01T00:00:00.000Z"},
		{"a text", contract.Schema{Type: text}, ""},
		{"a mapping", contract.Schema{Type: "object", Required: []string{"a"}, Properties: map[string]*contract.Schema{"a": {Type: "boolean"}, "b": {Type: text}}}, map[string]any{"a": false}},
		{"null, where it may be", contract.Schema{Type: text, Nullable: true}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, ok := s.missing(&contract.Field{Name: "f", Schema: &row.schema, Required: true})
			if diff := cmp.Diff(row.want, got); diff != "" || !ok {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
