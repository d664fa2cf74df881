package node_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/node"
)

// TestRoundTrip asserts that what nobody changed is written as it was read.
func TestRoundTrip(t *testing.T) {
	for name, text := range map[string]string{
		"comments and tags":  "# head\na: !ref x#id # why\nb: !file {path: c.md}\n# foot\n",
		"lists at their key": "a:\n- b: 1\n  c:\n  - d\n",
		"indented lists":     "a:\n  - b: 1\n    c:\n      - d\n",
		"four columns":       "a:\n    b:\n        c: 1\n",
		"documents":          "a: 1\n---\nb: \"2\"\n",
		"anchors unused":     "a: &x 1\n",
		"quotes and blocks":  "a: 'x'\nb: |\n  text\n  more\nc: \"\\u00e9\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			docs, err := node.Parse("a.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			got, err := node.YAML(docs)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(text, `\u00e9`, "é"), string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWritten(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"aliases are written out":  {"a: &x {b: 1}\nc: *x\n", "a: {b: 1}\nc: {b: 1}\n"},
		"merges, own keys first":   {"a: &x\n  b: 1\n  c: 2\nd:\n  <<: *x\n  c: 3\n", "a:\n  b: 1\n  c: 2\nd:\n  c: 3\n  b: 1\n"},
		"several merges":           {"a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n  <<: [*x, *y]\n", "a: {b: 1}\nc: {b: 2, d: 3}\ne:\n  b: 1\n  d: 3\n"},
		"JSON looks like YAML":     {`{"a": [{"b": "5", "c": "on", "d": "text", "e": true}]}`, "a:\n  - b: \"5\"\n    c: \"on\"\n    d: text\n    e: true\n"},
		"an alias of a merged one": {"a: &x {b: 1}\nc: &y\n  <<: *x\nd: *y\n", "a: {b: 1}\nc:\n  b: 1\nd:\n  b: 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			docs, err := node.Parse("a.yaml", []byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			got, err := node.YAML(docs)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	bomb := "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n"
	for i := 1; i < 8; i++ {
		prev, this := string(rune('0'+i-1)), string(rune('0'+i))
		bomb += "a" + this + ": &a" + this + " [" + strings.TrimSuffix(strings.Repeat("*a"+prev+",", 10), ",") + "]\n"
	}
	for name, c := range map[string]struct{ in, want string }{
		"syntax":                   {"a: [\n", "SRC002"},
		"a key twice":              {"a: 1\nb: {c: 1, c: 2}\n", "a.yaml:2:11"},
		"an alias inside itself":   {"a: &x [*x]\n", "SRC018"},
		"an alias inside a merge":  {"a: &x\n  <<: *x\n", "SRC018"},
		"nothing":                  {"# only\n", "SRC015"},
		"aliases that grow":        {bomb, "SRC005"},
		"what is not text":         {"a: \x01\n", "a.yaml:1:4"},
		"an alias of no anchor":    {"a: *x\n", "SRC002"},
		"a document that is wrong": {"a: 1\n---\n]\n", "SRC002"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := node.Parse("a.yaml", []byte(c.in))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

const services = `services:
- name: a
  read-timeout: 5
  routes: [{name: r}]
- name: b
  routes: []
x: !ref services
`

func TestSelect(t *testing.T) {
	docs, err := node.Parse("a.yaml", []byte(services))
	if err != nil {
		t.Fatal(err)
	}
	tree := node.NewTree(docs[0], "$")
	for path, want := range map[string][]string{
		"$":                              {"$"},
		"$.services[*].name":             {"$.services[0].name", "$.services[1].name"},
		"$..name":                        {"$.services[0].name", "$.services[0].routes[0].name", "$.services[1].name"},
		"$.services[?(@.name=='b')]":     {"$.services[1]"},
		"$.services[?@.name=='b'].name":  {"$.services[1].name"},
		"$.services[-1:].name":           {"$.services[1].name"},
		"$.services[0]['read-timeout']":  {"$.services[0]['read-timeout']"},
		"$.services[0]['read-timeout']~": {"$.services[0]['read-timeout']~"},
		"$.x":                            {"$.x"},
		"$.nothing":                      nil,
	} {
		t.Run(path, func(t *testing.T) {
			p, err := node.Compile(path)
			if err != nil {
				t.Fatal(err)
			}
			found, err := tree.Select(p)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range found {
				got = append(got, f.Path)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			for _, f := range found { // the path of what is found selects it alone
				again, err := node.Compile(f.Path)
				if err != nil {
					t.Fatal(err)
				}
				if one, err := tree.Select(again); err != nil || len(one) != 1 || one[0].Node != f.Node {
					t.Errorf("%s selects %v, %v", f.Path, one, err)
				}
			}
		})
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, path := range []string{"", "services", "$..[", "$.a[?(@.b =~ /x/)]", "$.a[", "$['a", "$.a[?]", "$.a.", "$[?length(@)]", "$[?match(@.a)]"} {
		p, err := node.Compile(path)
		if err == nil {
			docs, _ := node.Parse("a.yaml", []byte(services))
			_, err = node.NewTree(docs[0], "$").Select(p) // it must not panic
			t.Logf("%s: compiled, %v", path, err)
			continue
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q has several lines", path, err)
		}
	}
}

func TestJSON(t *testing.T) {
	docs, err := node.Parse("a.yaml", []byte("b: {c: 0x10, d: ~}\na: [1.50, \"<x>\", yes, true]\n\"\\\"\": 1e3\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := node.JSON("a.yaml", docs[0])
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"b\": {\n    \"c\": 16,\n    \"d\": null\n  },\n  \"a\": [\n    1.50,\n    \"<x>\",\n    \"yes\",\n    true\n  ],\n  \"\\\"\": 1e3\n}\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{"a: !ref x\n": "a.yaml:1:4", "a: .inf\n": "SRC018"} {
		docs, err := node.Parse("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := node.JSON("a.yaml", docs[0]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

func TestFromJSON(t *testing.T) {
	for _, text := range []string{`{"a":[1,2.5,"x",true,null,{"b":{}}]}`, `"no"`, `"😀"`, `12345678901234567890`, `"\ud83d\ude00"`} {
		n, err := node.FromJSON(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if n.Kind == 0 {
			t.Errorf("%s: no kind", text)
		}
	}
	for _, text := range []string{``, `x`, `{"a"}`, `[1`, `1 2`, `{"a":1,"a":2}`, `{a: 1}`, `'x'`} {
		if _, err := node.FromJSON(text); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

// The line breaks of a file stay.
func TestBreakLines(t *testing.T) {
	for name, c := range map[string]struct{ like, want string }{
		"LF":            {"a: 1\nb: 2\r\n", "x: 1\ny: 2\n"},
		"CRLF":          {"a: 1\r\nb: 2\n", "x: 1\r\ny: 2\r\n"},
		"one line":      {"a: 1", "x: 1\ny: 2\n"},
		"a bare return": {"a: 1\r", "x: 1\ny: 2\n"},
	} {
		if got := string(node.BreakLines([]byte("x: 1\ny: 2\n"), []byte(c.like))); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
