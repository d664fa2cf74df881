//go:build real

package real

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// commandBlock is a block of a page that a reader pastes into a shell.
var commandBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// TestReadme runs every command block of README.md in one shell, in order, as a
// reader would paste them, in a copy of the repository. The one line it leaves
// out is make test: continuous integration runs that before this test.
func TestReadme(t *testing.T) {
	m := newMachine(t)
	page, err := os.ReadFile(filepath.Join(m.root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(page), "\n```\n") - strings.Count(string(page), "\n```sh\n"); n != 0 {
		t.Errorf("README.md has %d blocks that are not marked as sh, and so not run", n)
	}
	var script strings.Builder
	script.WriteString("set -euo pipefail\n")
	blocks := commandBlock.FindAllStringSubmatch(string(page), -1)
	for _, block := range blocks {
		for line := range strings.Lines(block[1]) {
			if line != "make test\n" {
				script.WriteString(line)
			}
		}
	}
	if !strings.Contains(script.String(), "kongctl sync") {
		t.Fatal("README.md has no command block with kongctl sync")
	}
	script.WriteString("kongctl local stop\n")

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-x", "-c", script.String())
	cmd.Dir = clone(t, m.root)
	cmd.Env = append(m.env, goEnvironment(t)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the commands of README.md: %v\n%s", err, out)
	}
	for _, want := range []string{"5 created", "No changes", "No drift", `"total":2`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the commands of README.md do not print %q:\n%s", want, out)
		}
	}
}

// clone copies the files of the repository, committed or not, into a folder.
func clone(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	for name := range strings.Lines(string(names)) {
		name = strings.TrimSpace(name)
		raw, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // removed and not committed yet
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), raw, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// goEnvironment lets the go command find its caches although HOME is empty.
func goEnvironment(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GONOSUMDB", "GOSUMDB", "GOTOOLCHAIN"} {
		raw, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatalf("go env %s: %v", name, err)
		}
		out = append(out, name+"="+strings.TrimSpace(string(raw)))
	}
	return out
}
