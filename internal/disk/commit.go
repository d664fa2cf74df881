package disk

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Change is what becomes of one file in a folder.
type Change struct {
	// Name is the path below the folder, with slashes.
	Name string
	Data []byte
	// Remove removes the file.
	Remove bool
	// Private lets only its owner read a new file.
	Private bool
}

// Commit changes files of a folder and never leaves it, whatever links there are.
// All new content is written to the disk first and then put in place, file by
// file: want of space or rights shows before any file has changed. Files keep
// their mode; a read-only file is refused.
func Commit(root *os.Root, changes []Change) (err error) {
	staged := make([]string, len(changes))
	var made []string
	defer func() {
		for _, name := range staged {
			if name != "" {
				_ = root.Remove(name) // gone where it was put in place
			}
		}
		if err == nil {
			return
		}
		for _, dir := range slices.Backward(made) {
			_ = root.Remove(dir) // not where a file has come into it
		}
	}()
	for i, c := range changes {
		if c.Remove {
			continue
		}
		folders, err := makeFolders(root, path.Dir(c.Name))
		made = append(made, folders...)
		if err != nil {
			return fmt.Errorf("write %s: %w", c.Name, Cause(err))
		}
		staged[i] = path.Join(path.Dir(c.Name), ".kongctl-"+rand.Text())
		if err := stage(root, staged[i], c); err != nil {
			return fmt.Errorf("write %s: %w", c.Name, Cause(err))
		}
	}
	for i, c := range changes {
		if c.Remove {
			if err := root.Remove(filepath.FromSlash(c.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("remove %s: %w", c.Name, Cause(err))
			}
			continue
		}
		if err := root.Rename(filepath.FromSlash(staged[i]), filepath.FromSlash(c.Name)); err != nil {
			return fmt.Errorf("write %s: %w", c.Name, Cause(err))
		}
		staged[i] = ""
	}
	return nil
}

// makeFolders makes a folder and those above it, and returns which it made.
func makeFolders(root *os.Root, dir string) (made []string, err error) {
	if dir == "." {
		return nil, nil
	}
	if made, err = makeFolders(root, path.Dir(dir)); err != nil {
		return made, err
	}
	switch err := root.Mkdir(filepath.FromSlash(dir), 0o777); {
	case err == nil:
		return append(made, dir), nil
	case errors.Is(err, fs.ErrExist):
		return made, nil
	default:
		return made, err
	}
}

// stage writes the content of a file beside it.
func stage(root *os.Root, name string, c Change) error {
	mode, keep := fs.FileMode(0o666), false
	if c.Private {
		mode = private
	}
	if info, err := root.Lstat(filepath.FromSlash(c.Name)); err == nil {
		mode, keep = info.Mode().Perm(), true
		switch {
		case !info.Mode().IsRegular():
			return errors.New("it is not a regular file")
		case mode&0o200 == 0:
			return errors.New("it is read-only")
		}
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(c.Data)
	if err == nil && keep {
		err = f.Chmod(mode) // the mask of the process may have taken some away
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
