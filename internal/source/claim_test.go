package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// load loads with a claim like decK's, which owns no documents.
func load(ctx context.Context, o Options) (*Result, diag.List) {
	o.Claims = append(o.Claims, Claim{
		Files: []string{"_deck.files", "_external.deck.file"}, Several: []string{"_deck.files"}, Unread: []string{"_deck.state"}, FileWords: "decK file", Credentials: "DECK_KONNECT_",
		Foreign: Foreign{Key: "_format_version", Words: "decK state", Code: diag.SrcDeckFile, Fix: "name it in `_deck.files` or `_external.deck.file` of a control plane."},
	})
	return Load(ctx, o)
}

// deckFiles renders what was read for the names of decK files.
func deckFiles(r *Result) []string {
	var out []string
	for _, d := range r.Documents {
		for pos, named := range d.Files {
			for _, f := range named.Files {
				out = append(out, fmt.Sprintf("%s %s %q", pos, f.Name, f.Content))
			}
		}
	}
	slices.Sort(out)
	return out
}

func TestDeckFilesAreRead(t *testing.T) {
	for _, tc := range []struct {
		name, archive string
		want          []string
		inputs        string
	}{
		{
			"a list, and one for several",
			"-- a.yaml --\na:\n- _deck: {files: [gw/one.yaml, ./gw/two.yaml]}\n- _deck: {files: gw/one.yaml}\n-- gw/one.yaml --\n1\n-- gw/two.yaml --\n2\n",
			[]string{`a.yaml:2:19 gw/one.yaml "1\n"`, `a.yaml:2:32 gw/two.yaml "2\n"`, `a.yaml:3:18 gw/one.yaml "1\n"`},
			"a.yaml gw/one.yaml gw/two.yaml",
		},
		{
			"relative to the file that names it",
			"-- sub/a.yaml --\na: [{_external: {deck: {file: ../gw.yaml, service: gw.yaml}}}]\n-- gw.yaml --\nx\n",
			[]string{`sub/a.yaml:1:31 gw.yaml "x\n"`},
			"gw.yaml sub/a.yaml",
		},
		{
			"through aliases and merges",
			"-- a.yaml --\na: [&b {_deck: &d {files: &f [gw.yaml]}}, {<<: *b}, {_deck: *d}, {_deck: {files: *f}}]\n-- gw.yaml --\nx\n",
			[]string{`a.yaml:1:31 gw.yaml "x\n"`},
			"a.yaml gw.yaml",
		},
		{
			"keys of that name elsewhere name no files",
			"-- a.yaml --\na: {deck: {file: b.yaml}, files: [c.yaml], _deck: {state: {files: [d.yaml], _deck: {files: [e.yaml]}}}}\n",
			nil,
			"a.yaml",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, diags := load(context.Background(), Options{WorkDir: folder(t, tc.archive)})
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			var inputs []string
			for _, in := range r.Inputs {
				inputs = append(inputs, in.File)
			}
			if diff := cmp.Diff(tc.want, deckFiles(r)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if got := strings.Join(inputs, " "); got != tc.inputs {
				t.Errorf("inputs %s, want %s", got, tc.inputs)
			}
		})
	}
}

// TestFilesOfDecksState: they may be secret, so nothing of them is read; an
// anchor means what it means where it is used.
func TestFilesOfDecksState(t *testing.T) {
	work := folder(t, "-- sub/a.yaml --\na:\n- _deck: {state: &s {cert: &c !file ../c.pem, keys: [!file {path: k.json, extract: a.b}]}}\n- text: *c\n- _deck: {state: *s}\n-- c.pem --\nhello\n-- sub/k.json --\n{}\n")
	r, diags := load(context.Background(), Options{WorkDir: work})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	state := map[string]any{"cert": "file c.pem#", "keys": []any{"file sub/k.json#a.b"}}
	want := map[string]any{"a": []any{
		map[string]any{"_deck": map[string]any{"state": state}},
		map[string]any{"text": "hello\n"},
		map[string]any{"_deck": map[string]any{"state": state}},
	}}
	if diff := cmp.Diff(any(want), plainRoot(r.Documents[0].Root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDeckFilesThatCannotBeRead(t *testing.T) {
	work := folder(t, "-- in/a.yaml --\na:\n- _deck: {files: [none.yaml, ../out.yaml, big.yaml, ., 'https://example.com/x.yaml', '']}\n- _external: {deck: {file: none.yaml}}\n- _deck: {state: {cert: !file none.pem}}\n- _external: {deck: {file: .}}\n- _external: {deck: {file: '*.yaml'}}\n-- out.yaml --\nx\n-- in/big.yaml --\n")
	if err := os.Truncate(filepath.Join(work, "in", "big.yaml"), maxFileSize+1); err != nil {
		t.Fatal(err)
	}
	r, diags := load(context.Background(), Options{WorkDir: work, Files: []string{"in/a.yaml"}, BaseDir: "in"})
	var got []string
	for _, d := range diags {
		got = append(got, fmt.Sprintf("%s %s", d.Code, d.Pos))
	}
	want := []string{
		"SRC009 in/a.yaml:2:19", "SRC006 in/a.yaml:2:30", "SRC004 in/a.yaml:2:43", "SRC004 in/a.yaml:2:53",
		"SRC009 in/a.yaml:2:56", "SRC009 in/a.yaml:3:28", "SRC009 in/a.yaml:4:25", "SRC008 in/a.yaml:5:28", "SRC009 in/a.yaml:6:28",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	files := r.Documents[0].Root.Lookup(value.ParsePath("a[0]._deck.files")).Items()
	for i, f := range files[:5] {
		if e := f.Expr(); e == nil || e.Op != value.OpNone {
			t.Errorf("file %d is %v, though its problem was told", i, f)
		}
	}
	if len(deckFiles(r)) > 0 {
		t.Errorf("read %v", deckFiles(r))
	}
}

// TestDocumentsOfAClaim: they carry its name, its keys mean something in them
// alone, and one that another document names is still a document.
func TestDocumentsOfAClaim(t *testing.T) {
	const archive = `-- a.yaml --
apis: [{text: !file k.yaml, data: !file secret.txt, from: {path: none.yaml}}]
---
apiVersion: v1
kind: Secret
data: {a: !file secret.txt, _deck: {state: x}}
from: {path: gw.yaml}
_deck: {files: none.yaml}
-- k.yaml --
apiVersion: v1
kind: Pod
-- kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
-- gw.yaml --
a: 1
-- secret.txt --
hello
`
	kube := Claim{Name: "kube", Own: []string{"apiVersion", "kind"}, Files: []string{"from.path"}, Unread: []string{"data"}, FileWords: "manifest"}
	r, diags := load(context.Background(), Options{
		WorkDir: folder(t, archive), Files: []string{"a.yaml", "k.yaml", "gw.yaml"},
		Claims: []Claim{kube}, Declares: func(key string) bool { return key == "apis" },
	})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	var got []string
	for _, d := range r.Documents {
		got = append(got, d.File+" "+d.Claim)
	}
	if diff := cmp.Diff([]string{"a.yaml ", "a.yaml kube", "k.yaml kube"}, got); diff != "" {
		t.Fatalf("documents (-want +got):\n%s", diff)
	}
	if free, owned := r.Of(""), r.Of("kube"); len(free) != 1 || len(owned) != 2 {
		t.Errorf("%d documents without a claim and %d with it, want 1 and 2", len(free), len(owned))
	}
	want := map[string]any{
		"apiVersion": "v1", "kind": "Secret", "from": map[string]any{"path": "gw.yaml"}, "_deck": map[string]any{"files": "none.yaml"},
		"data": map[string]any{"a": "file secret.txt#", "_deck": map[string]any{"state": "x"}},
	}
	if diff := cmp.Diff(any(want), plainRoot(r.Documents[1].Root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`a.yaml:6:14 gw.yaml "a: 1\n"`}, deckFiles(r)[:1]); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if text, _ := r.Documents[0].Root.Lookup(value.ParsePath("apis[0].data")).Text(); text != "hello\n" {
		t.Errorf("data of a document that the claim does not own is %q", text)
	}
}
