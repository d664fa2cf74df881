package function

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
)

func node(t *testing.T, text string) *yaml.Node {
	t.Helper()
	nodes, err := decode([]byte(text))
	if err != nil || len(nodes) != 1 {
		t.Fatalf("%d documents, %v: %s", len(nodes), err, text)
	}
	return plain(nodes[0].Content[0])
}

func TestMerge(t *testing.T) {
	for name, c := range map[string]struct {
		base, got, want string
		unchanged       bool
	}{
		"nothing changed": {base: "a: 1 # one\nb: 'x'\n", got: "a: 1 # one\nb: 'x'\n", want: "a: 1 # one\nb: 'x'\n", unchanged: true},
		"comments, quotes and order are gone": {
			base: "# up\nb: 'x' # line\na:\n- 1\n", got: "{a: [1], b: x}", want: "# up\nb: 'x' # line\na:\n- 1\n", unchanged: true,
		},
		"a value changes and keeps its comment":                      {base: "a: 1 # one\n", got: "a: 2\n", want: "a: 2 # one\n"},
		"a string keeps its quotes":                                  {base: "a: 'x'\n", got: "a: y\n", want: "a: 'y'\n"},
		"a plain string that would be read as a boolean gets quotes": {base: "a: x\n", got: "a: \"yes\"\n", want: "a: \"yes\"\n"},
		"a string becomes a number":                                  {base: "a: '1'\n", got: "a: 1\n", want: "a: 1\n"},
		"a function changes a comment":                               {base: "a: 1 # one\n", got: "a: 1 # uno\n", want: "a: 1 # uno\n"},
		"a function adds a comment":                                  {base: "a: 1\n", got: "a: 1 # new\n", want: "a: 1 # new\n"},
		"a comment moves":                                            {base: "a: 1\n# below\n\nc: 2\n", got: "a: 1\nb: 3\n# below\n\nc: 2\n", want: "a: 1\nc: 2\nb: 3\n# below\n"},
		"new keys come last":                                         {base: "c: 1\na: 2\n", got: "a: 2\nb: 3\nc: 1\n", want: "c: 1\na: 2\nb: 3\n"},
		"a key is gone":                                              {base: "a: 1\nb: 2 # two\n", got: "a: 1\n", want: "a: 1\n"},
		"an empty mapping grows":                                     {base: "a: {}\n", got: "a: {b: c}\n", want: "a:\n  b: c\n"},
		"a scalar becomes a list":                                    {base: "a: 1 # one\n", got: "a:\n- 1\n", want: "a:\n- 1\n"},
		"elements are known by their name": {
			base: "- name: a # A\n- name: b # B\n", got: "- name: b\n- name: c\n- name: a\n", want: "- name: b # B\n- name: c\n- name: a # A\n",
		},
		"elements without a name keep their place": {base: "- x # X\n- y # Y\n", got: "- x\n- z\n", want: "- x # X\n- z # Y\n"},
		"an element goes":                          {base: "- x # X\n- y # Y\n- z # Z\n", got: "- x\n- z\n", want: "- x # X\n- z # Z\n"},
		"aliases and merge keys are written out": {
			base: "a: &x {k: 1}\nb: *x\nc:\n  <<: *x\n  l: 2\n", got: "a: {k: 1}\nb: {k: 1}\nc: {k: 1, l: 2}\n", want: "a: {k: 1}\nb: {k: 1}\nc:\n  l: 2\n  k: 1\n", unchanged: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, changed := merge(node(t, c.base), node(t, c.got))
			out, err := encode(got, false)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(out)); diff != "" {
				t.Error(diff)
			}
			if changed == c.unchanged {
				t.Errorf("changed: %v", changed)
			}
		})
	}
}

func TestTidy(t *testing.T) {
	n := node(t, `{"a": "x", "b": "8080", "c": 80, "d": "on", "e": [], "f": ["1.5", "v1"], "g": "two\nlines"}`)
	tidy(n)
	out, err := encode(n, false)
	if err != nil {
		t.Fatal(err)
	}
	want := "a: x\nb: \"8080\"\nc: 80\nd: \"on\"\ne: []\nf:\n- \"1.5\"\n- v1\ng: |-\n  two\n  lines\n"
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Error(diff)
	}
}
