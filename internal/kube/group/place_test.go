package group_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/group"
	"github.com/kongctl/kongctl/internal/value"
)

// folder makes a folder with the files of an archive.
func folder(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// files are all files below a folder with what they hold.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// at is a place in a folder that is also the current one.
func at(dir string) group.Place {
	return group.Place{Work: dir, Dir: dir, File: filepath.Join(dir, group.DefaultFile)}
}

func code(err error) diag.Code {
	var list *diag.ListError
	if errors.As(err, &list) && len(list.List) > 0 {
		return list.List[0].Code
	}
	return ""
}

func refused(err error) bool {
	var r *group.RefusedError
	return errors.As(err, &r) && r.Refused()
}

func TestPath(t *testing.T) {
	for file, want := range map[string]string{
		"rg.yaml": "/work/pkg/rg.yaml", "./rg.yaml": "/work/rg.yaml", "a/rg.yaml": "/work/a/rg.yaml", "../rg.yaml": "/rg.yaml", "/x/rg.yaml": "/x/rg.yaml",
	} {
		if got := group.Path("/work", "/work/pkg", file); got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
}

var fresh = group.File{Name: "new", Namespace: "ns"}

const freshText = head + "metadata:\n  name: new\n  namespace: ns\n"

func TestInit(t *testing.T) {
	for name, row := range map[string]struct {
		archive      string
		named, force bool
		want         map[string]string
		warns        []string
	}{
		"an empty folder": {"", false, false, map[string]string{group.DefaultFile: freshText}, nil},
		"a Kptfile without inventory": {
			"-- Kptfile --\n" + kptHead, false, false,
			map[string]string{group.DefaultFile: freshText, "Kptfile": kptHead},
			nil,
		},
		"force overwrites": {
			"-- resourcegroup.yaml --\n" + groupText("old"), false, true,
			map[string]string{group.DefaultFile: freshText},
			[]string{"what was applied with ResourceGroup ns/old"},
		},
		"force overwrites what cannot be read": {
			"-- resourcegroup.yaml --\nname: {{ x\n", false, true,
			map[string]string{group.DefaultFile: freshText},
			nil,
		},
		"force overwrites an empty file": {
			"-- resourcegroup.yaml --\n", false, true,
			map[string]string{group.DefaultFile: freshText},
			nil,
		},
		"another group in the folder": {
			"-- other.yml --\n" + groupText("old"), false, false,
			map[string]string{group.DefaultFile: freshText, "other.yml": groupText("old")},
			[]string{"other.yml:1:1 already holds ResourceGroup ns/old"},
		},
		"a named file beside an inventory of a Kptfile": {
			"-- Kptfile --\n" + kptText("old"), true, false,
			map[string]string{group.DefaultFile: freshText, "Kptfile": kptText("old")},
			[]string{"Kptfile names the inventory ns/old"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, row.archive)
			got, err := at(dir).Init(fresh, row.named, row.force)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, files(t, dir)); diff != "" || got.Path != group.DefaultFile {
				t.Errorf("path %s\n%s", got.Path, diff)
			}
			if len(got.Warnings) != len(row.warns) {
				t.Fatalf("warnings %q", got.Warnings)
			}
			for i, want := range row.warns {
				if !strings.Contains(got.Warnings[i], want) {
					t.Errorf("warning %q, want %q", got.Warnings[i], want)
				}
			}
		})
	}
}

func TestInitRefuses(t *testing.T) {
	for name, row := range map[string]struct {
		archive string
		force   bool
		says    string
	}{
		"a group":                             {"-- resourcegroup.yaml --\n" + groupText("old"), false, "holds ResourceGroup ns/old; pass --force"},
		"a file of any kind":                  {"-- resourcegroup.yaml --\n{{\n", false, "resourcegroup.yaml exists; pass --force"},
		"an empty file":                       {"-- resourcegroup.yaml --\n", false, "resourcegroup.yaml exists; pass --force"},
		"other objects, with force too":       {"-- resourcegroup.yaml --\n" + groupText("old") + "---\nkind: Service\nmetadata:\n  name: web\n", true, "also holds Service web"},
		"other documents, with force too":     {"-- resourcegroup.yaml --\na: b\n", true, "holds another document"},
		"a Kptfile that names an inventory":   {"-- Kptfile --\n" + kptText("old"), false, "Kptfile already names the inventory ns/old; run kongctl live migrate"},
		"a Kptfile whose inventory is broken": {"-- Kptfile --\n" + kptHead + "inventory:\n  name: x\n", false, "run kongctl live migrate"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, row.archive)
			before := files(t, dir)
			_, err := at(dir).Init(fresh, false, row.force)
			if !refused(err) || !strings.Contains(err.Error(), row.says) {
				t.Errorf("error %v, want one with %q", err, row.says)
			}
			if diff := cmp.Diff(before, files(t, dir)); diff != "" {
				t.Errorf("files changed:\n%s", diff)
			}
		})
	}
}

func TestInitInBadPlaces(t *testing.T) {
	outside := filepath.Join(folder(t, "-- x.yaml --\n"+groupText("outside")), "x.yaml")
	for name, row := range map[string]struct {
		prepare func(t *testing.T, dir string) group.Place
		code    diag.Code
	}{
		"no such folder": {func(_ *testing.T, dir string) group.Place {
			p := at(dir)
			p.Dir = filepath.Join(dir, "no")
			return p
		}, diag.SrcUnreadable},
		"a file as folder": {func(t *testing.T, _ string) group.Place {
			p := at(folder(t, "-- file --\n"))
			p.Dir = filepath.Join(p.Dir, "file")
			return p
		}, diag.SrcUnreadable},
		"the folder of the file is missing": {func(_ *testing.T, dir string) group.Place {
			p := at(dir)
			p.File = filepath.Join(dir, "no", "rg.yaml")
			return p
		}, diag.SrcUnreadable},
		"a folder as file": {func(t *testing.T, dir string) group.Place {
			if err := os.Mkdir(filepath.Join(dir, group.DefaultFile), 0o700); err != nil {
				t.Fatal(err)
			}
			return at(dir)
		}, diag.SrcUnreadable},
		"a link out of the folder": {func(t *testing.T, dir string) group.Place {
			if err := os.Symlink(outside, filepath.Join(dir, group.DefaultFile)); err != nil {
				t.Fatal(err)
			}
			return at(dir)
		}, diag.SrcOutsideBase},
		"a link to nothing": {func(t *testing.T, dir string) group.Place {
			if err := os.Symlink("nowhere", filepath.Join(dir, group.DefaultFile)); err != nil {
				t.Fatal(err)
			}
			return at(dir)
		}, diag.SrcUnreadable},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := row.prepare(t, t.TempDir()).Init(fresh, false, true)
			if got := code(err); got != row.code {
				t.Errorf("error %v, want %s", err, row.code)
			}
		})
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != groupText("outside") {
		t.Errorf("the file outside changed: %s %v", data, err)
	}
}

func TestInitFollowsALinkInsideTheFolder(t *testing.T) {
	dir := folder(t, "-- sub/real.yaml --\n"+groupText("old"))
	if err := os.Symlink("sub/real.yaml", filepath.Join(dir, group.DefaultFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := at(dir).Init(fresh, false, true); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{group.DefaultFile: freshText, "sub/real.yaml": freshText}
	if diff := cmp.Diff(want, files(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestShown(t *testing.T) {
	p := group.Place{Work: "/work"}
	for path, want := range map[string]string{"/work/a/b": "a/b", "/work": ".", "/other": "/other", "/workshop/x": "/workshop/x"} {
		if got := p.Shown(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	if got := (value.Pos{File: p.Shown("/work/a")}).String(); got != "a" {
		t.Errorf("got %s", got)
	}
}
