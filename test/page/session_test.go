package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sessionPage = "# A page\n\n" +
	"```yaml file=in/a.yaml\nkey: value\n```\n\n" +
	"```console\n$ not run\n```\n\n" +
	"```console run\n$ cat in/a.yaml\nkey: …\n$ printf 'a\\nb\\nc\\n' | \\\n> cat\na\nc\n```\n"

func TestSession(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, text string) []string {
		t.Helper()
		dir := t.TempDir()
		file := filepath.Join(dir, "page.md")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := ReadSession(file)
		if err != nil || s == nil {
			t.Fatalf("ReadSession: %v, %v", s, err)
		}
		printed, _ := Run(t.Context(), s.Script(), dir, os.Environ()) // Check finds the command that failed
		return s.Check(printed)
	}
	if got := run(t, sessionPage); got != nil {
		t.Errorf("a true page: %v", got)
	}
	for _, row := range [][3]string{
		{"output that is not printed", "key: …", "key: other"},
		{"output in another order", "a\nc\n```", "c\na\n```"},
		{"a command that fails", "$ cat in/a.yaml", "$ cat in/b.yaml"},
		{"output that ends earlier", "a\nc\n", "a\nc\nd\n"},
	} {
		if got := run(t, strings.Replace(sessionPage, row[1], row[2], 1)); len(got) != 1 {
			t.Errorf("%s: %v, want one difference", row[0], got)
		}
	}
}

func TestSessionForms(t *testing.T) {
	t.Parallel()
	for _, row := range [][2]string{
		{"an unknown mark", "```console runs\n$ true\n```\n"},
		{"output before the command", "```console run\na\n$ true\n```\n"},
	} {
		file := filepath.Join(t.TempDir(), "page.md")
		if err := os.WriteFile(file, []byte(row[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadSession(file); err == nil {
			t.Errorf("%s: no error", row[0])
		}
	}
}
