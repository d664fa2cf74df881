package function

import (
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
)

// again parses a file and composes it of all its objects.
func again(t *testing.T, name, data string, change func(*Item) bool) (string, bool) {
	t.Helper()
	f, problems := parse(name, name, []byte(data))
	var items []*Item
	for _, d := range f.documents {
		if d.root != nil {
			problems = append(problems, d.classify(path.Base(name), name)...)
		}
		if d.kind == objectDocument {
			if item := d.item(name); change == nil || change(item) {
				items = append(items, item)
			}
		}
	}
	if problems.HasErrors() {
		return "", false
	}
	out, err := f.compose(items)
	if err != nil {
		t.Fatal(err)
	}
	if out.Remove {
		return "", false
	}
	return string(out.Data), true
}

const (
	mapA  = "apiVersion: v1\nkind: A\n"
	mapB  = "apiVersion: v1\nkind: B\n"
	group = "apiVersion: kpt.dev/v1alpha1\nkind:  ResourceGroup\n"
)

func TestUnchangedFiles(t *testing.T) {
	for name, data := range map[string]string{
		"one object":                   mapA,
		"no line end":                  "apiVersion: v1\nkind: A",
		"three documents":              mapA + "---\n" + group + "---\n" + mapB,
		"a separator first":            "---\n" + mapA,
		"separators around nothing":    "---\n---\n" + mapA + "---\n---\n",
		"comments between documents":   "# a\n---\n# b\n" + mapA + "---\n# c\n",
		"content behind a separator":   "--- {apiVersion: v1, kind: A}\n--- # comment\n" + mapB,
		"Windows line ends":            "apiVersion: v1\r\nkind: A\r\n---\r\napiVersion: v1\r\nkind: B\r\n",
		"a byte order mark":            "\ufeff" + mapA,
		"directives":                   "%YAML 1.1\n---\n" + mapA,
		"an end marker":                mapA + "...\n---\n" + mapB,
		"dashes in a text":             mapA + "data: |\n  ---\n  x\n--- \n" + mapB,
		"a separator with blanks":      mapA + "---  \t\n" + mapB,
		"an empty file":                "",
		"dashes that separate nothing": "apiVersion: v1\nkind: A\n---x: 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := again(t, "a.yaml", data, nil)
			if !ok {
				t.Fatal("the file cannot be read")
			}
			if diff := cmp.Diff(data, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAliasesThatRepeatTooMuch(t *testing.T) {
	for name, data := range map[string]string{
		"an anchor that holds itself": mapA + "x: &x [*x]\n",
		"a few lines for billions": mapA + "a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n" +
			"d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]\n",
	} {
		_, problems := parse("a.yaml", "a.yaml", []byte(data))
		if len(problems) != 1 || problems[0].Code != diag.SrcTooManyNodes {
			t.Errorf("%s: %v", name, problems)
		}
	}
	if _, ok := again(t, "a.yaml", mapA+"x: &x [1]\ny: *x\nz: *x\n", nil); !ok {
		t.Error("aliases are refused")
	}
}

func FuzzUnchangedFiles(f *testing.F) {
	for _, seed := range []string{mapA, mapA + "---\n" + group, "--- {apiVersion: v1, kind: A}\n", "\ufeff%YAML 1.1\n--- # x\r\n" + mapA + "...\n", "---\n---\n#\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		if got, ok := again(t, "a.yaml", data, nil); ok && got != data {
			t.Errorf("%q became %q", data, got)
		}
	})
}

func TestChangedFiles(t *testing.T) {
	drop := func(kind string) func(*Item) bool {
		return func(i *Item) bool { return idOf(i.node).Kind != kind }
	}
	touch := func(kind string) func(*Item) bool {
		return func(i *Item) bool {
			i.changed = idOf(i.node).Kind == kind
			return true
		}
	}
	for name, c := range map[string]struct {
		data, want string
		change     func(*Item) bool
	}{
		"the first goes":                    {mapA + "---\n" + group + "---\n" + mapB, group + "---\n" + mapB, drop("A")},
		"the last goes":                     {mapA + "---\n" + group + "---\n" + mapB, mapA + "---\n" + group, drop("B")},
		"the first goes, a separator first": {"---\n" + mapA + "---\n" + mapB, "---\n" + mapB, drop("A")},
		"one is written again":              {"# top\n\n" + "apiVersion:   v1\nkind: A\n---\n" + group, "# top\n\n" + mapA + "---\n" + group, touch("A")},
		"one with Windows line ends":        {"# top\r\napiVersion:  v1\r\nkind: A\r\n---\r\nkind:  B\r\napiVersion: v1\r\n", "# top\r\napiVersion: v1\r\nkind: A\r\n---\r\nkind:  B\r\napiVersion: v1\r\n", touch("A")},
		"one behind a separator":            {mapB + "--- {apiVersion: v1,   kind: A}", mapB + "---\n{apiVersion: v1, kind: A}\n", touch("A")},
		"no line end before the next":       {"--- {apiVersion: v1, kind: B}\n---\nkind:   A\napiVersion: v1", "--- {apiVersion: v1, kind: B}\n---\nkind: A\napiVersion: v1\n", touch("A")},
		"a comment below":                   {mapA + "x: [1,2]\n# below\n", mapA + "x: [1, 2]\n# below\n", touch("A")},
		"directives stay":                   {"%YAML 1.1\n---\nkind:  A\napiVersion: v1\n", "%YAML 1.1\n---\nkind: A\napiVersion: v1\n", touch("A")},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := again(t, "a.yaml", c.data, c.change)
			if !ok {
				t.Fatal("the file cannot be read, or is gone")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, left := again(t, "a.yaml", "# only a comment is left\n"+mapA, drop("A")); left {
		t.Error("a file without objects is not removed")
	}
}
