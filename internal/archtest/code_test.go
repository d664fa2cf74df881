package archtest

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTroubleshooting asserts that the page for those who look for a cause names all
// families of diagnostics.
func TestTroubleshooting(t *testing.T) {
	all, err := os.ReadFile("../../docs/diagnostics.md")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	families := regexp.MustCompile(`(?m)^## ([A-Z]+): `).FindAllStringSubmatch(string(all), -1)
	if len(families) < 10 {
		t.Errorf("docs/diagnostics.md has %d families", len(families))
	}
	for _, f := range families {
		if !strings.Contains(string(page), "\n| ["+f[1]+"](diagnostics.md#") {
			t.Errorf("docs/troubleshooting.md does not name %s", f[1])
		}
	}
}
