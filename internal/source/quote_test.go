package source_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// quoting loads a text as a configuration whose plain fields are known.
func quoting(t *testing.T, text string) *source.Result {
	t.Helper()
	r, _ := quotingAll(t, text)
	return r
}

func quotingAll(t *testing.T, text string) (*source.Result, diag.List) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	known := []string{"cookie", "things", "name", "title", "nested", "list", "url", "labels"}
	r, problems := source.Load(t.Context(), source.Options{Files: []string{"a.yaml"}, WorkDir: dir, Claims: []source.Claim{{
		Shows: func(path []string) bool {
			return !slices.ContainsFunc(path, func(name string) bool { return !slices.Contains(known, name) })
		},
		Hides: func(path []string) bool { return slices.Contains(path, "private") },
		Knows: func(path []string) bool {
			return len(path) == 2 && path[0] == "things" && (path[1] == "cookie" || path[1] == "open")
		},
	}}})
	return r, problems
}

func quote(r *source.Result, line, column int) diag.Diagnostic {
	list := diag.List{diag.New(diag.CfgUnknownKey, value.Pos{File: "a.yaml", Line: line, Column: column}, "D.", "f.")}
	return r.Quote(list)[0]
}

func TestQuote(t *testing.T) {
	for _, tc := range []struct {
		name, text   string
		line, column int
		want         string // the line and the marks
	}{
		{"a value", "things:\n  - name: one\n", 2, 11, "  - name: one\n          ^^^"},
		{"a key", "things:\n  - name: one\n", 2, 5, "  - name: one\n    ^^^^"},
		{"CRLF", "things:\r\n  - name: one\r\n", 2, 11, "  - name: one\n          ^^^"},
		{"a comment", "name: one # hunter2\n", 1, 7, "name: one\n      ^^^"},
		{"a number sign in a text", "name: \"one # two\" # hunter2\n", 1, 7, "name: \"one # two\"\n      ^^^^^^^^^^^"},
		{"a secret", "private: hunter2\n", 1, 10, "private: (hidden)\n         ^^^^^^^^"},
		{"a secret by its name", "client_secret: hunter2\n", 1, 1, "client_secret: (hidden)\n^^^^^^^^^^^^^"},
		{"no secret, though its name is one's", "things:\n  - cookie: count\n", 2, 5, "  - cookie: count\n    ^^^^^^"},
		{"the same name elsewhere", "cookie: hunter2\n", 1, 1, "cookie: (hidden)\n^^^^^^"},
		{"a misspelt secret", "client_secrte: hunter2\n", 1, 1, "client_secrte: (hidden)\n^^^^^^^^^^^^^"},
		{"a secret among others", "things: [{name: a, private: \"hunter2\", title: b}]\n", 1, 47, "things: [{name: a, private: (hidden), title: b}]\n                                             ^"},
		{"the last of a flow", "things: [{name: a, private: hunter2}]\n", 1, 29, "things: [{name: a, private: (hidden)}]\n                            ^^^^^^^^"},
		{"keys below a secret", "private: {hunter2: hunter2}\n", 1, 11, "private: {(hidden): (hidden)}\n          ^^^^^^^^"},
		{"an argument of a tag", "private: !secret {source: !env A_B}\n", 1, 1, "private: !secret {source: !env A_B}\n^^^^^^^"},
		{"an argument of a tag in clear", "private: !secret {source: hunter2}\n", 1, 1, "private: !secret {source: (hidden)}\n^^^^^^^"},
		{"no argument of a tag", "private: !secret {hunter2: !env A_B}\n", 1, 1, "private: !secret {(hidden): !env A_B}\n^^^^^^^"},
		{"a variable", "private: !env A_B\n", 1, 10, "private: !env A_B\n         ^^^^^^^^"},
		{"a secret in clear behind its tag", "private: !secret HUNTER2\n", 1, 10, "private: (hidden)\n         ^^^^^^^^"},
		{"a ref where anything may stand", "things:\n  - open: !ref one#id\n", 2, 11, "  - open: !ref one#id\n          ^^^^^^^^^^^"},
		{"not a ref", "things:\n  - open: !ref \"hunter 2\"\n", 2, 11, "  - open: (hidden)\n          ^^^^^^^^"},
		{"a value where anything may stand", "things:\n  - open: hunter2\n", 2, 11, "  - open: (hidden)\n          ^^^^^^^^"},
		{"a ref in a secret", "private: !ref hunter2\n", 1, 10, "private: (hidden)\n         ^^^^^^^^"},
		{"a ref in an unknown field", "probe: !ref hunter2\n", 1, 8, "probe: (hidden)\n       ^^^^^^^^"},
		{"not a variable", "private: !env hunter2\n", 1, 10, "private: (hidden)\n         ^^^^^^^^"},
		{"a block", "private: |\n  hunter2\nname: a\n", 1, 10, "private: (hidden)\n         ^^^^^^^^"},
		{"inside of a block", "private: |\n  hunter2\nname: a\n", 2, 3, "\n"},
		{"a password in an address", "url: https://me:hunter2@host/x\n", 1, 1, "url: https://me:(hidden)@host/x\n^^^"},
		{"wide characters", "things: [{name: 世界, title: b}]\n", 1, 27, "things: [{name: 世界, title: b}]\n                            ^"},
		{"a tab", "name: \"a\tb\"\n", 1, 7, "name: \"a  b\"\n      ^^^^^^"},
		{"no YAML", "name: one\n\ttitle: two\nprivate: hunter2\n", 2, 1, "  title: two\n^^"},
		{"a template", "name: \"${{ env \"DECK_A\" }}\"\n", 1, 16, "name: \"${{ env \"DECK_A\" }}\"\n               ^^^^^^^^"},
		{"a logon in a host", "name: me:hunter2@host\n", 1, 7, "name: me:(hidden)@host\n      ^^^^^^^^^^^^^^^"},
		{"a bearer token", "title: Bearer hunter2\n", 1, 1, "title: Bearer (hidden)\n^^^^^"},
		{"a basic logon", "title: Basic aHVudGVyMg==\n", 1, 1, "title: Basic (hidden)\n^^^^^"},
		{"no logon", "title: Basic plan\n", 1, 1, "title: Basic plan\n^^^^^"},
		{"brackets after what is hidden", "things: [{private: [hunter2, hunter2], name: a}]\n", 1, 1, "things: [{private: [(hidden), (hidden)], name: a}]\n^^^^^^"},
		{"a secret in no YAML", "name: [\nprivate: hunter2\n", 2, 1, "private: (hidden)\n^^^^^^^"},
		{"below a secret in no YAML", "private:\n  name: hunter2\n  title: [\n", 2, 3, "\n"},
		{"a block in no YAML", "title: |\n  name: hunter2\nname: [\n", 2, 3, "\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := quote(quoting(t, tc.text), tc.line, tc.column)
			line, marks := "", ""
			if lines := strings.Split(d.String(), "\n"); strings.Contains(lines[2], " | ") {
				line, marks = lines[2][len("   1 | "):], lines[3][len("     | "):]
			}
			if got := line + "\n" + marks; got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// TestQuoteLongLine: a long line is cut around what is marked.
func TestQuoteLongLine(t *testing.T) {
	long := strings.Repeat("a", 400)
	text := fmt.Sprintf("things: [{name: %s, title: here, url: %s}]\n", long, long)
	d := quote(quoting(t, text), 1, strings.Index(text, "here")+1)
	lines := strings.Split(d.String(), "\n")
	at := strings.Index(lines[3], "^^^^")
	line := []rune(lines[2])
	if at < 0 || string(line[at:at+4]) != "here" || len(line) > 120 || strings.Count(lines[2], "…") != 2 {
		t.Errorf("%s\n%s", lines[2], lines[3])
	}
}

// TestQuoteIsHarmless: whatever place of whatever prefix of a text a diagnostic is
// about, no secret is shown.
func TestQuoteIsHarmless(t *testing.T) {
	const whole = `# hunter2
things:
  - name: one # hunter2
    private: "hunter2
      hunter2: hunter2"
    client_secret: 'hunter2 ''hunter2'
    nested: {private: {name: hunter2, list: [hunter2, "hunter2"]}, titel: hunter2, x: [hunter2]}
    api_key: >-
      hunter2
      title: hunter2
    list:
      - private:
          - hunter2
          - name: hunter2
      - ? password
        : hunter2
    other: &a hunter2
    token: !secret hunter2
    url: https://hunter2:hunter2@host
private: {
  name: hunter2,
  title: hunter2 }
`
	text := strings.ReplaceAll(whole, "https://hunter2:", "https://me:")
	for end := 1; end <= len(text); end += 7 {
		var list diag.List
		for line := 1; line <= strings.Count(text[:end], "\n")+1; line++ {
			for column := 1; column < 60; column += 3 {
				list.Add(diag.CfgUnknownKey, value.Pos{File: "a.yaml", Line: line, Column: column}, "D.", "f.")
			}
		}
		for _, d := range quoting(t, text[:end]).Quote(list) {
			if strings.Contains(d.String(), "hunter") {
				t.Fatalf("of %d bytes\n%s\nof\n%s", end, d, text[:end])
			}
		}
	}
}

// TestNamesAreHarmless: a secret that nobody quoted and that begins like a tag, an
// alias or an anchor is not shown, wherever a secret may stand.
func TestNamesAreHarmless(t *testing.T) {
	for _, sign := range []string{"!", "!!", "*", "&", "!a!", "!<hunter2> ", "&a !", "! "} {
		for _, place := range []string{
			"private: %s\n", "client_secret: %s\n", "misspelt: %s\n", "private: [%s]\n", "private: {a: %s}\n", "private:\n  - %s\n",
			"things: [{name: a, private: %s, title: b}]\n", "private: %s\n  a: b\n", "private: %s [a]\n", "private: %s {a: b}\n",
			"private: %s # hunter2\nname: a\n", "private: !secret {source: %s}\n", "private: !secret {parts: [%s]}\n", "private: !env {var: %s}\n",
			"private: !lookup {name: %s}\n", "private: {%s : a}\n", "private: %s\n---\n- x\n", "- private: %s\n",
		} {
			text := fmt.Sprintf(place, sign+"hunter2")
			r, problems := quotingAll(t, text)
			var all diag.List
			for column := 1; column < len(text); column++ {
				all.Add(diag.CfgUnknownKey, value.Pos{File: "a.yaml", Line: 1, Column: column}, "D.", "f.")
				all.Add(diag.CfgUnknownKey, value.Pos{File: "a.yaml", Line: 2, Column: column}, "D.", "f.")
			}
			for _, d := range r.Quote(append(problems, all...)) {
				if strings.Contains(d.String(), "hunter") {
					t.Errorf("%s\nof\n%s", d, text)
					break
				}
			}
		}
	}
}

// TestNamesAreExplained: the fix says what to do with such a secret.
func TestNamesAreExplained(t *testing.T) {
	for text, want := range map[string]string{
		"private: !hunter2\n": "quote the value if it begins with an exclamation mark",
		"private: !ent\n":     "write !env VAR",
		"private: *hunter2\n": "quote a value that begins with *",
	} {
		if _, problems := quotingAll(t, text); len(problems) != 1 || !strings.Contains(problems[0].Fix, want) {
			t.Errorf("%s: %v, want %s", text, problems, want)
		}
	}
}
