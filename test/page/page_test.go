package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/test/page"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       *page.Page // nil is an error
	}{
		{"commands and output", "# Title\n\n```sh\none\n```\n\n```text\n  1\n  2\n```\n\n```yaml\na: b\n```\n\n```sh\ntwo\n```\n", &page.Page{Commands: "one\ntwo\n", Output: []string{"1", "2"}}},
		{"no commands", "# Title\n\n```yaml\na: b\n```\n", nil},
		{"a block that nothing would run", "```sh\none\n```\n\n```\ntwo\n```\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "page.md")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := page.Read(file)
			if (err == nil) != (c.want != nil) {
				t.Fatalf("error: %v", err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("page (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	p := &page.Page{Output: []string{"there", "not there"}}
	if diff := cmp.Diff([]string{"not there"}, p.Missing("it is there\n")); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestRunOnTerminal(t *testing.T) {
	out, err := page.RunOnTerminal(t.Context(), `sh -c '[ -t 0 ] && [ -t 1 ] && printf "sure? [y/N] " && read -r answer && echo "got $answer"'`, t.TempDir(), os.Environ())
	if err != nil || !strings.Contains(out, "got y") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := page.RunOnTerminal(t.Context(), "false\necho after", t.TempDir(), os.Environ()); err == nil || strings.Contains(out, "\nafter") {
		t.Errorf("a failed command does not stop the script: %v\n%s", err, out)
	}
}
