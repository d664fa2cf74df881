package source

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
)

func TestLinksInsideTheBaseFolder(t *testing.T) {
	// The layout of a mounted Kubernetes volume, and links between folders.
	work := folder(t, `
-- cfg/..v1/a.yaml --
a: !file b.txt
-- cfg/..v1/b.txt --
text
-- cfg/..data -> ..v1 --
-- cfg/a.yaml -> ..data/a.yaml --
-- cfg/b.txt -> ..data/b.txt --
-- loop -> . --
-- also/c.yaml --
c: !secret {source: !file ../cfg/b.txt}
-- again -> also --
`)
	r, diags := load(context.Background(), Options{WorkDir: work})
	if len(diags) > 0 {
		t.Fatalf("load: %v", diags)
	}
	got := map[string]any{}
	for _, d := range r.Documents {
		got[d.File] = plainRoot(d.Root)
	}
	want := map[string]any{"also/c.yaml": map[string]any{"c": "secret #[file cfg/b.txt#]"}, "cfg/a.yaml": map[string]any{"a": "text\n"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAFileOverTheLimit(t *testing.T) {
	work := folder(t, "-- a.yaml --\na: !file big.txt\nb: !secret {source: !file big.txt}\n")
	big := filepath.Join(work, "big.txt")
	write(t, big, "")
	if err := os.Truncate(big, maxFileSize+1); err != nil {
		t.Fatal(err)
	}
	_, diags := load(context.Background(), Options{WorkDir: work})
	var codes []diag.Code
	for _, d := range diags {
		codes = append(codes, d.Code)
	}
	if diff := cmp.Diff([]diag.Code{diag.SrcTooLarge, diag.SrcTooLarge}, codes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := (Folders{Dir: work, Bases: []string{work}}).ReadSecret("big.txt", ""); err == nil {
		t.Error("the secret was read")
	}
}

// Who reads what this program wrote gives its limits: they are those of the files that
// are named, and not of what those name.
func TestLimits(t *testing.T) {
	work := folder(t, "-- a.yaml --\na: [1, 2, 3]\n-- b.yaml --\na: !file big.txt\n")
	big := filepath.Join(work, "big.txt")
	write(t, big, "")
	if err := os.Truncate(big, maxFileSize+1); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		file   string
		limits Limits
		want   string
	}{
		{"a.yaml", Limits{}, ""},
		{"a.yaml", Limits{Bytes: 13, Values: 5}, ""},
		{"a.yaml", Limits{Bytes: 12, Values: 5}, "SRC004"},
		{"a.yaml", Limits{Bytes: 13, Values: 4}, "SRC005"},
		{"-", Limits{Bytes: 13, Values: 5}, ""},
		{"-", Limits{Bytes: 12, Values: 5}, "SRC004"},
		{"b.yaml", StateLimits(), "SRC004"},
	} {
		_, diags := load(context.Background(), Options{WorkDir: work, Files: []string{row.file}, Stdin: strings.NewReader("a: [1, 2, 3]\n"), Limits: row.limits})
		var got []string
		for _, d := range diags {
			got = append(got, string(d.Code))
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s with %v: %v, want %q", row.file, row.limits, diags, row.want)
		}
	}
	bytes, values := UsualLimits(), StateLimits()
	if values.Bytes <= bytes.Bytes || values.Values <= bytes.Values {
		t.Errorf("a state may be no larger than a configuration: %v", values)
	}
}

func TestExtractedPartsCountAsNodes(t *testing.T) {
	work := folder(t, "-- a.yaml --\na: !file b.json#x\nb: !file b.json#x\nc: !file deep.json#x\n")
	write(t, filepath.Join(work, "b.json"), `{"x": [`+strings.Repeat("1,", maxNodes/2+1)+`1]}`)
	write(t, filepath.Join(work, "deep.json"), `{"x": `+strings.Repeat("[", maxDepth)+strings.Repeat("]", maxDepth)+`}`)
	for file, want := range map[string]string{"a: !file b.json#x\nb: !file b.json#x\n": "SRC005 a.yaml:2:4", "c: !file deep.json#x\n": "SRC005 a.yaml:1:4"} {
		write(t, filepath.Join(work, "a.yaml"), file)
		_, diags := load(context.Background(), Options{WorkDir: work})
		if len(diags) != 1 || string(diags[0].Code)+" "+diags[0].Pos.String() != want {
			t.Errorf("got %v, want %s", diags, want)
		}
	}
}

func TestReadSecretFile(t *testing.T) {
	outer := folder(t, `
-- base/token --
hunter2
-- base/crlf --
hunter2
-- base/key.pem --
BEGIN
END
-- base/s.json --
{"a": {"b": "hunter2", "n": 12, "l": ["hunter2"]}, "k": "hunter2"}
-- base/s.yaml --
a: !ref hunter2
-- base/link -> ../out --
-- base/in -> token --
-- out --
hunter2
-- base/sub/x --
x
`)
	base := filepath.Join(outer, "base")
	write(t, filepath.Join(base, "crlf"), "hunter2\r\n")
	write(t, filepath.Join(base, "binary"), "\x00\x01")
	for _, tc := range []struct {
		name, path, extract string
		want, err           string
	}{
		{name: "one line loses its end", path: "token", want: "hunter2"},
		{name: "whatever the end is", path: "crlf", want: "hunter2"},
		{name: "several lines stay as they are", path: "key.pem", want: "BEGIN\nEND\n"},
		{name: "a part", path: "s.json", extract: "a.b", want: "hunter2"},
		{name: "a number", path: "s.json", extract: "a.n", want: "12"},
		{name: "a link inside", path: "in", want: "hunter2"},
		{name: "a part that is no text", path: "s.json", extract: "a.l", err: `read secret file s.json: no text at "a.l"`},
		{name: "a part that is not there", path: "s.json", extract: "x", err: `read secret file s.json: nothing usable at "x"`},
		{name: "a part with a tag", path: "s.yaml", extract: "a", err: `read secret file s.yaml: nothing usable at "a"`},
		{name: "a file outside", path: "../out", err: `../out is outside the folder of the plan`},
		{name: "a link outside", path: "link", err: `link is outside the folder of the plan`},
		{name: "an absolute path outside", path: filepath.Join(outer, "out"), err: "is outside the folder of the plan"},
		{name: "a missing file", path: "gone", err: `read secret file gone: "gone" does not exist`},
		{name: "a folder", path: "sub", err: `read secret file sub: "sub" is a folder or a device`},
		{name: "not text", path: "binary", err: `read secret file binary: "binary" is neither text`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Folders{Dir: base, Bases: []string{base}}.ReadSecret(tc.path, tc.extract)
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			switch {
			case tc.err == "" && err != nil:
				t.Errorf("error %v", err)
			case tc.err != "" && err == nil:
				t.Error("no error")
			case tc.err != "" && !strings.Contains(err.Error(), tc.err):
				t.Errorf("error is %q, want %q", err, tc.err)
			case err != nil && strings.Contains(err.Error(), "hunter2"):
				t.Errorf("the error tells the secret: %v", err)
			}
		})
	}
	if _, err := (Folders{Dir: filepath.Join(outer, "nope"), Bases: []string{filepath.Join(outer, "nope")}}).ReadSecret("token", ""); err == nil {
		t.Error("a base folder that is not there was read")
	}
}
