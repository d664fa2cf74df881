package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
)

// row is one wrong input. The input "-" is read from text; without Files the
// folder of the archive is walked.
type row struct {
	name    string
	text    string
	archive string
	o       Options
	want    []string // "code position", a leading ~ for a warning
	says    string   // in the detail or the fix of the first
}

func syntaxRows() []row {
	return []row{
		{name: "a bracket that is not closed", text: "a: 1\nb: [1\nc: 2\n", want: []string{"SRC002 stdin:2:1"}, says: "close the bracket"},
		{name: "a key at the wrong place", text: "a:\n  - name: x\n    foo: 1\n   bar: 2\nb: 1\n", want: []string{"SRC002 stdin:4:4"}, says: "align"},
		{name: "a tab as indentation", text: "a:\n\tb: 1\n", want: []string{"SRC002 stdin:2:1"}, says: "replace the tab with spaces"},
		{name: "a colon in a value", text: "a: b: c\n", want: []string{"SRC002 stdin:1:1"}, says: "quote a value"},
		{name: "a quote that is not closed", text: "a: 1\nb: \"x\nc: 1\n", want: []string{"SRC002 stdin:2:1"}, says: "close the quote"},
		{name: "a reserved character", text: "a: 1\nb: @x\n", want: []string{"SRC002 stdin:2:1"}, says: "quote the value"},
		{name: "an escape of JSON", text: `{"a": "b\/c"}`, want: []string{"SRC002 stdin:1:1"}, says: "JSON writes"},
		{name: "two halves of a character", text: `{"a": "\ud83d\ude00"}`, want: []string{"SRC002 stdin:1:1"}, says: "write the character itself"},
		{name: "an alias of nothing", text: "a: 1\nb: *x\n", want: []string{"SRC002 stdin:2:4"}, says: "unknown anchor referenced"},
		{name: "an error in a later document", text: "a: 1\n---\nb: [\n", want: []string{"SRC002 stdin:3:1"}},
		{name: "bytes that are no UTF-8", text: "a: 1\nb: é\xff\n", want: []string{"SRC002 stdin:2:5"}, says: "UTF-8"},
		{name: "a control character", text: "a: 1\nb: \x01\n", want: []string{"SRC002 stdin:2:4"}, says: "the control character U+0001"},
		{name: "a NUL byte", text: "a: 1\nb: \x00\n", want: []string{"SRC002 stdin:2:4"}, says: "NUL byte"},
		{name: "UTF-16", text: "\xff\xfea\x00", want: []string{"SRC002 stdin:1:1"}},
		{name: "a merge of a list", text: "a: {<<: 1}\nb: {<<: [[x]]}\n", want: []string{"SRC002 stdin:1:9", "SRC002 stdin:2:10"}, says: "merges mappings"},
		{name: "a key twice", text: "a: 1\nb:\n  c: 1\n  c: 2\n1: x\n\"1\": y\n", want: []string{"SRC003 stdin:4:3", "SRC003 stdin:6:1"}, says: `"c" stands on line 3`},
		{name: "too many values", text: "a:\n" + strings.Repeat("- 1\n", maxNodes), want: []string{"SRC005 stdin:200000:3"}, says: "The file has more than 200000 values."},
		{name: "too deep", text: "a: " + strings.Repeat("[", 300) + strings.Repeat("]", 300), want: []string{"SRC005 stdin:1:203"}, says: "200 levels"},
		{name: "an alias bomb", text: bomb(9), want: []string{"SRC005 stdin:6:10"}, says: "aliases"},
		{name: "an alias inside itself", text: "a: &x [1, *x]\nb: &y {<<: *y}\n", want: []string{"SRC018 stdin:1:11", "SRC018 stdin:2:12"}, says: "hold itself"},
		{name: "infinity and not a number", text: "a: .inf\nb: -.Inf\nc: .nan\n", want: []string{"SRC018 stdin:1:4", "SRC018 stdin:2:4", "SRC018 stdin:3:4"}, says: ".inf"},
		{name: "a number without end", text: "a: " + strings.Repeat("9", 500), want: []string{"SRC018 stdin:1:4"}, says: "digits"},
		{name: "numbers that 64 bits do not hold", text: "a: 1e999\nb: -1E+400\nc: 1e-400\nd: 0x" + strings.Repeat("f", 300) + "\n", want: []string{"SRC018 stdin:1:4", "SRC018 stdin:2:4", "SRC018 stdin:3:4", "SRC018 stdin:4:4"}, says: "64 bits"},
		{name: "a type that does not fit", text: "a: !!int x\nb: !!int 1.5\nc: !!bool yes\n", want: []string{"SRC018 stdin:1:4", "SRC018 stdin:2:4", "SRC018 stdin:3:4"}},
		{name: "a list as key", text: "? [a]\n: 1\n", want: []string{"SRC018 stdin:1:3"}, says: "key is text"},
	}
}

// bomb doubles a list n times.
func bomb(n int) string {
	var b strings.Builder
	b.WriteString("x0: &x0 [a, a, a, a, a, a, a, a, a, a]\n")
	for i := 1; i <= n; i++ {
		from := "*x" + string(rune('0'+i-1))
		b.WriteString("x" + string(rune('0'+i)) + ": &x" + string(rune('0'+i)) + " [" + strings.Repeat(from+", ", 9) + from + "]\n")
	}
	return b.String()
}

func tagRows() []row {
	return []row{
		{name: "a tag that does not exist", text: "a: !fil x\nb: !Ref y\nc: !vault z\nd: !!set {a}\n", want: []string{"SRC007 stdin:1:4", "SRC007 stdin:2:4", "SRC007 stdin:3:4", "SRC007 stdin:4:4"}, says: "write !file PATH"},
		{name: "malformed refs", text: "a: !ref\nb: !ref {x: 1}\nc: !ref x#\nd: !ref [x]\n", want: []string{"SRC008 stdin:1:4", "SRC008 stdin:2:4", "SRC008 stdin:3:4", "SRC008 stdin:4:4"}, says: "write !ref NAME or !ref NAME#FIELD"},
		{name: "malformed environment variables", text: "a: !env\nb: !env A-B\nc: !env [A]\nd: !env {extract: x}\ne: !env {var: A, x: 1}\nf: !env {var: [A]}\ng: !env {var: A, extract: ''}\n", want: []string{"SRC008 stdin:1:4", "SRC008 stdin:2:4", "SRC008 stdin:3:4", "SRC008 stdin:4:4", "SRC008 stdin:5:18", "SRC008 stdin:6:15", "SRC008 stdin:7:27"}, says: "write !env VAR"},
		{name: "malformed files", text: "a: !file\nb: !file {paht: x}\nc: !file https://x/y\nd: !file .\n", want: []string{"SRC008 stdin:1:4", "SRC008 stdin:2:11", "SRC008 stdin:3:4", "SRC008 stdin:4:4"}, says: "write !file PATH"},
		{name: "malformed secrets", text: "a: !secret {}\nb: !secret {source: !env A, parts: [!env B]}\nc: !secret {parts: []}\nd: !secret [x]\ne: !secret {parts: [{}, !env A]}\nf: !secret\n", want: []string{"SRC008 stdin:1:4", "SRC008 stdin:2:4", "SRC008 stdin:3:4", "SRC008 stdin:4:4", "SRC008 stdin:5:21", "SRC008 stdin:6:4"}, says: "either source or parts"},
		{name: "malformed lookups", text: "a: !lookup x\nb: !lookup {}\nc: !external [x]\nd: !lookup 'name:'\n", want: []string{"SRC008 stdin:1:4", "SRC008 stdin:2:4", "SRC008 stdin:3:4", "SRC008 stdin:4:4"}, says: "write !lookup {name: NAME}"},
		{name: "variables with credentials of kongctl", text: "a: !env KONGCTL_KONNECT_PAT\nb: !secret {source: !env KONGCTL_PROD_KONNECT_PAT}\nc: !lookup {name: !env DECK_KONNECT_TOKEN}\nd: !env KONGCTL_PROFILE\n", want: []string{"SRC020 stdin:1:4", "SRC020 stdin:2:21", "SRC020 stdin:3:19"}, says: "holds a credential of kongctl"},
		{name: "an argument twice", text: "a: !env {var: A, var: B}\n", want: []string{"SRC003 stdin:1:18"}},
		{name: "a binary file", archive: "-- a.yaml --\na: !file b.bin\n-- b.bin --\n\x00\x01\x02\n", want: []string{"SRC008 a.yaml:1:4"}, says: "neither text"},
		{name: "an image that is none", archive: "-- a.yaml --\na: !file b.png\n-- b.png --\nversion https://example.com\n", want: []string{"SRC008 a.yaml:1:4"}, says: "name of an image"},
		{name: "a file that is not there", archive: "-- a.yaml --\na: !file sub/b.txt\nb: !secret {source: !file key.pem}\n", want: []string{"SRC009 a.yaml:1:4", "SRC009 a.yaml:2:21"}, says: `"sub/b.txt" does not exist`},
		{name: "nothing to extract", archive: "-- a.yaml --\na: !file b.yaml#x.z\nb: !file b.yaml#l[1]\nc: !file b.txt#x\nd: !file b.json#y\ne: !file e.yaml#y\n-- b.yaml --\nx: {y: 1}\nl: [1]\n-- b.txt --\na: [\n-- b.json --\n{\"x\": 1}\n-- e.yaml --\n# empty\n", want: []string{"SRC010 a.yaml:1:4", "SRC010 a.yaml:2:4", "SRC010 a.yaml:3:4", "SRC010 a.yaml:4:4", "SRC010 a.yaml:5:4"}, says: `nothing at "x.z"`},
		{name: "a tag in what is extracted", archive: "-- a.yaml --\na: !file b.yaml#x\n-- b.yaml --\nx: {y: !ref z}\n", want: []string{"SRC010 a.yaml:1:4"}, says: "!ref"},
		{name: "tags inside others", text: "a: !secret {source: !ref x}\nb: !secret {parts: [!secret {source: !env X}]}\nc: !lookup {name: !ref x}\nd: !lookup {name: !file x}\ne: !file {path: !env X}\nf: !env {var: !env X}\n", want: []string{"SRC014 stdin:1:21", "SRC014 stdin:2:21", "SRC014 stdin:3:19", "SRC014 stdin:4:19", "SRC014 stdin:5:17", "SRC014 stdin:6:15"}, says: "nothing else nests"},
		{name: "a tag on a key", text: "!ref x: 1\n", want: []string{"SRC014 stdin:1:1"}},
		{name: "secrets in clear", text: "a: !secret hunter2\nb: !secret {source: hunter2}\nc: !secret {parts: [hunter2, x]}\n", want: []string{"CFG016 stdin:1:4", "CFG016 stdin:2:4", "CFG016 stdin:3:4"}, says: "!secret {source: !env VAR}"},
	}
}

func inputRows() []row {
	return []row{
		{name: "a file that is not there", o: Options{Files: []string{"nope.yaml"}}, want: []string{"SRC001 nope.yaml"}, says: "no such file or folder"},
		{name: "a folder that is not there", o: Options{Dirs: []string{"nope"}}, want: []string{"SRC001 nope"}, says: "no such file or folder"},
		{name: "a base folder that is not there", o: Options{BaseDir: "nope"}, want: []string{"SRC001 nope"}},
		{name: "an input without a name", o: Options{Files: []string{","}}, want: []string{"SRC001 "}},
		{name: "a file given as folder", archive: "-- a.yaml --\na: 1\n", o: Options{Dirs: []string{"a.yaml"}}, want: []string{"SRC001 a.yaml"}, says: "with -f"},
		{name: "no standard input", o: Options{Files: []string{"-"}}, want: []string{"SRC001 stdin"}},
		{name: "a link that leads nowhere", archive: "-- a.yaml -> gone.yaml --\n", want: []string{"SRC001 a.yaml"}},
		{name: "a file over the limit", text: strings.Repeat("#", maxFileSize+1), want: []string{"SRC004 stdin"}, says: "10 MiB"},
		{name: "an empty folder", archive: "-- sub/a.txt --\nx\n", want: []string{"SRC013 ."}, says: "the current folder"},
		{name: "a folder with sources below it only", archive: "-- sub/deep/a.yaml --\na: 1\n", o: Options{Files: []string{"sub"}}, want: []string{"SRC013 sub"}, says: "add -R"},
		{name: "an empty document", text: "# nothing\n---\n---\n~\n", want: []string{"SRC013 stdin"}, says: "standard input"},
		{name: "empty standard input beside a source", archive: "-- a.yaml --\na: 1\n", o: Options{Files: []string{"a.yaml", "-"}, Stdin: strings.NewReader("")}, want: []string{"SRC013 stdin"}, says: "standard input"},
		{name: "an empty file beside a source", archive: "-- a.yaml --\na: 1\n-- b.yaml --\n-- c.yaml --\n# x: 1\n---\n~\n", o: Options{Files: []string{"a.yaml", "b.yaml", "c.yaml"}}, want: []string{"SRC013 b.yaml", "SRC013 c.yaml"}, says: "b.yaml"},
		{name: "an empty JSON file beside a source", archive: "-- a.yaml --\na: 1\n-- b.json --\n", o: Options{Files: []string{"*.*"}}, want: []string{"SRC013 b.json"}},
		{name: "a folder of empty files", archive: "-- b.yaml --\n", want: []string{"SRC013 ", "~SRC013 b.yaml"}, says: "the current folder"},
		{name: "a decK file named", archive: "-- d.yaml --\n_format_version: '3.0'\n", o: Options{Files: []string{"d.yaml"}}, want: []string{"SRC012 d.yaml:1:1"}, says: "name it in `_deck.files` or `_external.deck.file`"},
		{name: "a document that was printed, named", archive: "-- out.yaml --\nerror: {message: x, exit_code: 4}\ndiagnostics: []\n", o: Options{Files: []string{"out.yaml"}, Printed: printedForms()}, want: []string{"SRC011 out.yaml:1:1"}, says: "--plan"},
		{name: "a Kustomization named", archive: "-- kustomization.yaml --\nresources: []\n", o: Options{Files: []string{"kustomization.yaml"}}, want: []string{"SRC011 kustomization.yaml:1:1"}},
		{name: "a list named", text: "- a\n", want: []string{"SRC015 stdin:1:1"}, says: "a list"},
		{name: "text named", text: "hello\n", want: []string{"SRC015 stdin:1:1"}, says: "a single value"},
		{name: "a number that JSON lacks, named", text: ".nan\n", want: []string{"SRC015 stdin:1:1"}},
		{name: "a tag as document", text: "!file x\n", want: []string{"SRC015 stdin:1:1"}},
		{name: "a file outside the base folder", archive: "-- sub/a.yaml --\na: !file ../b.txt\nb: !file /etc/hostname\nc: !file ../nope.txt\nd: !secret {source: !file ../b.txt}\n-- b.txt --\nx\n", o: Options{Files: []string{"sub"}}, want: []string{"SRC006 sub/a.yaml:1:4", "SRC006 sub/a.yaml:2:4", "SRC006 sub/a.yaml:3:4", "SRC006 sub/a.yaml:4:21"}, says: "--base-dir"},
		{name: "links that leave the base folder", archive: "-- sub/a.yaml --\na: !file link.txt\nb: !file away/b.txt\nc: !secret {source: !file link.txt}\n-- sub/link.txt -> ../b.txt --\n-- sub/away -> ../other --\n-- sub/out.yaml -> ../other/c.yaml --\n-- b.txt --\nx\n-- other/b.txt --\ny\n-- other/c.yaml --\nc: 1\n", o: Options{Dirs: []string{"sub"}}, want: []string{"SRC006 sub/a.yaml:1:4", "SRC006 sub/a.yaml:2:4", "SRC006 sub/a.yaml:3:21", "SRC006 sub/away", "SRC006 sub/out.yaml"}},
		{name: "patterns that cannot be read", archive: "-- a.yaml --\na: 1\n-- .kongctlignore --\n# [\n[\n/\n\n!\n-- sub/b.yaml --\nb: 1\n-- sub/.kongctlignore --\nx[\r\n", want: []string{"SRC019 .kongctlignore:2:1", "SRC019 .kongctlignore:3:1", "SRC019 .kongctlignore:5:1", "SRC019 sub/.kongctlignore:1:1"}, says: "gitignore"},
		{name: "an ignore file that leads away", archive: "-- sub/a.yaml --\na: 1\n-- sub/.kongctlignore -> ../b.txt --\n-- b.txt --\nx\n", o: Options{Dirs: []string{"sub"}}, want: []string{"SRC006 sub/.kongctlignore"}},
		{name: "a URL that nothing can read", o: Options{Files: []string{"https://example.invalid/x.yaml?token=hunter2"}}, want: []string{"SRC017 https://example.invalid/x.yaml"}},
		{name: "several problems at once", archive: "-- a.yaml --\na: 1\na: !x\n-- b.yaml --\nb: [\n", want: []string{"SRC003 a.yaml:2:1", "SRC002 b.yaml:1:1"}},
	}
}

func TestProblems(t *testing.T) {
	told := map[diag.Code]bool{}
	for _, rows := range [][]row{syntaxRows(), tagRows(), inputRows()} {
		for _, tc := range rows {
			t.Run(tc.name, func(t *testing.T) {
				tc.o.WorkDir = folder(t, tc.archive)
				if tc.text != "" {
					tc.o.Files, tc.o.Stdin = []string{"-"}, strings.NewReader(tc.text)
				}
				_, diags := load(context.Background(), tc.o)
				var got []string
				for _, d := range diags {
					line := string(d.Code) + " " + d.Pos.String()
					if d.Severity == diag.Warning {
						line = "~" + line
					}
					got = append(got, line)
					told[d.Code] = true
					if strings.Contains(d.String(), "hunter2") {
						t.Errorf("a secret is told: %v", d)
					}
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Fatalf("(-want +got):\n%s%v", diff, diags)
				}
				if text := diags[0].Detail + diags[0].Fix; !strings.Contains(text, tc.says) {
					t.Errorf("%q does not say %q", text, tc.says)
				}
			})
		}
	}
	for _, code := range diag.Codes() {
		if strings.HasPrefix(string(code), "SRC") && !told[code] {
			t.Errorf("no row for %s (%s)", code, diag.Summary(code))
		}
	}
}

// TestIncomplete: declarations may stand in what could not be read, not in the
// content of a field.
func TestIncomplete(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"all can be read", "a: 1\n", false},
		{"a file that a field is read from is missing", "a: !file nope.md\n", false},
		{"a malformed tag", "a: !env 1x\n", false},
		{"an unknown tag", "a: !nope x\n", false},
		{"a number that JSON does not have", "a: .inf\n", false},
		{"a text twice", "a: x\na: y\n", false},
		{"a list twice", "a: [x]\na: [y]\n", true},
		{"a key that is none", "[a]: b\n", true},
		{"a merge of nothing", "a: {<<: 1}\n", true},
		{"a syntax error", "a: [\n", true},
		{"a syntax error in a later document", "a: 1\n---\nb: [\n", true},
		{"too deep", "a: " + strings.Repeat("[", 300) + strings.Repeat("]", 300), true},
		{"a list as a document", "- a\n", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, diags := load(context.Background(), Options{Files: []string{"-"}, Stdin: strings.NewReader(tc.text), WorkDir: t.TempDir()})
			if r.Incomplete != tc.want {
				t.Errorf("incomplete is %v\n%v", r.Incomplete, diags)
			}
		})
	}
	r, _ := load(context.Background(), Options{Files: []string{"nope.yaml"}, WorkDir: t.TempDir()})
	if !r.Incomplete {
		t.Error("a missing input leaves nothing out")
	}
}

func TestAFolderThatMayNotBeRead(t *testing.T) {
	work := folder(t, "-- a.yaml --\na: 1\n-- sub/b.yaml --\nb: 1\n")
	sub := filepath.Join(work, "sub")
	if err := os.Chmod(sub, 0); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(sub, 0o700) }() // so that the folder can be removed
	r, diags := load(context.Background(), Options{WorkDir: work})
	if _, err := os.ReadDir(sub); err == nil { // this user may read everything, so everything is read
		if len(diags) != 0 || len(r.Documents) != 2 {
			t.Errorf("got %d documents, %v", len(r.Documents), diags)
		}
		return
	}
	if len(diags) != 1 || diags[0].Code != diag.SrcUnreadable || !strings.Contains(diags[0].Detail, "permission denied") {
		t.Errorf("got %v", diags)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("the pipe broke") }

func TestStandardInputThatBreaksOff(t *testing.T) {
	_, diags := load(context.Background(), Options{Files: []string{"-"}, WorkDir: t.TempDir(), Stdin: brokenReader{}})
	if len(diags) != 1 || diags[0].Code != diag.SrcUnreadable || !strings.Contains(diags[0].Detail, "the pipe broke") {
		t.Errorf("got %v", diags)
	}
}
