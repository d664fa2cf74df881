package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/value"
)

func TestParse(t *testing.T) {
	docs, diags := Parse("x.yaml", []byte("a: yes\n---\n# nothing\n---\nb: [0644]\n"))
	if len(diags) > 0 || len(docs) != 2 {
		t.Fatalf("%d documents: %v", len(docs), diags)
	}
	if on, ok := docs[0].Field("a").Bool(); !on || !ok {
		t.Errorf("yes is not true: %v", docs[0].Field("a").Kind())
	}
	if diff := cmp.Diff(value.Pos{File: "x.yaml", Line: 5, Column: 1}, docs[1].Pos()); diff != "" {
		t.Error(diff)
	}
}

func TestParseReadsNoOtherFile(t *testing.T) {
	for _, text := range []string{"a: !file parse_test.go\n", "a: [\n", "a: 1\na: 2\n"} {
		if _, diags := Parse("x.yaml", []byte(text)); !diags.HasErrors() {
			t.Errorf("%q was read", text)
		}
	}
}
