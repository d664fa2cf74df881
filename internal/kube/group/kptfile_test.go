package group_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/kube/group"
	"github.com/kongctl/kongctl/internal/value"
)

const kptHead = "apiVersion: kpt.dev/v1\nkind: Kptfile\n"

func TestFromKptfile(t *testing.T) {
	doc := parse(t, "Kptfile", kptHead+`inventory:
  name: a
  namespace: b
  inventoryID: c
  labels:
    team: d
    cli-utils.sigs.k8s.io/inventory-id: c
  annotations:
    note: e
`)[0]
	if !group.IsKptfile(doc) {
		t.Fatal("not recognised")
	}
	got, found, diags := group.FromKptfile(doc)
	want := group.File{
		Name: "a", Namespace: "b", ID: "c", Labels: map[string]string{"team": "d"}, Annotations: map[string]string{"note": "e"},
		Pos: value.Pos{File: "Kptfile", Line: 3, Column: 1}, Kptfile: true,
	}
	if diff := cmp.Diff(want, got, plainFile); diff != "" || !found || len(diags) > 0 {
		t.Errorf("found %v, %v\n%s", found, diags, diff)
	}
}

func TestKptfileWithoutInventory(t *testing.T) {
	for _, text := range []string{kptHead, kptHead + "inventory:\n", strings.Replace(kptHead, "v1", "v1alpha1", 1)} {
		if _, found, diags := group.FromKptfile(parse(t, "Kptfile", text)[0]); found || len(diags) > 0 {
			t.Errorf("%q: found %v, %v", text, found, diags)
		}
	}
}

func TestFromKptfileRefuses(t *testing.T) {
	const whole = "inventory:\n  name: a\n  namespace: b\n  inventoryID: c\n"
	for name, row := range map[string]struct {
		text string
		want []string
	}{
		"an empty inventory": {kptHead + "inventory: {}\n", []string{
			"KUBE005 3:12 inventory.name is missing.", "KUBE005 3:12 inventory.namespace is missing.", "KUBE005 3:12 inventory.inventoryID is missing.",
		}},
		"no name":             {kptHead + strings.Replace(whole, "name: a", "x: a", 1), []string{`KUBE005 4:3 inventory of a Kptfile has no field "x".`, "KUBE005 4:3 inventory.name is missing."}},
		"no namespace":        {kptHead + strings.Replace(whole, "namespace: b", "namespace:", 1), []string{"KUBE005 5:3 inventory.namespace is missing."}},
		"no id":               {kptHead + strings.Replace(whole, "c\n", "''\n", 1), []string{"KUBE005 6:16 inventory.inventoryID is missing."}},
		"a number as id":      {kptHead + strings.Replace(whole, "c\n", "5\n", 1), []string{"KUBE005 6:16 inventory.inventoryID is a number, and must be a string."}},
		"an id that is wrong": {kptHead + strings.Replace(whole, "c\n", "c/d\n", 1), []string{`KUBE006 6:16 inventory.inventoryID "c/d" is not a label value: use letters, digits, '-', '_' and '.', and begin and end with a letter or digit.`}},
		"another id as label": {kptHead + whole + "  labels:\n    cli-utils.sigs.k8s.io/inventory-id: d\n", []string{`KUBE005 8:5 The label cli-utils.sigs.k8s.io/inventory-id is "d", and inventory.inventoryID is "c".`}},
		"an old version":      {strings.Replace(kptHead, "v1", "v1alpha2", 1) + whole, []string{"KUBE005 3:1 The Kptfile is of version kpt.dev/v1alpha2, and only inventories of kpt.dev/v1 are read."}},
		"text":                {kptHead + "inventory: a\n", []string{"KUBE005 3:12 inventory is a string, and must be a mapping."}},
	} {
		t.Run(name, func(t *testing.T) {
			_, found, diags := group.FromKptfile(parse(t, "Kptfile", row.text)[0])
			if diff := cmp.Diff(row.want, brief(diags)); diff != "" || !found {
				t.Errorf("found %v\n%s", found, diff)
			}
		})
	}
}

func TestConfigMaps(t *testing.T) {
	for text, want := range map[string]bool{
		"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: x\n":      true,
		"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    cli-utils.sigs.k8s.io/inventory-id: x\n": false,
		"apiVersion: v1\nkind: Secret\nmetadata:\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: x\n":         false,
		"apiVersion: v1\nkind: ConfigMap\n": false,
	} {
		if got := group.IsConfigMap(parse(t, "x", text)[0]); got != want {
			t.Errorf("%v for\n%s", got, text)
		}
	}
}
