package source_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/source"
)

func TestPart(t *testing.T) {
	const good = "a: {b: [one, two: {c: 1}]}\n---\ne: !env HUNTER2\nf: {g: !ref hunter2}\n"
	for _, row := range []struct {
		name     string
		document int
		path     string
		want     any
		problem  string
	}{
		{"an item", 0, "a.b[0]", "one", ""},
		{"a mapping", 0, "a.b[1].two", map[string]any{"c": 1}, ""},
		{"an item that is not there", 0, "a.b[7]", nil, "there is no a.b[7]"},
		{"a key that is not there", 0, "a.z", nil, "there is no a.z"},
		{"a key of a text", 0, "a.b[0].c", nil, "there is no"},
		{"another document", 1, "f", nil, "f has a tag"},
		{"a tag", 1, "e", nil, "e has a tag"},
		{"no such document", 2, "a", nil, "there is no document 2"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := source.Part([]byte(good), row.document, row.path)
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
	if _, err := source.Part([]byte("h: &h [*h]"), 0, "h"); err == nil {
		t.Error("a list that holds itself was read")
	}
}
