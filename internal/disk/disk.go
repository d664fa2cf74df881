// Package disk writes files whole or not at all.
//
// In: paths and bytes. Out: files that only their owner may read, and errors
// without the names of temporary files. It must never import another package of
// this program.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file that only its owner may read, whole or not at all:
// who reads it at any time finds the old or the new content.
func Write(path string, data []byte) error {
	target := Real(path)
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("write %s: it is a folder", path)
	case err == nil && !info.Mode().IsRegular():
		return writeDevice(path, data)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("write %s: %w", path, Cause(err))
	}
	return swap(path, target, data, private)
}

// Save is Write for a file that people name: folders of the path that are missing
// are made.
func Save(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", path, Cause(err))
	}
	return Write(path, data)
}

// private is the mode of a file that only its owner may read.
const private fs.FileMode = 0o600

// swap puts a file with the content and the mode in the place of the target.
func swap(path, target string, data []byte, mode fs.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(target), ".kongctl-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, Cause(err))
	}
	err = fill(temp, data)
	if err == nil && mode != private {
		err = os.Chmod(temp.Name(), mode)
	}
	if err == nil {
		err = os.Rename(temp.Name(), target)
	}
	if err != nil {
		_ = os.Remove(temp.Name()) // the first error is the one to tell
		return fmt.Errorf("write %s: %w", path, Cause(err))
	}
	return nil
}

// fill writes all of a file and closes it.
func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Savable reports, before anything is done, why Save would fail. It makes nothing.
func Savable(path string) error {
	for {
		dir := filepath.Dir(path)
		info, err := os.Stat(dir)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("write %s: %s is not a folder", path, dir)
		case errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir):
			path = dir
		default:
			return Writable(path)
		}
	}
}

// Writable reports, before anything is done, why a file could not be written.
func Writable(path string) error {
	target := Real(path)
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("write %s: it is a folder", path)
		}
		return nil
	}
	temp, err := os.CreateTemp(filepath.Dir(target), ".kongctl-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, Cause(err))
	}
	if err := errors.Join(temp.Close(), os.Remove(temp.Name())); err != nil {
		return fmt.Errorf("write %s: %w", path, Cause(err))
	}
	return nil
}

// writeDevice writes to what cannot be replaced: a pipe, a device.
func writeDevice(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, Cause(err))
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, Cause(err))
	}
	return nil
}

// Cause drops the name of the file that was used on the way.
func Cause(err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr):
		return pathErr.Err
	case errors.As(err, &linkErr):
		return linkErr.Err
	default:
		return err
	}
}

// Real follows links where the path exists.
func Real(path string) string {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	return resolved
}
