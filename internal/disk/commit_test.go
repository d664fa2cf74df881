package disk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/disk"
)

func TestCommit(t *testing.T) {
	dir := t.TempDir()
	write := func(name, data string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("old", "old", 0o640)
	write("gone", "gone", 0o600)
	write("locked", "locked", 0o444)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }() // it is only a handle

	// A file that cannot be written keeps all others from being changed, and no
	// folder is left.
	err = disk.Commit(root, []disk.Change{
		{Name: "old", Data: []byte("new")}, {Name: "gone", Remove: true}, {Name: "deep/er/file", Data: []byte("x")}, {Name: "locked", Data: []byte("x")},
	})
	if err == nil || err.Error() != "write locked: it is read-only" {
		t.Error(err)
	}
	if got := filesBelow(t, dir); got != "gone locked old" {
		t.Error(got)
	}
	// Nothing leaves the folder.
	if err := disk.Commit(root, []disk.Change{{Name: "../out", Data: []byte("x")}}); err == nil {
		t.Error("a file was written outside the folder")
	}

	err = disk.Commit(root, []disk.Change{
		{Name: "old", Data: []byte("new")}, {Name: "gone", Remove: true}, {Name: "never", Remove: true}, {Name: "deep/er/file", Data: []byte("x")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := filesBelow(t, dir); got != "deep/er/file locked old" {
		t.Error(got)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "old")); err != nil || string(data) != "new" {
		t.Error(string(data), err)
	}
	if info, err := os.Stat(filepath.Join(dir, "old")); err != nil || info.Mode().Perm() != 0o640 {
		t.Error(info.Mode(), err)
	}
}

// filesBelow lists all files below a folder; folders that hold none have a slash.
func filesBelow(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if err == nil && !e.IsDir() {
			out = append(out, filepath.ToSlash(rel))
		}
		if entries, _ := os.ReadDir(path); e.IsDir() && len(entries) == 0 {
			out = append(out, filepath.ToSlash(rel)+"/")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}
