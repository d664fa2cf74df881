package explain_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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

// No table of facts has two rows of one name.
func TestFactsHaveTheirOwnNames(t *testing.T) {
	x, _ := explainer(t)
	tables := 0
	for _, f := range catalog.Families() {
		for _, section := range strings.Split(x.Page(f), "\n## ")[1:] {
			kind, rest, _ := strings.Cut(section, "\n")
			_, table, ok := strings.Cut(rest, "| | |\n|---|---|\n")
			if !ok {
				continue
			}
			tables++
			table, _, _ = strings.Cut(table, "\n\n")
			seen := map[string]bool{}
			for _, row := range strings.Split(table, "\n") {
				name := strings.TrimSpace(strings.Split(row, "|")[1])
				if seen[name] && name != "" {
					t.Errorf("%s has two rows %q", kind, name)
				}
				seen[name] = true
			}
		}
	}
	if tables < 50 {
		t.Errorf("only %d tables", tables)
	}
}

var emptyCode = regexp.MustCompile("(?m)(^|[^`])``($|[^`])")

// No page has code without anything in it, in a cell or elsewhere.
func TestPagesHaveNoEmptyCode(t *testing.T) {
	x, _ := explainer(t)
	pages := map[string]string{"README.md": x.Index()}
	for _, f := range catalog.Families() {
		pages[f.Name+".md"] = x.Page(f)
	}
	for name, page := range pages {
		for _, line := range strings.Split(page, "\n") {
			if emptyCode.MatchString(line) {
				t.Errorf("%s has empty code: %s", name, line)
			}
		}
	}
}
