package source

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/kongctl/kongctl/internal/value"
)

// FuzzLoad holds that no input makes Load panic or run on, and that every
// document is a mapping whose nodes have positions.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"", "a: 1\n", "a: [1, {b: c}]\n---\nd: ~\n", "\ufeffa: x\r\n", "\xff\xfe", "a:\n\tb: 1\n", "a: [\n", "{a: 1}}", "? [a]\n: 1\n", "a: |\n  x\n # c\n",
		"a: &x {b: 1}\nc: {<<: *x}\n", "a: &x [*x]\n", "a: &x {<<: *x}\n", "a: {<<: [*y]}\n", bomb(4),
		"a: !ref x#y\n", "a: !env {var: X, extract: y}\n", "a: !file a.txt\nb: !file b.yaml#x.y\n", "a: !secret {parts: [x, !env Y, !file a.txt]}\n", "a: !lookup {name: !env X}\n", "a: !external name:x\n",
		"a: .inf\nb: 0x1F\nc: 0o7\nd: +1.e5\n", "a: !!int x\n", "_format_version: x\n", "apiVersion: v1\nkind: x\n", "%YAML 1.2\n---\na: 1\n", "- a\n", "!file x\n", "<<: 1\n<<: 2\n", "a: !file {path: *x}\n", "&a a: *a\n",
	} {
		f.Add([]byte(seed))
	}
	work := f.TempDir()
	write(f, filepath.Join(work, "a.txt"), "text")
	write(f, filepath.Join(work, "b.yaml"), "x: &x {y: [1, *x]}\n")
	f.Fuzz(func(t *testing.T, data []byte) {
		r, diags := load(context.Background(), Options{Files: []string{"-"}, WorkDir: work, Stdin: bytes.NewReader(data)})
		if len(r.Documents) == 0 && !diags.HasErrors() {
			t.Error("neither a document nor an error")
		}
		for _, d := range r.Documents {
			if d.Root.Kind() != value.Map {
				t.Errorf("root is %v", d.Root.Kind())
			}
			d.Root.Walk(func(p value.Path, v value.Value) bool {
				if v.Pos().Line == 0 || v.Pos().Column == 0 {
					t.Errorf("%s has no position", p)
				}
				return true
			})
		}
		for _, d := range diags {
			if d.Detail == "" || d.Summary == "" {
				t.Errorf("an empty diagnostic: %+v", d)
			}
		}
	})
}
