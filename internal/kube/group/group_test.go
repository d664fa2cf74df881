package group_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/group"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// parse returns the documents of a file called name.
func parse(t *testing.T, name, text string) []value.Value {
	t.Helper()
	docs, diags := source.Parse(name, []byte(text))
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return docs
}

// brief are diagnostics as code, line, column and detail.
func brief(diags diag.List) []string {
	var out []string
	for _, d := range diags.Sorted() {
		out = append(out, fmt.Sprintf("%s %d:%d %s", d.Code, d.Pos.Line, d.Pos.Column, d.Detail))
	}
	return out
}

var plainFile = cmpopts.IgnoreUnexported(group.File{})

const head = "apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\n"

func TestFromValue(t *testing.T) {
	at := value.Pos{File: "rg.yaml", Line: 1, Column: 1}
	for name, row := range map[string]struct {
		text string
		want group.File
	}{
		"name and namespace": {
			"metadata:\n  name: a\n  namespace: b\n",
			group.File{Name: "a", Namespace: "b", Pos: at},
		},
		"no namespace": {
			"metadata:\n  name: a\n",
			group.File{Name: "a", Pos: at},
		},
		"an id": {
			"metadata:\n  name: a\n  namespace: b\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: c\n    team: d\n",
			group.File{Name: "a", Namespace: "b", ID: "c", Labels: map[string]string{"team": "d"}, Pos: at},
		},
		"annotations about the file are not copied": {
			"metadata:\n  name: a\n  annotations:\n    config.kubernetes.io/path: x\n    internal.config.kubernetes.io/index: '0'\n    config.kubernetes.io.example.com/x: e\n    note: \"5\"\n",
			group.File{Name: "a", Annotations: map[string]string{"note": "5", "config.kubernetes.io.example.com/x": "e"}, Pos: at},
		},
		"a copy of the cluster's metadata": {
			"metadata:\n  name: a\n  creationTimestamp: null\n  uid: x\n  resourceVersion: '1'\n  labels: {}\n  annotations:\n",
			group.File{Name: "a", Pos: at},
		},
		"the longest name": {
			"metadata:\n  name: " + strings.Repeat("a", 253) + "\n",
			group.File{Name: strings.Repeat("a", 253), Pos: at},
		},
	} {
		t.Run(name, func(t *testing.T) {
			doc := parse(t, "rg.yaml", head+row.text)[0]
			if !group.IsGroup(doc) {
				t.Fatal("not recognised")
			}
			got, diags := group.FromValue(doc)
			if diff := cmp.Diff(row.want, got, plainFile); diff != "" || len(diags) > 0 {
				t.Errorf("%s\n%v", diff, brief(diags))
			}
		})
	}
}

func TestFromValueRefuses(t *testing.T) {
	long := strings.Repeat("a", 254)
	for name, row := range map[string]struct {
		text string
		want []string
	}{
		"a spec":            {"metadata:\n  name: a\nspec:\n  resources: []\n", []string{"KUBE001 5:1 A ResourceGroup in a file has no spec: the cluster keeps it."}},
		"an empty spec":     {"metadata:\n  name: a\nspec: {}\n", []string{"KUBE001 5:1 A ResourceGroup in a file has no spec: the cluster keeps it."}},
		"a status":          {"metadata:\n  name: a\nstatus: {}\n", []string{"KUBE001 5:1 A ResourceGroup in a file has no status: the cluster keeps it."}},
		"something else":    {"metadata:\n  name: a\ndata: {}\n", []string{`KUBE001 5:1 A ResourceGroup has no field "data".`}},
		"no metadata":       {"", []string{"KUBE001 1:1 metadata is missing or not a mapping."}},
		"metadata is text":  {"metadata: a\n", []string{"KUBE001 3:11 metadata is missing or not a mapping."}},
		"no name":           {"metadata:\n  namespace: a\n", []string{"KUBE001 4:3 metadata.name is missing."}},
		"a name without":    {"metadata:\n  name:\n", []string{"KUBE001 4:3 metadata.name is missing."}},
		"a misspelled name": {"metadata:\n  name: a\n  namspace: b\n", []string{`KUBE001 5:3 metadata of a ResourceGroup has no field "namspace".`}},
		"a number as name":  {"metadata:\n  name: 12\n", []string{"KUBE001 4:9 metadata.name is a number, and must be a string."}},
		"an expression":     {"metadata:\n  name: !ref x\n", []string{"KUBE001 4:9 metadata.name is an expression, and must be written out."}},
		"upper case":        {"metadata:\n  name: A\n", []string{`KUBE001 4:9 metadata.name "A" is not an RFC 1123 subdomain: use lower case letters, digits, '-' and '.', and begin and end with a letter or digit.`}},
		"too long a name":   {"metadata:\n  name: " + long + "\n", []string{`KUBE001 4:9 metadata.name "` + long + `" has 254 characters, and at most 253 are allowed.`}},
		"a dotted namespace": {
			"metadata:\n  name: a\n  namespace: b.c\n",
			[]string{`KUBE001 5:14 metadata.namespace "b.c" is not an RFC 1123 label: use lower case letters, digits and '-', and begin and end with a letter or digit.`},
		},
		"labels and annotations that are not strings": {
			"metadata:\n  name: a\n  labels:\n    x: 5\n    y: yes\n  annotations:\n    z: [1]\n    w:\n",
			[]string{
				"KUBE001 6:8 metadata.labels.x is a number, and must be a string.", "KUBE001 7:8 metadata.labels.y is a boolean, and must be a string.",
				"KUBE001 9:8 metadata.annotations.z is a list, and must be a string.", "KUBE001 10:5 metadata.annotations.w has no value, and must be a string.",
			},
		},
		"labels that are a list": {"metadata:\n  name: a\n  labels: [x]\n", []string{"KUBE001 5:11 metadata.labels is a list, and must be a mapping."}},
		"an empty id": {
			"metadata:\n  name: a\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: ''\n",
			[]string{`KUBE006 6:5 The inventory id "" is empty.`},
		},
		"too long an id": {
			"metadata:\n  name: a\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: " + long[:64] + "\n",
			[]string{`KUBE006 6:5 The inventory id "` + long[:64] + `" has 64 characters, and at most 63 are allowed.`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := group.FromValue(parse(t, "rg.yaml", head+row.text)[0])
			if diff := cmp.Diff(row.want, brief(diags)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInvalidLabelsAreShown(t *testing.T) {
	_, diags := group.FromValue(parse(t, "rg.yaml", head+"metadata:\n  name: a\n  labels:\n    'a b': c\n    d: 'e f'\n  annotations:\n    'g h': i\n")[0])
	got := brief(diags)
	if len(got) != 3 {
		t.Fatalf("%d diagnostics: %q", len(got), got)
	}
	for i, begin := range []string{`KUBE001 6:5 metadata.labels.a b is not valid: `, `KUBE001 7:5 metadata.labels.d is not valid: `, `KUBE001 9:5 metadata.annotations.g h is not valid: `} {
		if !strings.HasPrefix(got[i], begin) {
			t.Errorf("got %s, want %s…", got[i], begin)
		}
	}
}

func TestOthersAreNoGroups(t *testing.T) {
	for _, text := range []string{
		"apiVersion: kpt.dev/v1\nkind: ResourceGroup\n", "apiVersion: kpt.dev/v1alpha1\nkind: Kptfile\n", "kind: ResourceGroup\n", "apiVersion: 1\nkind: [ResourceGroup]\n", "- a\n", "text\n",
	} {
		if group.IsGroup(parse(t, "x", text)[0]) {
			t.Errorf("%q was recognised", text)
		}
	}
}

func TestInventoryID(t *testing.T) {
	sixty := strings.Repeat("a", 60)
	for name, row := range map[string]struct {
		file group.File
		want string
		says string
	}{
		"the label's":                {group.File{Name: "a", Namespace: "b", ID: "c"}, "c", ""},
		"made of name and namespace": {group.File{Name: "a", Namespace: "b"}, "a-b", ""},
		"63 characters":              {group.File{Name: sixty, Namespace: "bb"}, sixty + "-bb", ""},
		"64 characters":              {group.File{Name: sixty, Namespace: "bbb"}, "", "--inventory-id"},
		"a label that is wrong":      {group.File{Name: "a", Namespace: "b", ID: "-"}, "", "correct the label"},
		"a Kptfile's that is wrong":  {group.File{Name: "a", Namespace: "b", ID: "-", Kptfile: true}, "", "inventory.inventoryID"},
	} {
		t.Run(name, func(t *testing.T) {
			got, diags := group.InventoryID(row.file)
			if got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
			if (row.says == "") != (len(diags) == 0) {
				t.Fatalf("diagnostics %v", diags)
			}
			if row.says != "" && (diags[0].Code != diag.KubeInventoryID || !strings.Contains(diags[0].Fix, row.says)) {
				t.Errorf("%s", diags[0])
			}
		})
	}
}

func TestNamespaceOfTheConnection(t *testing.T) {
	if got := (group.File{Name: "a"}).In("prod").Namespace; got != "prod" {
		t.Errorf("got %q", got)
	}
	if got := (group.File{Name: "a", Namespace: "own"}).In("prod").Namespace; got != "own" {
		t.Errorf("got %q", got)
	}
}

func TestFormatIsReadBack(t *testing.T) {
	for name, file := range map[string]group.File{
		"the least":          {Name: "a", Namespace: "b"},
		"everything":         {Name: "a", Namespace: "b", ID: "c", Labels: map[string]string{"d": "e"}, Annotations: map[string]string{"f": "two\nlines", "g": ""}},
		"texts like numbers": {Name: "12", Namespace: "0x1", ID: "1e3", Labels: map[string]string{"a": "yes", "b": "null", "c": "0755", "d": "1_000"}},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := group.Format(file)
			if err != nil {
				t.Fatal(err)
			}
			got, diags := group.FromValue(parse(t, "", string(data))[0])
			got.Pos = value.Pos{}
			if diff := cmp.Diff(file, got, plainFile); diff != "" || len(diags) > 0 {
				t.Errorf("%s\n%v\n%s", diff, diags, data)
			}
		})
	}
}

func TestFormat(t *testing.T) {
	data, err := group.Format(group.File{Name: "shop", Namespace: "default", ID: "x"})
	if err != nil {
		t.Fatal(err)
	}
	want := head + "metadata:\n  name: shop\n  namespace: default\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: x\n"
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
}
