package explain_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

var update = flag.Bool("update", false, "write the reference")

const referenceDir = "../../../docs/reference"

// TestReference compares the pages of the reference with the catalog; -update
// writes them.
func TestReference(t *testing.T) {
	x, _ := explainer(t)
	pages := map[string]string{"README.md": x.Index()}
	for _, f := range catalog.Families() {
		pages[f.Name+".md"] = x.Page(f)
	}
	if *update {
		if err := os.MkdirAll(referenceDir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range pages {
		file := filepath.Join(referenceDir, name)
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("docs/reference/%s is out of date; run make docs (%v)", name, err)
		}
	}
	found, err := os.ReadDir(referenceDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if pages[f.Name()] == "" {
			t.Errorf("docs/reference/%s is not the page of a family", f.Name())
		}
	}
}
