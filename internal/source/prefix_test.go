package source

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What stands before a document says nothing about what is in it, and moves no
// position.
func TestBeforeDocuments(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string // root key and its position, per document
	}{
		{"YAML 1.2", "%YAML 1.2\n---\na: 1\n", []string{"a 3:1"}},
		{"YAML 1.2 with spaces and a comment", "# c\n%YAML  1.2 # new\r\n---\r\na: 1\r\n", []string{"a 4:1"}},
		{"YAML 1.2 of each document", "%YAML 1.2\n---\na: 1\n...\n%YAML 1.2\n---\nb: 1\n", []string{"a 3:1", "b 7:1"}},
		{"YAML 1.1", "%YAML 1.1\n---\na: 1\n", []string{"a 3:1"}},
		{"a directive in a text is a text", "a: |\n  x\n  %YAML 1.2\n", []string{"a 1:1"}},
		{"a mark before the first", "\ufeffa: 1\n", []string{"a 1:1"}},
		{"a mark before a directive", "\ufeff%YAML 1.2\n---\na: 1\n", []string{"a 3:1"}},
		{"a mark before the marker", "a: 1\n\ufeff---\nb: 1\n", []string{"a 1:1", "b 3:1"}},
		{"a mark after the marker", "a: 1\n---\n\ufeffb: 1\n", []string{"a 1:1", "b 3:1"}},
		{"a mark after the end of a document", "a: 1\n...\n\ufeff%YAML 1.2\n---\nb: 1\n", []string{"a 1:1", "b 5:1"}},
		{"a mark after comments", "a: 1\n---\n# c\n\n\ufeffb: 1\n", []string{"a 1:1", "b 5:1"}},
		{"a mark at the end", "a: 1\n---\n\ufeff", []string{"a 1:1"}},
		{"a mark in a key stays", "a: 1\nb\ufeff: 1\n", []string{"a 1:1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, diags := load(context.Background(), Options{Files: []string{"-"}, WorkDir: t.TempDir(), Stdin: strings.NewReader(tc.text)})
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			var got []string
			for _, d := range r.Documents {
				key := d.Root.Keys()[0]
				got = append(got, key+" "+strings.TrimPrefix(d.Root.KeyPos(key).String(), "stdin:"))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDirectivesInTheText(t *testing.T) {
	const text = "x\n%YAML 1.2\n"
	if got, _ := loadOne(t, "a: |\n  x\n  %YAML 1.2\n").Field("a").Text(); got != text {
		t.Errorf("got %q, want %q", got, text)
	}
}
