package kubetest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
)

// NeedsCluster reports whether a folder with configuration holds a ResourceGroup,
// and so Kubernetes objects.
func NeedsCluster(dir string) (needs bool, err error) {
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(file)
		needs = needs || bytes.Contains(raw, []byte("kind: ResourceGroup"))
		return err
	})
	return needs, err
}
