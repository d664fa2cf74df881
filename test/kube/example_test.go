//go:build real

package kube

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/test/kubetest"
)

// Every example that needs a cluster is run by a script.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var scripts strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		scripts.Write(raw)
	}
	examples, err := filepath.Glob("../../examples/*")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, dir := range examples {
		needs, err := kubetest.NeedsCluster(dir)
		if err != nil {
			t.Fatal(err)
		}
		if !needs {
			continue
		}
		found++
		if !strings.Contains(scripts.String(), "$EXAMPLES/"+filepath.Base(dir)+" ") {
			t.Errorf("no script of testdata runs %s", dir)
		}
	}
	if found == 0 {
		t.Error("no example needs a cluster")
	}
}
