package plan

import (
	"bytes"
	"testing"
)

// A document that this program has written is known by its bytes; all others are
// searched for keys that are there twice or unknown.
func TestOwnForm(t *testing.T) {
	p := &Plan{Metadata: Metadata{PlanVersion: Version, Generator: "a <b> & \u202e"}, Changes: []*Change{
		{ID: "1:c:portal:a", ResourceType: "portal", ResourceRef: "a", Action: Create, Fields: map[string]any{"name": "a", "size": 1.50, "list": []any{}}},
	}}
	raw, err := p.Write()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name     string
		old, new string
		own      bool
	}{
		{"as written", "", "", true},
		{"a key more", `"resource_ref": "a",`, `"resource_ref": "a", "colour": "red",`, false},
		{"a key twice", `"resource_ref": "a",`, `"resource_ref": "b", "resource_ref": "a",`, false},
		{"a space more", `"resource_ref": "a"`, `"resource_ref":  "a"`, false},
		{"a number written otherwise", `1.5`, `1.50`, true},
		{"a character written otherwise", `<b>`, `\u003cb>`, false},
	} {
		text := bytes.Replace(raw, []byte(row.old), []byte(row.new), 1)
		if row.old != "" && bytes.Equal(text, raw) {
			t.Fatalf("%s: nothing was changed in\n%s", row.name, raw)
		}
		read, err := decode(text)
		if err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		if got := read.writes(text); got != row.own {
			t.Errorf("%s: own form: %v", row.name, got)
		}
	}
}
