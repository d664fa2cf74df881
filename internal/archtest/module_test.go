package archtest

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestModule asserts that `go install` can build the program as a module.
func TestModule(t *testing.T) {
	raw, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range uninstallable(raw) {
		t.Errorf("go.mod: %s", problem)
	}
	for _, page := range []string{"../../README.md", "../../docs/install.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if want := "go install " + modulePath(raw) + "/cmd/kongctl@latest"; !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %q", page, want)
		}
	}
}

func TestUninstallable(t *testing.T) {
	const good = "module example.com/x\n\ngo 1.26\n"
	for text, want := range map[string]int{
		good:                                      0,
		"module x\n\ngo 1.26\n":                   1,
		"module x/y\n\ngo 1.26\n":                 1,
		good + "replace a.com/b => ./b\n":         1,
		good + "exclude a.com/b v1.0.0\n":         1,
		good + "exclude (\n\ta.com/b v1.0.0\n)\n": 1,
		"module x\nreplace a.com/b => ../b\n":     2,
		good + "require example.com/y v1.0.0\n":   0,
	} {
		if got := uninstallable([]byte(text)); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}

var (
	moduleLine  = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)"?\s*$`)
	refusedLine = regexp.MustCompile(`(?m)^(replace|exclude)\b.*`)
)

// modulePath is the path that a go.mod gives its module.
func modulePath(raw []byte) string {
	if found := moduleLine.FindSubmatch(raw); found != nil {
		return string(found[1])
	}
	return ""
}

// uninstallable says why a module cannot be installed by its path and a version.
func uninstallable(raw []byte) (out []string) {
	if host, _, _ := strings.Cut(modulePath(raw), "/"); !strings.Contains(host, ".") {
		out = append(out, "its path has no host")
	}
	for _, line := range refusedLine.FindAll(raw, -1) {
		out = append(out, "go install refuses a module with "+string(line))
	}
	return out
}
