package group_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/group"
)

const movedText = head + "metadata:\n  name: a\n  namespace: ns\n  labels:\n    cli-utils.sigs.k8s.io/inventory-id: a-id\n"

// migrate prepares and runs.
func migrate(m *group.Migration) (group.Written, string, error) {
	out, reason, err := m.Prepare()
	if err == nil && reason == "" {
		err = m.Run()
	}
	return out, reason, err
}

func TestMigrate(t *testing.T) {
	for name, row := range map[string]struct {
		archive string
		m       group.Migration
		want    map[string]string
	}{
		"a Kptfile": {
			"-- Kptfile --\n" + kptText("a"),
			group.Migration{},
			map[string]string{"Kptfile": kptHead, group.DefaultFile: movedText},
		},
		"the new file is there already": {
			"-- Kptfile --\n" + kptText("a") + "-- resourcegroup.yaml --\n# mine\n" + movedText + "    more: x\n",
			group.Migration{},
			map[string]string{"Kptfile": kptHead, group.DefaultFile: "# mine\n" + movedText + "    more: x\n"},
		},
		"the flags say the same": {
			"-- Kptfile --\n" + kptText("a"),
			group.Migration{Name: "a", Namespace: "ns"},
			map[string]string{"Kptfile": kptHead, group.DefaultFile: movedText},
		},
		"the flags give what is missing": {
			"-- Kptfile --\n" + kptHead + "inventory:\n  inventoryID: a-id\n",
			group.Migration{Name: "a", Namespace: "ns"},
			map[string]string{"Kptfile": kptHead, group.DefaultFile: movedText},
		},
		"another name, with force": {
			"-- Kptfile --\n" + kptText("b") + "-- resourcegroup.yaml --\n" + groupText("c"),
			group.Migration{Name: "a", Force: true},
			map[string]string{"Kptfile": kptHead, group.DefaultFile: strings.Replace(movedText, "a-id", "b-id", 1)},
		},
		"labels and all annotations move": {
			"-- Kptfile --\n" + kptText("a") + "  labels:\n    team: x\n  annotations:\n    note: z\n    config.kubernetes.io/path: p\n",
			group.Migration{},
			map[string]string{"Kptfile": kptHead, group.DefaultFile: movedText + "    team: x\n  annotations:\n    config.kubernetes.io/path: p\n    note: z\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, row.archive)
			row.m.Place = at(dir)
			before := files(t, dir)
			if _, reason, err := row.m.Prepare(); err != nil || reason != "" {
				t.Fatal(reason, err)
			}
			if diff := cmp.Diff(before, files(t, dir)); diff != "" {
				t.Fatalf("preparing changed something:\n%s", diff)
			}
			if err := row.m.Run(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, files(t, dir)); diff != "" {
				t.Error(diff)
			}
			_, reason, err := migrate(&group.Migration{Place: at(dir)})
			if reason != "Kptfile has no inventory" || err != nil {
				t.Errorf("a second run: %q %v", reason, err)
			}
			if diff := cmp.Diff(row.want, files(t, dir)); diff != "" {
				t.Errorf("a second run:\n%s", diff)
			}
		})
	}
}

func TestMigrateOverAnotherGroup(t *testing.T) {
	for name, row := range map[string]struct {
		archive string
		want    []string
	}{
		"another inventory": {groupText("old"), []string{"what was applied with ResourceGroup ns/old stays in the cluster, and this file no longer finds it"}},
		"the same one":      {movedText, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, "-- Kptfile --\n"+kptText("a")+"-- resourcegroup.yaml --\n"+row.archive)
			out, _, err := migrate(&group.Migration{Place: at(dir), Force: true})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, out.Warnings); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNothingToMigrate(t *testing.T) {
	for name, row := range map[string]struct{ archive, want string }{
		"no Kptfile":                       {"-- a.yaml --\nkind: Service\n", "Kptfile does not exist"},
		"no inventory":                     {"-- Kptfile --\n" + kptHead, "Kptfile has no inventory"},
		"an old Kptfile without inventory": {"-- Kptfile --\napiVersion: kpt.dev/v1alpha1\nkind: Kptfile\n", "Kptfile has no inventory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, row.archive)
			before := files(t, dir)
			if _, reason, err := migrate(&group.Migration{Place: at(dir)}); reason != row.want || err != nil {
				t.Errorf("got %q, want %q: %v", reason, row.want, err)
			}
			if diff := cmp.Diff(before, files(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMigrateRefuses(t *testing.T) {
	kpt := "-- Kptfile --\n" + kptText("a")
	for name, row := range map[string]struct {
		archive string
		m       group.Migration
		code    diag.Code // "" for a refusal
		says    string
	}{
		"another group":               {kpt + "-- resourcegroup.yaml --\n" + groupText("a"), group.Migration{}, "", "resourcegroup.yaml exists and holds ResourceGroup ns/a; pass --force"},
		"another name":                {kpt, group.Migration{Name: "b"}, "", "--name b: the Kptfile says a"},
		"another namespace":           {kpt, group.Migration{Namespace: "b"}, "", "--namespace b: the Kptfile says ns"},
		"only objects in the file":    {kpt + "-- resourcegroup.yaml --\nkind: Service\n", group.Migration{Force: true}, "", "resourcegroup.yaml holds Service"},
		"other objects in the file":   {kpt + "-- resourcegroup.yaml --\n" + movedText + "---\nkind: Service\n", group.Migration{Force: true}, "", "also holds Service"},
		"an inventory in a ConfigMap": {"-- x.yaml --\n" + oldText, group.Migration{}, diag.KubeConfigMap, "x.yaml:1:1"},
		"a template of old":           {kpt + "-- inventory-template.yaml --\napiVersion: v1\nkind: ConfigMap\n", group.Migration{}, diag.KubeConfigMap, "inventory-template.yaml:1:1"},
		"no id":                       {"-- Kptfile --\n" + kptHead + "inventory:\n  name: a\n  namespace: b\n", group.Migration{}, diag.KubeKptfile, "inventory.inventoryID"},
		"no namespace":                {"-- Kptfile --\n" + kptHead + "inventory:\n  name: a\n  inventoryID: b\n", group.Migration{}, diag.KubeKptfile, "inventory.namespace"},
		"an anchor that others use":   {strings.Replace(kpt, "name: a\n  namespace: ns", "name: &n a\n  namespace: ns", 1) + "info: {description: *n}\n", group.Migration{}, diag.KubeKptfile, "its anchor &n is used in line "},
		"flow style":                  {"-- Kptfile --\n{apiVersion: kpt.dev/v1, kind: Kptfile, inventory: {name: a, namespace: b, inventoryID: c}}\n", group.Migration{}, diag.KubeKptfile, "block style"},
		"two documents":               {kpt + "---\na: b\n", group.Migration{}, diag.KubeKptfile, "this file has 2"},
		"something else":              {"-- Kptfile --\napiVersion: v1\nkind: Service\n", group.Migration{}, diag.KubeKptfile, "not a Kptfile"},
		"no YAML":                     {"-- Kptfile --\na: [\n", group.Migration{}, diag.SrcSyntax, "Kptfile"},
		"a key twice":                 {kpt + "inventory: {}\n", group.Migration{}, diag.SrcDuplicateKey, "inventory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, row.archive)
			row.m.Place = at(dir)
			before := files(t, dir)
			_, _, err := migrate(&row.m)
			if err == nil || code(err) != row.code || refused(err) != (row.code == "") || !strings.Contains(err.Error(), row.says) {
				t.Errorf("error %v, want %s with %q", err, row.code, row.says)
			}
			if diff := cmp.Diff(before, files(t, dir)); diff != "" {
				t.Errorf("files changed:\n%s", diff)
			}
		})
	}
}

// TestMigrateWritesBothOrNone lets the second write fail.
func TestMigrateWritesBothOrNone(t *testing.T) {
	for name, row := range map[string]struct{ archive, says string }{
		"the file is new":         {"", "read-only"},
		"the file is overwritten": {"-- resourcegroup.yaml --\n" + groupText("old"), "read-only"},
		"the file is there":       {"-- resourcegroup.yaml --\n" + movedText, "read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, "-- Kptfile --\n"+kptText("a")+row.archive)
			before := files(t, dir)
			m := &group.Migration{Place: at(dir), Force: true}
			if _, _, err := m.Prepare(); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Join(dir, "Kptfile"), 0o444); err != nil {
				t.Fatal(err)
			}
			if err := m.Run(); err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("error %v, want one with %q", err, row.says)
			}
			if diff := cmp.Diff(before, files(t, dir)); diff != "" {
				t.Errorf("files changed:\n%s", diff)
			}
			if err := os.Chmod(filepath.Join(dir, "Kptfile"), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, _, err := migrate(m); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(map[string]string{"Kptfile": kptHead, group.DefaultFile: movedText}, files(t, dir)); diff != "" {
				t.Errorf("a run afterwards:\n%s", diff)
			}
		})
	}
}

func TestMigrateSeesAChangeInBetween(t *testing.T) {
	dir := folder(t, "-- Kptfile --\n"+kptText("a"))
	m := &group.Migration{Place: at(dir)}
	if _, _, err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "Kptfile"), []byte(kptText("b")), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := m.Run(); err == nil || !strings.Contains(err.Error(), "run the command again") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"Kptfile": kptText("b")}, files(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestMigrateAndLinks(t *testing.T) {
	outside := folder(t, "-- Kptfile --\n"+kptText("a"))
	dir := folder(t, "-- sub/real --\n"+kptText("a"))
	if err := os.Symlink(filepath.Join(outside, "Kptfile"), filepath.Join(dir, "Kptfile")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := migrate(&group.Migration{Place: at(dir)}); code(err) != diag.SrcOutsideBase {
		t.Errorf("a link out of the folder: %v", err)
	}
	if diff := cmp.Diff(map[string]string{"Kptfile": kptText("a")}, files(t, outside)); diff != "" {
		t.Error(diff)
	}
	if err := os.Remove(filepath.Join(dir, "Kptfile")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("sub/real", filepath.Join(dir, "Kptfile")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := migrate(&group.Migration{Place: at(dir)}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"Kptfile": kptHead, "sub/real": kptHead, group.DefaultFile: movedText}
	if diff := cmp.Diff(want, files(t, dir)); diff != "" {
		t.Error(diff)
	}
}
