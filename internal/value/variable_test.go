package value_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/value"
)

func TestFromEnv(t *testing.T) {
	for _, row := range []struct {
		name, text, extract string
		want                any
		problem             string
	}{
		{"all of it", `{"a":1}`, "", `{"a":1}`, ""},
		{"a part", `{"a":{"b":["x"]}}`, "a.b[0]", "x", ""},
		{"a part that is not there", `{"hunter2":{}}`, "a.c", nil, "has no a.c"},
		{"a part of what is no JSON", "hunter2", "a", nil, "does not hold JSON"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := value.FromEnv(row.text, row.extract)
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
			switch {
			case row.problem == "" && err != nil:
				t.Error(err)
			case row.problem != "" && (err == nil || !strings.Contains(err.Error(), row.problem) || strings.Contains(err.Error(), "hunter2")):
				t.Errorf("got %v, want: %s", err, row.problem)
			}
		})
	}
}

func TestCoerce(t *testing.T) {
	for _, row := range []struct {
		name  string
		field string
		v     any
		want  any
	}{
		{"a number", "integer", "8080", json.Number("8080")},
		{"a fraction", "number", "1.5", json.Number("1.5")},
		{"a word for a number", "integer", "many", "many"},
		{"JSON that is no number", "integer", `"1"`, `"1"`},
		{"a mapping for a number", "number", "{}", "{}"},
		{"true", "boolean", "true", true},
		{"false", "boolean", "false", false},
		{"a word for a boolean", "boolean", "yes", "yes"},
		{"digits for a text", "string", "1", "1"},
		{"what is no text", "string", true, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, value.Coerce(row.field, row.v)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := value.Coerce("", "1"); got != "1" {
		t.Errorf("a field that is not known: %v", got)
	}
}
