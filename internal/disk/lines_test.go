package disk_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/kongctl/kongctl/internal/disk"
)

func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	l, err := disk.NewLines(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := disk.NewLines(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second one: %v", err)
	}
	if got := mode(t, path); got != 0o600 {
		t.Errorf("mode %v", got)
	}
	for i, want := range []string{"a\n", "a\nb\n"} {
		if err := l.Add([]byte{byte('a' + i)}); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != want {
			t.Errorf("after %d lines: %q", i+1, got)
		}
	}
	if n, err := l.Close(); n != 2 || err != nil {
		t.Errorf("closed: %d %v", n, err)
	}
	if err := l.Add([]byte("c")); err == nil || content(t, path) != "a\nb\n" {
		t.Errorf("added to a file that is closed: %v", err)
	}
}

// A file without a line was of no use.
func TestLinesWithoutLines(t *testing.T) {
	dir := t.TempDir()
	l, err := disk.NewLines(filepath.Join(dir, "lines"))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := l.Close(); n != 0 || err != nil || len(names(t, dir)) > 0 {
		t.Errorf("%d %v %v", n, err, names(t, dir))
	}
	if _, err := disk.NewLines(filepath.Join(dir, "none", "lines")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}
