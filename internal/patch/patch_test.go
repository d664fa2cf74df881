package patch_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/node"
	"github.com/kongctl/kongctl/internal/patch"
)

const file = `# ours
services:
- name: a # first
  url: http://a
  tags: [x]
- name: b
  url: !env URL
`

func apply(t *testing.T, text string, patches ...patch.Patch) (string, []string) {
	t.Helper()
	docs, err := node.Parse("kong.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	warnings, err := patch.Apply(docs, patches)
	if err != nil {
		t.Fatal(err)
	}
	out, err := node.YAML(docs)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, w := range warnings {
		said = append(said, string(w.Code)+" "+w.Pos.String()+" "+w.Detail)
	}
	return string(out), said
}

func TestFlags(t *testing.T) {
	for name, c := range map[string]struct {
		selectors, values []string
		want              string
		warns             []string
	}{
		"set a key that is there, and keep its comment": {
			[]string{"$.services[0]"},
			[]string{`name:"c"`},
			strings.Replace(file, "name: a", "name: c", 1), nil,
		},
		"add keys in the order of the flags": {
			[]string{"$.services[1]"},
			[]string{`z:1`, `y:{"b":"true","a":null}`, `z:2`},
			file + "  y:\n    b: \"true\"\n    a: null\n  z: 2\n", nil,
		},
		"remove a key": {
			[]string{"$..services[*]"},
			[]string{`url:`, `nothing: `},
			"# ours\nservices:\n- name: a # first\n  tags: [x]\n- name: b\n", nil,
		},
		"append to lists": {
			[]string{"$..tags"},
			[]string{`["z"]`, `[1]`},
			strings.Replace(file, "[x]", "[x, z, 1]", 1), nil,
		},
		"two selectors": {
			[]string{"$.services[0]", "$.services[1]"},
			[]string{`url:"u"`},
			strings.NewReplacer("http://a", "u", "!env URL", "u").Replace(file), nil,
		},
		"a selector without effect": {
			[]string{"$.nothing", "$..name"},
			[]string{`a:1`},
			file,
			[]string{"PATCH002  The selector $.nothing selects nothing.", "PATCH002  The selector $..name selects no mapping, whose keys could be changed."},
		},
		"a list for what is none": {
			[]string{"$"},
			[]string{`["a"]`},
			file,
			[]string{"PATCH002  The selector $ selects no list, which could be appended to."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := patch.FromFlags(c.selectors, c.values)
			if err != nil {
				t.Fatal(err)
			}
			got, warns := apply(t, file, p)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.warns, warns); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFlagsRefuse(t *testing.T) {
	for name, c := range map[string]struct{ selector, value, more, want string }{
		"no path":            {"services", "a:1", "", "--selector"},
		"no key":             {"$", "1", "", "KEY:JSON"},
		"an empty key":       {"$", ":1", "", "KEY:JSON"},
		"text without quote": {"$", "a:s3cret", "", `--value 'a:"text"'`},
		"no list":            {"$", "[s3cret]", "", "not JSON"},
		"both":               {"$", "a:1", `["x"]`, "use one of them"},
		"set and removed":    {"$", "a:1", "a:", "set and removed"},
	} {
		t.Run(name, func(t *testing.T) {
			values := []string{c.value}
			if c.more != "" {
				values = append(values, c.more)
			}
			_, err := patch.FromFlags([]string{c.selector}, values)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

func TestFile(t *testing.T) {
	patches, err := patch.Read("p.yaml", []byte(`_format_version: "1.0"
_comment: ours
patches:
- values: {_info: {tags: [t]}}
- selectors: ["$.services[*]"]
  values: {url: !ref here#url}
  remove: [tags]
- selectors: ["$..tags"]
  values: [u]
- selectors: ["$.gone"]
  remove: [x]
`))
	if err != nil {
		t.Fatal(err)
	}
	got, warns := apply(t, file, patches...)
	want := "# ours\nservices:\n- name: a # first\n  url: !ref here#url\n- name: b\n  url: !ref here#url\n_info: {tags: [t, u]}\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"PATCH002 p.yaml:10:15 The selector $.gone selects nothing."}, warns); diff != "" {
		t.Error(diff)
	}
}

// TestTargetsAreApart asserts that two places with one value do not share it.
func TestTargetsAreApart(t *testing.T) {
	patches, err := patch.Read("p.yaml", []byte("patches:\n- selectors: [\"$.services[*]\"]\n  values: {tags: [n]}\n- selectors: [\"$.services[0].tags\"]\n  values: [m]\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := apply(t, "services:\n- name: a\n- name: b\n", patches...)
	if want := "services:\n- name: a\n  tags: [n, m]\n- name: b\n  tags: [n]\n"; got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestFileRefuses(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"not YAML":              {"patches: [", "SRC002"},
		"no list":               {"patches: 1\n", "no list of patches"},
		"no patches":            {"_format_version: \"1.0\"\n", "no list of patches"},
		"a list":                {"- a\n", "p.yaml:1:1"},
		"an unknown key":        {"patches:\n- selector: $\n  values: {}\n", "p.yaml:2:3"},
		"an unknown root key":   {"patch:\n- values: {}\n", `"patch" is not known`},
		"a patch that is text":  {"patches: [a]\n", "not a mapping"},
		"a wrong path":          {"patches:\n- selectors: [\"$..[\"]\n  values: {}\n", "p.yaml:2:15"},
		"selectors of numbers":  {"patches: [{selectors: [1], values: {}}]\n", "not a text"},
		"one selector":          {"patches: [{selectors: $, values: {}}]\n", "not a list"},
		"no selectors":          {"patches: [{selectors: [], values: {a: 1}}]\n", "list of selectors is empty"},
		"values of no kind":     {"patches: [{values: 1}]\n", "neither a mapping nor a list"},
		"remove without a list": {"patches: [{remove: a}]\n", `"remove" is not a list`},
		"set and removed":       {"patches: [{values: {a: 1}, remove: [a]}]\n", "set and removed"},
		"a list and remove":     {"patches: [{values: [a], remove: [a]}]\n", "two patches"},
		"nothing to do":         {"patches: [{selectors: [\"$\"]}]\n", "changes nothing"},
		"two documents":         {"patches: []\n---\npatches: []\n", "more than one document"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := patch.Read("p.yaml", []byte(c.in))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if name != "not YAML" && err != nil && !strings.Contains(err.Error(), "PATCH001") {
				t.Errorf("error %v", err)
			}
		})
	}
}
