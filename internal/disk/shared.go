package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Create writes a new file that others may read as the umask allows, whole or not
// at all. Where there is something already, it changes nothing and the error is
// fs.ErrExist.
func Create(path string, data []byte) error {
	if err := create(path, data); err != nil {
		return fmt.Errorf("write %s: %w", path, Cause(err))
	}
	return nil
}

func create(path string, data []byte) error {
	// In a folder of its own the file gets the mode that the umask allows.
	dir, err := os.MkdirTemp(filepath.Dir(path), ".kongctl-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left there is of no use
	name := filepath.Join(dir, "file")
	temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if err := fill(temp, data); err != nil {
		return err
	}
	// A link never replaces what is there; some file systems have none.
	switch err := os.Link(name, path); {
	case err == nil, errors.Is(err, fs.ErrExist):
		return err
	}
	switch _, err := os.Lstat(path); {
	case err == nil:
		return fs.ErrExist
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return os.Rename(name, path)
}

// Replace writes a file that exists, whole or not at all, and keeps its mode.
// Links are followed. A read-only file is refused: whoever made it so did not
// want it changed.
func Replace(path string, data []byte) error {
	mode, err := Replaceable(path)
	if err != nil {
		return err
	}
	return swap(path, Real(path), data, mode)
}

// Replaceable returns the mode of a file, or why Replace would refuse it.
func Replaceable(path string) (fs.FileMode, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return 0, fmt.Errorf("write %s: %w", path, Cause(err))
	case info.IsDir():
		return 0, fmt.Errorf("write %s: it is a folder", path)
	case !info.Mode().IsRegular():
		return 0, fmt.Errorf("write %s: it is not a regular file", path)
	case info.Mode().Perm()&0o200 == 0:
		return 0, fmt.Errorf("write %s: it is read-only; make it writable first", path)
	}
	return info.Mode().Perm(), nil
}
