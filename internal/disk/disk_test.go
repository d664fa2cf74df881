package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/disk"
)

// names lists what a folder holds, hidden files too.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestCreateMakesANewFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new")
	if err := disk.Create(path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "a" {
		t.Errorf("content %q", got)
	}
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := mode(t, path), mode(t, plain); got != want {
		t.Errorf("mode %v, want that of any new file, %v", got, want)
	}
	if diff := cmp.Diff([]string{"new", "plain"}, names(t, dir)); diff != "" {
		t.Errorf("something was left behind:\n%s", diff)
	}
}

func TestCreateNeverOverwrites(t *testing.T) {
	for name, prepare := range map[string]func(path string) error{
		"a file":              func(path string) error { return os.WriteFile(path, []byte("old"), 0o600) },
		"a folder":            func(path string) error { return os.Mkdir(path, 0o700) },
		"a link to nothing":   func(path string) error { return os.Symlink("nowhere", path) },
		"a link to something": func(path string) error { return os.Symlink(".", path) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "there")
			if err := prepare(path); err != nil {
				t.Fatal(err)
			}
			err := disk.Create(path, []byte("new"))
			if !errors.Is(err, fs.ErrExist) {
				t.Errorf("error %v, want %v", err, fs.ErrExist)
			}
			if diff := cmp.Diff([]string{"there"}, names(t, dir)); diff != "" {
				t.Error(diff)
			}
			if name == "a file" && content(t, path) != "old" {
				t.Error("the file was overwritten")
			}
		})
	}
}

func TestCreateInAFolderThatDoesNotExist(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no", "file")
	err := disk.Create(path, nil)
	if !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), ".kongctl-") {
		t.Errorf("error %v", err)
	}
}

func TestReplaceKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if err := disk.Replace(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "new" {
		t.Errorf("content %q", got)
	}
	if got := mode(t, path); got != 0o664 {
		t.Errorf("mode %v", got)
	}
	if to, err := os.Readlink(link); err != nil || to != "file" {
		t.Errorf("the link leads to %q: %v", to, err)
	}
	if diff := cmp.Diff([]string{"file", "link"}, names(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestReplaceRefuses(t *testing.T) {
	dir := t.TempDir()
	locked := filepath.Join(dir, "locked")
	if err := os.WriteFile(locked, []byte("old"), 0o400); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct{ path, want string }{
		"a read-only file": {locked, "read-only"},
		"a folder":         {dir, "folder"},
		"a device":         {os.DevNull, "regular"},
		"nothing":          {filepath.Join(dir, "no"), "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := disk.Replace(row.path, []byte("new")); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error %v, want one with %q", err, row.want)
			}
		})
	}
	if got := content(t, locked); got != "old" {
		t.Errorf("content %q", got)
	}
}

func TestSaveMakesFolders(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a/b/c")
	if err := disk.Savable(path); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("asking made %q", got)
	}
	if err := disk.Save(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "x" || mode(t, path) != 0o600 {
		t.Errorf("content %q, mode %o", got, mode(t, path))
	}
	for _, below := range []string{"a/b/c/d", "a/b/c/d/e"} {
		if err := disk.Savable(filepath.Join(dir, below)); err == nil {
			t.Errorf("%s can be written below a file", below)
		}
		if err := disk.Save(filepath.Join(dir, below), nil); err == nil {
			t.Errorf("%s was written below a file", below)
		}
	}
}
