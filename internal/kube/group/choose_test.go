package group_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/group"
)

// found is what a row finds, by file.
func found(t *testing.T, f group.Found, files ...[2]string) group.Found {
	t.Helper()
	for _, file := range files {
		for _, doc := range parse(t, file[0], file[1]) {
			f.Add(doc)
		}
	}
	return f
}

func groupText(name string) string {
	return head + "metadata:\n  name: " + name + "\n  namespace: ns\n"
}

func kptText(name string) string {
	return kptHead + "inventory:\n  name: " + name + "\n  namespace: ns\n  inventoryID: " + name + "-id\n"
}

const oldText = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: x\n"

func TestChoose(t *testing.T) {
	stdin, folder := group.Found{Stdin: true}, group.Found{Dir: "pkg"}
	labelled := groupText("a") + "  labels:\n    cli-utils.sigs.k8s.io/inventory-id: a-id\n"
	for name, row := range map[string]struct {
		found group.Found
		want  string
	}{
		"one in a folder":   {found(t, folder, [2]string{"pkg/any.yaml", groupText("a")}), "ResourceGroup ns/a"},
		"one in the stream": {found(t, stdin, [2]string{"stdin", groupText("a")}), "ResourceGroup ns/a"},
		"one in the stream, a Kptfile in the current folder": {found(t, stdin, [2]string{"stdin", groupText("a")}, [2]string{"Kptfile", kptText("b")}), "ResourceGroup ns/a"},
		"the flag, with a stream":                            {found(t, group.Found{Stdin: true, Flag: "rg.yaml"}, [2]string{"rg.yaml", groupText("a")}), "ResourceGroup ns/a"},
		"the flag wins over the Kptfile":                     {found(t, group.Found{Flag: "pkg/rg.yaml"}, [2]string{"pkg/rg.yaml", groupText("a")}, [2]string{"pkg/Kptfile", kptText("b")}), "ResourceGroup ns/a"},
		"the flag wins over a Kptfile that is wrong":         {found(t, group.Found{Flag: "pkg/rg.yaml"}, [2]string{"pkg/rg.yaml", groupText("a")}, [2]string{"pkg/Kptfile", kptHead + "inventory: {}\n"}), "ResourceGroup ns/a"},
		"the flag wins over a Kptfile in the stream":         {found(t, group.Found{Stdin: true, Flag: "rg.yaml"}, [2]string{"rg.yaml", groupText("a")}, [2]string{"stdin", kptText("b")}), "ResourceGroup ns/a"},
		"a Kptfile alone, in a folder":                       {found(t, folder, [2]string{"pkg/Kptfile", kptText("a")}), "inventory ns/a"},
		"a stream with one inventory in two forms":           {found(t, stdin, [2]string{"stdin", kptText("a") + "---\n" + labelled}), "ResourceGroup ns/a"},
		"a ConfigMap beside a group":                         {found(t, folder, [2]string{"pkg/any.yaml", oldText + "---\n" + groupText("a")}), "ResourceGroup ns/a"},
	} {
		t.Run(name, func(t *testing.T) {
			got, diags := group.Choose(row.found)
			if got.String() != row.want || len(diags) > 0 {
				t.Errorf("got %s, want %s: %v", got, row.want, diags.Err())
			}
		})
	}
}

func TestChooseRefuses(t *testing.T) {
	stdin, folder := group.Found{Stdin: true}, group.Found{Dir: "pkg"}
	for name, row := range map[string]struct {
		found group.Found
		code  diag.Code
		says  []string
		never string
	}{
		"several in a folder": {
			found(t, folder, [2]string{"pkg/a.yaml", groupText("a") + "---\n" + groupText("b")}, [2]string{"pkg/c.yaml", groupText("c")}), diag.KubeManyGroups,
			[]string{"3 ResourceGroups", "ns/a (pkg/a.yaml:1:1)", "ns/b (pkg/a.yaml:7:1)", "ns/c (pkg/c.yaml:1:1)"},
			"--rg-file",
		},
		"one in the stream and that of the flag": {
			found(t, group.Found{Stdin: true, Flag: "rg.yaml"}, [2]string{"stdin", groupText("a")}, [2]string{"rg.yaml", groupText("a")}), diag.KubeManyGroups,
			[]string{"ns/a (stdin:1:1)", "ns/a (rg.yaml:1:1)", "--rg-file counts"},
			"",
		},
		"a file of the flag without a group": {
			found(t, group.Found{Flag: "rg.yaml"}, [2]string{"pkg/a.yaml", groupText("a")}), diag.KubeNoGroup,
			[]string{"--> rg.yaml", "holds no ResourceGroup", "live init"},
			"",
		},
		"a Kptfile beside a group": {
			found(t, folder, [2]string{"pkg/a.yaml", groupText("a")}, [2]string{"pkg/Kptfile", kptText("b")}), diag.KubeTwoSources,
			[]string{"ResourceGroup ns/a (pkg/a.yaml:1:1)", "inventory ns/b (pkg/Kptfile:3:1)", "remove one of the two", "--rg-file"},
			"migrate",
		},
		"a move that was not finished": {
			found(t, folder, [2]string{"pkg/a.yaml", groupText("a") + "  labels:\n    cli-utils.sigs.k8s.io/inventory-id: a-id\n"}, [2]string{"pkg/Kptfile", kptText("a")}), diag.KubeTwoSources,
			[]string{"kongctl live migrate pkg"},
			"",
		},
		"two inventories in the stream": {
			found(t, stdin, [2]string{"stdin", groupText("a") + "---\n" + kptText("b")}), diag.KubeTwoSources,
			[]string{"ns/a (stdin:1:1)", "ns/b (stdin:9:1)", "leave one of the two out"},
			"",
		},
		"nothing in a folder": {
			folder, diag.KubeNoGroup,
			[]string{"--> pkg", "run kongctl live init pkg."},
			"--rg-file",
		},
		"nothing in the current folder": {
			group.Found{Dir: "."},
			diag.KubeNoGroup,
			[]string{"run kongctl live init."},
			"--rg-file",
		},
		"nothing in a folder, and a file here": {
			group.Found{Dir: "pkg", Nearby: true},
			diag.KubeNoGroup,
			[]string{"kongctl live init pkg", "--rg-file ./resourcegroup.yaml"},
			"",
		},
		"nothing in the stream": {
			stdin, diag.KubeNoGroup,
			[]string{"Standard input", "kongctl live init", "--rg-file."},
			"migrate",
		},
		"nothing in the stream, and a file here": {
			group.Found{Stdin: true, Nearby: true},
			diag.KubeNoGroup,
			[]string{"kongctl live init", "pass --rg-file resourcegroup.yaml."},
			"",
		},
		"nothing in the stream, and a Kptfile here": {
			found(t, stdin, [2]string{"Kptfile", kptText("a")}), diag.KubeNoGroup,
			[]string{"ns/a (Kptfile:3:1)", "kongctl live migrate"},
			"live init",
		},
		"a Kptfile in the stream": {
			found(t, stdin, [2]string{"stdin", kptText("a")}), diag.KubeNoGroup,
			[]string{"ns/a (stdin:3:1)", "kongctl live migrate"},
			"live init",
		},
		"a Kptfile that is not complete": {
			found(t, folder, [2]string{"pkg/Kptfile", kptHead + "inventory:\n  name: a\n  namespace: b\n"}), diag.KubeKptfile,
			[]string{"inventory.inventoryID"},
			"",
		},
		"a group that is malformed": {
			found(t, stdin, [2]string{"stdin", groupText("a") + "spec: {}\n"}), diag.KubeGroup,
			[]string{"spec"},
			"",
		},
		"an inventory of old": {
			found(t, folder, [2]string{"pkg/a.yaml", oldText}), diag.KubeConfigMap,
			[]string{"pkg/a.yaml:1:1", "kpt live migrate"},
			"live init",
		},
		"two Kptfiles": {
			found(t, folder, [2]string{"pkg/Kptfile", kptText("a")}, [2]string{"pkg/sub/Kptfile", kptText("b")}), diag.KubeManyGroups,
			[]string{"ns/a", "ns/b"},
			"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, diags := group.Choose(row.found)
			if diff := cmp.Diff(group.File{}, got, plainFile); diff != "" || len(diags) != 1 || diags[0].Code != row.code {
				t.Fatalf("want one %s: %v\n%s", row.code, diags.Err(), diff)
			}
			text := diags[0].String()
			for _, want := range row.says {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing in\n%s", want, text)
				}
			}
			if row.never != "" && strings.Contains(text, row.never) {
				t.Errorf("%q does not belong in\n%s", row.never, text)
			}
		})
	}
}

func TestAddSaysWhatIsNeverApplied(t *testing.T) {
	for text, want := range map[string]bool{
		groupText("a"): true, kptText("a"): true, kptHead: true, oldText: false, "apiVersion: v1\nkind: Service\n": false,
	} {
		var f group.Found
		if got := f.Add(parse(t, "x", text)[0]); got != want {
			t.Errorf("%v for\n%s", got, text)
		}
	}
}
