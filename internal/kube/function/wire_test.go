package function

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsWrittenMeansTheSame(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nulls in braces":                        {"spec: {x: , y, z: ''}\n", "spec: {x: null, y: null, z: ''}\n"},
		"nulls in brackets":                      {"spec: [{x: }, ~]\n", "spec: [{x: null}, ~]\n"},
		"nulls in a block":                       {"spec:\n  x:\n  y: # why\n  z: [a]\n", "spec:\n  x:\n  y: # why\n  z: [a]\n"},
		"nulls in a list":                        {"spec:\n-\n- x\n", "spec:\n-\n- x\n"},
		"a key that is null":                     {"spec:\n  ? \n  : x\n", "spec:\n  null: x\n"},
		"nulls of an anchor, used in braces":     {"a: &a\n  x:\nb: {c: *a}\n", "a: &a\n  x:\nb: {c: *a}\n"},
		"a folded text":                          {"spec: >-\n  x\n  y\n", "spec: >-\n  x y\n"},
		"a folded text with lines further right": {"spec: >-\n  x\n   y\n", "spec: |-\n  x\n   y\n"},
		"a literal text that begins with blanks": {"spec: |2\n   x\n  y\n", "spec: |2\n   x\n  y\n"},
		"tags":                                   {"spec: !ref cp#id\nmore: !ref {to: x}\n", "spec: !ref cp#id\nmore: !ref {to: x}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			nodes, err := decode([]byte(mapA + c.text))
			if err != nil {
				t.Fatal(err)
			}
			got, err := (&Item{node: nodes[0].Content[0]}).encode()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(mapA+c.want, string(got)); diff != "" {
				t.Error(diff)
			}
			// A list is read back as the same object.
			p, err := Read(strings.NewReader(mapA+c.text), "input")
			if err != nil {
				t.Fatal(err)
			}
			var list bytes.Buffer
			if err := p.WriteList(&list); err != nil {
				t.Fatal(err)
			}
			back, err := Read(&list, "list")
			if err != nil {
				t.Fatal(err)
			}
			if !same(plain(nodes[0].Content[0]), back.items[0].node) {
				t.Errorf("the list does not mean the same: %s", list.String())
			}
		})
	}
}

// A null of a function that goes into braces stays one.
func TestANullOfAFunction(t *testing.T) {
	n, _ := merge(node(t, "a: {b: c}\n"), node(t, "a:\n  b:\n  d:\n"))
	got, err := encode(n, false)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("a: {b: null, d: null}\n", string(got)); diff != "" {
		t.Error(diff)
	}
}

// A function gets objects with nulls in braces, and changes nothing.
func TestAFunctionThatGetsNulls(t *testing.T) {
	text := configA + "spec: {x: , y}\nmore: >-\n  x\n   y\n"
	dir := folder(t, map[string]string{"a.yaml": text})
	p, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, f := runner(t, "none")
	if o := p.Eval(t.Context(), r, f); o.Err != nil || o.Changed != 0 {
		t.Fatalf("%+v", o)
	}
	r, f = runner(t, "replace:name: a=>name: b")
	if o := p.Eval(t.Context(), r, f); o.Err != nil || o.Changed != 1 {
		t.Fatalf("%+v", o)
	}
	if _, err := p.WriteBack(); err != nil {
		t.Fatal(err)
	}
	want := configB + "spec: {x: null, y: null}\nmore: |-\n  x\n   y\n"
	if diff := cmp.Diff(want, content(t, dir.Path)["a.yaml"]); diff != "" {
		t.Error(diff)
	}
}

func TestObjectsThatCannotBeWritten(t *testing.T) {
	dir := folder(t, map[string]string{"a.yaml": configA + "---\n" + configB + "? [x]\n: y\n"})
	p, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = p.WriteList(&bytes.Buffer{})
	if err == nil || err.Error() != "ConfigMap b (a.yaml, line 6) cannot be written without changing it; keys must be strings" {
		t.Error(err)
	}
}
