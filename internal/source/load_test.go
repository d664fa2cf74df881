package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// folder writes the files of an archive ("-- name --" before each) into a new
// folder. "link -> target" in a name makes a symbolic link.
func folder(t *testing.T, archive string) string {
	t.Helper()
	dir := realPath(t.TempDir())
	name, body := "", ""
	flush := func() {
		switch link, target, isLink := strings.Cut(name, " -> "); {
		case name == "":
		case isLink:
			symlink(t, target, filepath.Join(dir, link))
		default:
			write(t, filepath.Join(dir, name), body)
		}
	}
	for line := range strings.Lines(archive) {
		if head, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(head, " --") {
			flush()
			name, body = strings.TrimSuffix(head, " --"), ""
			continue
		}
		body += line
	}
	flush()
	return dir
}

func write(t testing.TB, path, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
}

func symlink(t *testing.T, target, link string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}

// plainRoot shows a document as plain data, expressions as text.
func plainRoot(v value.Value) any { return v.Plain(showExpr) }

func showExpr(_ value.Path, e *value.Expression) any {
	text := string(e.Op) + " " + e.Name + "#" + e.Field
	for _, p := range e.Parts {
		switch part := plainRoot(p).(type) {
		case string:
			text += "[" + part + "]"
		default:
			text += "[?]"
		}
	}
	if e.Args != nil {
		return map[string]any{text: plainRoot(*e.Args)}
	}
	return text
}

// loadOne loads one document that must be without fault.
func loadOne(t *testing.T, text string) value.Value {
	t.Helper()
	r, diags := load(context.Background(), Options{Files: []string{"-"}, WorkDir: t.TempDir(), Stdin: strings.NewReader(text)})
	if len(diags) > 0 {
		t.Fatalf("load: %v", diags)
	}
	if len(r.Documents) != 1 {
		t.Fatalf("got %d documents, want 1", len(r.Documents))
	}
	return r.Documents[0].Root
}

const tree = `
-- a.yaml --
portals: []
-- b.yml --
apis: []
---
teams: []
-- notes.txt --
not read
-- sub/c.yaml --
apis: []
-- sub/deep/d.yaml --
apis: []
-- .hidden/e.yaml --
apis: []
-- other/x.json --
{"apis": []}
-- one,two.yaml --
apis: []
`

func TestInputs(t *testing.T) {
	for _, tc := range []struct {
		name  string
		o     Options
		want  []string // file, with + for walked
		named []string
	}{
		{name: "nothing named reads the current folder with all below it", want: []string{"a.yaml+", "b.yml+", "b.yml+", "one,two.yaml+", "sub/c.yaml+", "sub/deep/d.yaml+"}},
		{name: "a file", o: Options{Files: []string{"a.yaml"}}, want: []string{"a.yaml"}, named: []string{"a.yaml"}},
		{name: "files in one value", o: Options{Files: []string{"sub/c.yaml, a.yaml"}}, want: []string{"a.yaml", "sub/c.yaml"}, named: []string{"a.yaml", "sub/c.yaml"}},
		{name: "a file with a comma in its name", o: Options{Files: []string{"one,two.yaml"}}, want: []string{"one,two.yaml"}, named: []string{"one,two.yaml"}},
		{name: "a file with any extension when named", o: Options{Files: []string{"other/x.json"}}, want: []string{"other/x.json"}, named: []string{"other/x.json"}},
		{name: "a folder by -f stays at its level", o: Options{Files: []string{"sub"}}, want: []string{"sub/c.yaml+"}},
		{name: "a folder by -f with -R", o: Options{Files: []string{"sub"}, Recursive: true}, want: []string{"sub/c.yaml+", "sub/deep/d.yaml+"}},
		{name: "a folder by --dir", o: Options{Dirs: []string{"sub"}}, want: []string{"sub/c.yaml+", "sub/deep/d.yaml+"}},
		{name: "a hidden folder when named", o: Options{Dirs: []string{".hidden"}}, want: []string{".hidden/e.yaml+"}},
		{name: "the same file twice is read once and counts as named", o: Options{Dirs: []string{"sub"}, Files: []string{"sub/c.yaml", "./sub/c.yaml"}}, want: []string{"sub/c.yaml", "sub/deep/d.yaml+"}, named: []string{"sub/c.yaml"}},
		{name: "the same folder twice", o: Options{Dirs: []string{"sub", "sub/deep"}}, want: []string{"sub/c.yaml+", "sub/deep/d.yaml+"}},
		{name: "standard input", o: Options{Files: []string{"-", "-"}, Stdin: strings.NewReader("apis: []")}, want: []string{"-"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.o.WorkDir = folder(t, tree)
			r, diags := load(context.Background(), tc.o)
			if len(diags) > 0 {
				t.Fatalf("load: %v", diags)
			}
			var got []string
			for _, d := range r.Documents {
				name := d.File
				if d.Walked {
					name += "+"
				}
				got = append(got, name)
				if d.Root.Kind() != value.Map {
					t.Errorf("%s: root is %v", d.File, d.Root.Kind())
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.named, r.Named); diff != "" {
				t.Errorf("named (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBaseFolder(t *testing.T) {
	outer := folder(t, "-- work/sub/a.yaml --\na: 1\n-- away/b.yaml --\nb: 1\n")
	work := filepath.Join(outer, "work")
	for _, tc := range []struct {
		name      string
		o         Options
		dir, base string
		file      string
	}{
		{"a file below the current folder", Options{Files: []string{"sub/a.yaml"}}, "work/sub", "work", "sub/a.yaml"},
		{"a file elsewhere", Options{Files: []string{"../away/b.yaml"}}, "away", "away", filepath.Join(outer, "away/b.yaml")},
		{"a folder", Options{Files: []string{"sub"}}, "work/sub", "work/sub", "sub/a.yaml"},
		{"a folder that holds the file deeper", Options{Dirs: []string{"."}}, "work/sub", "work", "sub/a.yaml"},
		{"a base folder named", Options{Files: []string{"sub"}, BaseDir: ".."}, "work/sub", "", "sub/a.yaml"},
		{"standard input", Options{Files: []string{"-"}, Stdin: strings.NewReader("a: 1")}, "work", "work", "-"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.o.WorkDir = work
			r, diags := load(context.Background(), tc.o)
			if len(diags) > 0 {
				t.Fatalf("load: %v", diags)
			}
			d := r.Documents[0]
			got := []string{d.File, d.Dir, d.Base}
			want := []string{tc.file, filepath.Join(outer, tc.dir), filepath.Join(outer, tc.base)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("file, dir, base (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOtherFilesInAFolder(t *testing.T) {
	for _, tc := range []struct {
		name, archive string
		want          []string
		skipped       []string
		warnings      []diag.Code
	}{
		{
			"a file that another names with !file", "-- a.yaml --\napis: [{spec: !file spec.yaml, v: !file ./other.yaml#info.version}]\n-- spec.yaml --\nopenapi: 3.0.0\n-- other.yaml --\ninfo: {version: 1}\n",
			[]string{"a.yaml"},
			[]string{"other.yaml: named by a.yaml [info]", "spec.yaml: named by a.yaml [openapi]"},
			nil,
		},
		{
			"a file named in a mapping, and one inside a secret", "-- a.yaml --\na: !file {path: b.yaml, extract: x}\nk: !secret {source: !file c.yaml}\n-- b.yaml --\nx: 1\n-- c.yaml --\ny: 1\n",
			[]string{"a.yaml"},
			[]string{"b.yaml: named by a.yaml [x]", "c.yaml: named by a.yaml [y]"},
			nil,
		},
		{
			"a named file may be malformed", "-- a.yaml --\na: !file b.yaml\n-- b.yaml --\nx: [\n",
			[]string{"a.yaml"},
			[]string{"b.yaml: named by a.yaml []"},
			nil,
		},
		{
			"decK files of a control plane", "-- a.yaml --\ncontrol_planes:\n- _deck: {files: [gw/deck.yaml]}\n- _external: {deck: {file: gw/more.yaml}}\n- _deck: {files: gw/one.yaml}\n-- gw/deck.yaml --\nservices: []\n-- gw/more.yaml --\nroutes: []\n-- gw/one.yaml --\nplugins: []\n",
			[]string{"a.yaml"},
			[]string{"gw/deck.yaml: named by a.yaml [services]", "gw/more.yaml: named by a.yaml [routes]", "gw/one.yaml: named by a.yaml [plugins]"},
			nil,
		},
		{
			"files of other tools",
			"-- a.yaml --\napis: []\n-- deck.yaml --\n_format_version: \"3.0\"\n-- kustomization.yaml --\nresources: []\n-- k/x.yaml --\nkind: Kustomization\n-- Chart.yaml --\nname: x\n-- values.yaml --\na: 1\n-- values-prod.yml --\na: 1\n-- templates/x.yaml --\na: {{ .Values.a }}\n",
			[]string{"a.yaml"},
			[]string{"Chart.yaml: Helm chart [name]", "deck.yaml: decK state [_format_version]", "k/x.yaml: Kustomization [kind]", "kustomization.yaml: Kustomization [resources]", "templates: templates of a Helm chart []", "templates/x.yaml: templates of a Helm chart [a]", "values-prod.yml: values of a Helm chart [a]", "values.yaml: values of a Helm chart [a]"},
			nil,
		},
		{
			"templates without a chart are a folder like others", "-- templates/x.yaml --\na: 1\n",
			[]string{"templates/x.yaml"},
			nil, nil,
		},
		{
			"a list", "-- a.yaml --\napis: []\n-- b.yaml --\n- x\n", []string{"a.yaml"}, []string{"b.yaml: not a mapping []"}, []diag.Code{diag.SrcNotAMapping},
		},
		{
			"empty files", "-- a.yaml --\napis: []\n-- b.yaml --\n-- c.yaml --\n# apis: [{name: x}]\n",
			[]string{"a.yaml"},
			[]string{"b.yaml: empty []", "c.yaml: empty []"},
			[]diag.Code{diag.SrcNothingFound, diag.SrcNothingFound},
		},
		{
			"keys that several documents have", "-- a.yaml --\napis: []\n-- values.yaml --\nteams: []\n---\nteams: []\n", []string{"a.yaml"}, []string{"values.yaml: values of a Helm chart [teams]"}, nil,
		},
		{
			"keys that are merged in", "-- a.yaml --\napis: []\n-- values.yaml --\nx: &x {teams: []}\n<<: [*x, {<<: *x, apis: []}]\n", []string{"a.yaml"}, []string{"values.yaml: values of a Helm chart [x teams apis]"}, nil,
		},
		{
			"empty documents of a file that has others", "-- a.yaml --\n---\n# Source: x\n---\napis: []\n---\n", []string{"a.yaml"}, nil, nil,
		},
		{
			"empty files of others", "-- a.yaml --\na: !file b.yaml\n-- b.yaml --\n-- .hidden.yaml --\n-- values.yaml --\n-- out/b.yaml --\n-- .kongctlignore --\nout/\n",
			[]string{"a.yaml"},
			[]string{"b.yaml: named by a.yaml []", "out: excluded by .kongctlignore []", "values.yaml: values of a Helm chart []"},
			nil,
		},
		{
			"files that name each other are both sources", "-- a.yaml --\na: !file b.yaml#b\nx: 1\n-- b.yaml --\nb: 2\nc: !file a.yaml#x\n", []string{"a.yaml", "b.yaml"}, nil, nil,
		},
		{
			"a file that names itself is a source", "-- a.yaml --\na: !file a.yaml#x\nx: 1\n", []string{"a.yaml"}, nil, nil,
		},
		{
			"what a file that is no source names is a source", "-- a.yaml --\na: !file b.yaml#b\n-- b.yaml --\nb: 2\nc: !file c.yaml\n-- c.yaml --\nx: 1\n",
			[]string{"a.yaml", "c.yaml"},
			[]string{"b.yaml: named by a.yaml [b c]"},
			nil,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, diags := load(context.Background(), Options{WorkDir: folder(t, tc.archive)})
			var docs, skipped []string
			var warnings []diag.Code
			for _, d := range r.Documents {
				docs = append(docs, d.File)
			}
			for _, s := range r.Skipped {
				skipped = append(skipped, s.File+": "+s.Why+" ["+strings.Join(s.Keys, " ")+"]")
			}
			for _, d := range diags {
				if d.Severity != diag.Warning {
					t.Errorf("not a warning: %v", d)
				}
				warnings = append(warnings, d.Code)
			}
			if diff := cmp.Diff([]any{tc.want, tc.skipped, tc.warnings}, []any{docs, skipped, warnings}); diff != "" {
				t.Errorf("documents, skipped, warnings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestInputsAreListedWithTheirDigest(t *testing.T) {
	work := folder(t, "-- a.yaml --\na: !file b.txt\nc: !file b.txt\ns: !secret {source: !file key.pem}\n-- b.txt --\nhello\n-- key.pem --\nsecret\n-- unused.txt --\nx\n-- deck.yaml --\n_format_version: '3.0'\n")
	r, diags := load(context.Background(), Options{WorkDir: work})
	if len(diags) > 0 {
		t.Fatalf("load: %v", diags)
	}
	var want []Input
	for _, name := range []string{"a.yaml", "b.txt"} {
		data, err := os.ReadFile(filepath.Join(work, name))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		want = append(want, Input{File: name, SHA256: hex.EncodeToString(sum[:])})
	}
	if diff := cmp.Diff(want, r.Inputs); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}

func TestACancelledRunReadsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, diags := load(ctx, Options{WorkDir: folder(t, "-- a.yaml --\na: 1\n")})
	if len(r.Documents) > 0 || !diags.HasErrors() {
		t.Errorf("got %d documents and %v", len(r.Documents), diags)
	}
}

func TestAWorkingFolderBehindALink(t *testing.T) {
	outer := folder(t, "-- real/a.yaml --\na: !file b.txt\n-- real/b.txt --\nx\n-- link -> real --\n")
	r, diags := load(context.Background(), Options{WorkDir: filepath.Join(outer, "link"), Files: []string{filepath.Join(outer, "real", "a.yaml")}})
	if len(diags) > 0 {
		t.Fatalf("load: %v", diags)
	}
	if got := r.Documents[0].File; got != "a.yaml" {
		t.Errorf("file is %q, want a.yaml", got)
	}
	if got := r.Inputs[1].File; got != "b.txt" {
		t.Errorf("input is %q, want b.txt", got)
	}
}
