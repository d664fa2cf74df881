package archtest

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"
)

// plainName is how files and folders of the tree are called. Tests of file names
// make theirs in a folder of their own.
var plainName = regexp.MustCompile(`^[A-Za-z0-9._@+-]+$`)

// TestFileNames asserts that no test left a file in the tree.
func TestFileNames(t *testing.T) {
	found, err := oddNames(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range found {
		t.Errorf("%q is not the name of a source file: did a test write it?", name)
	}
}

func TestOddNames(t *testing.T) {
	found, err := oddNames(fstest.MapFS{"a/b.go": {}, "a/\x1b[2J": {}, ".git/x y": {}})
	if err != nil || !slices.Equal(found, []string{"a/\x1b[2J"}) {
		t.Errorf("found %q, %v", found, err)
	}
}

// oddNames lists files and folders whose names are not plain.
func oddNames(root fs.FS) (out []string, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (skipDir(d.Name()) != nil || name == "bin" || name == "dist"):
			return fs.SkipDir
		case name != "." && !plainName.MatchString(d.Name()):
			out = append(out, name)
		}
		return nil
	})
	return out, err
}
