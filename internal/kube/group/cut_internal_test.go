package group

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/source"
)

const section = "inventory:\n  name: a\n  namespace: b\n  inventoryID: c\n"

const inventoryOnly = "apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: a\n  namespace: b\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: c\n"

// moved cuts and formats what was cut.
func moved(t *testing.T, kptfile string) (rest, group string, err error) {
	t.Helper()
	docs, diags := source.Parse("Kptfile", []byte(kptfile))
	if diags.HasErrors() || len(docs) != 1 {
		t.Fatalf("%d documents: %v", len(docs), diags.Err())
	}
	left, inventory, err := cut([]byte(kptfile), docs[0])
	if err != nil {
		return "", "", err
	}
	file, _, diags := FromKptfile(docs[0])
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	data, err := format(file, inventory)
	return string(left), string(data), err
}

func TestCut(t *testing.T) {
	const top = "apiVersion: kpt.dev/v1\nkind: Kptfile\n"
	for name, row := range map[string]struct{ kptfile, rest, group string }{
		"at the end":        {top + section, top, inventoryOnly},
		"in the middle":     {top + section + "info:\n  x: y\n", top + "info:\n  x: y\n", inventoryOnly},
		"at the beginning":  {section + top, top, inventoryOnly},
		"no final line end": {top + strings.TrimSuffix(section, "\n"), top, inventoryOnly},
		"blank lines around stay": {
			top + "\n" + section + "\n\ninfo: {}\n", top + "\n\n\ninfo: {}\n", inventoryOnly,
		},
		"comments around stay": {
			"# one\n" + top + "# two\n" + section + "# three\n\n# four\ninfo: {} # five\n# six\n",
			"# one\n" + top + "# two\n# three\n\n# four\ninfo: {} # five\n# six\n", inventoryOnly,
		},
		"comments inside move": {
			top + "inventory: # first\n  # above\n  name: a # 'quoted' # hash\n  namespace: \"b\" # beside\n\n  # over the id\n  inventoryID: c\n  # the end\n",
			top,
			"apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata: # first\n  # above\n  name: a # 'quoted' # hash\n  namespace: b # beside\n  labels:\n    # over the id\n    cli-utils.sigs.k8s.io/inventory-id: c\n    # the end\n",
		},
		"comments of labels and annotations move": {
			top + section + "  labels:\n    team: x # who\n  # why\n  annotations:\n    # where\n    note: z\n",
			top,
			strings.Replace(inventoryOnly, "c\n", "c\n    team: x # who\n  # why\n  annotations:\n    # where\n    note: z\n", 1),
		},
		"a comment that is not indented stays": {
			top + "inventory:\n  name: a\n# odd\n  namespace: b\n  inventoryID: c\n", top + "# odd\n", inventoryOnly,
		},
		"carriage returns stay": {
			strings.ReplaceAll("# one\n"+top+section+"# two\ninfo: {}\n", "\n", "\r\n"), strings.ReplaceAll("# one\n"+top+"# two\ninfo: {}\n", "\n", "\r\n"), inventoryOnly,
		},
		"a byte order mark stays": {"\ufeff" + top + section, "\ufeff" + top, inventoryOnly},
		"flow style": {
			top + "inventory: {name: a,\n  namespace: b, inventoryID: c\n}\ninfo: {}\n", top + "info: {}\n", inventoryOnly,
		},
		"marks of the document stay": {"---\n" + top + section + "...\n", "---\n" + top + "...\n", inventoryOnly},
		"an alias to another section": {
			top + "x: &x\n  name: a\n  namespace: b\n  inventoryID: c\ninventory: *x\n", top + "x: &x\n  name: a\n  namespace: b\n  inventoryID: c\n", inventoryOnly,
		},
		"a text of several lines": {
			top + section + "  annotations:\n    note: |\n      # not a comment\n      inventory: no\n\n    more: >-\n      folded\n      text\n" + "info: {}\n",
			top + "info: {}\n",
			inventoryOnly + "  annotations:\n    more: folded text\n    note: |\n      # not a comment\n      inventory: no\n",
		},
		"the word elsewhere": {
			top + "info:\n  inventory: x\n  keywords: [inventory]\n" + section, top + "info:\n  inventory: x\n  keywords: [inventory]\n", inventoryOnly,
		},
	} {
		t.Run(name, func(t *testing.T) {
			rest, group, err := moved(t, row.kptfile)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.rest, rest); diff != "" {
				t.Errorf("Kptfile:\n%s", diff)
			}
			if diff := cmp.Diff(row.group, group); diff != "" {
				t.Errorf("ResourceGroup:\n%s", diff)
			}
		})
	}
}

func TestCutRefuses(t *testing.T) {
	for name, kptfile := range map[string]string{
		"a Kptfile on one line":       `{apiVersion: kpt.dev/v1, kind: Kptfile, inventory: {name: a, namespace: b, inventoryID: c}}`,
		"an anchor that others use":   "apiVersion: kpt.dev/v1\nkind: Kptfile\ninventory: &x\n  name: a\n  namespace: b\n  inventoryID: c\ninfo: *x\n",
		"an inventory that is merged": "apiVersion: kpt.dev/v1\nkind: Kptfile\n<<:\n  inventory:\n    name: a\n    namespace: b\n    inventoryID: c\n",
		"an empty document before it": "---\n---\napiVersion: kpt.dev/v1\nkind: Kptfile\n" + section,
		"nothing but the inventory":   section,
	} {
		t.Run(name, func(t *testing.T) {
			if rest, _, err := moved(t, kptfile); err == nil {
				t.Errorf("it was cut:\n%s", rest)
			}
		})
	}
}

// FuzzCut cuts any Kptfile: what is left are lines of it, and mean the same without
// the inventory.
func FuzzCut(f *testing.F) {
	for _, seed := range []string{
		"apiVersion: kpt.dev/v1\n" + section, "a: 1\n# x\n" + section + "# y\n\nb: |\n  inventory:\n", section + "---\n", "inventory: {a: [1,\n2]}\nb: &x 1\nc: *x\n", "\ufeffinventory:\r\n  a: b\r\nc: d\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, diags := source.Parse("Kptfile", data)
		if diags.HasErrors() || len(docs) != 1 {
			return
		}
		rest, _, err := cut(data, docs[0])
		if err != nil {
			return
		}
		if !holds(rest, docs[0].Without("inventory")) {
			t.Errorf("means something else:\n%s", rest)
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		for _, line := range bytes.SplitAfter(rest, []byte("\n")) {
			for len(lines) > 0 && !bytes.Equal(lines[0], line) {
				lines = lines[1:]
			}
			if len(lines) == 0 && len(line) > 0 {
				t.Fatalf("%q is not a line of the file, or moved", line)
			}
			if len(lines) > 0 {
				lines = lines[1:]
			}
		}
	})
}
