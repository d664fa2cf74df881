//go:build real

package real

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/test/page"
)

// TestReadme runs every command block of README.md in one shell, in order, as a
// reader would paste them, in a copy of the repository. The one line it leaves
// out is make test: continuous integration runs that before this test.
func TestReadme(t *testing.T) {
	m := newMachine(t)
	p, err := page.Read(filepath.Join(m.root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	// No server is left behind, also when a command fails.
	script := "trap 'kongctl local stop' EXIT\n" + strings.ReplaceAll(p.Commands, "make test\n", "")
	if !strings.Contains(script, "kongctl sync") {
		t.Fatal("README.md has no command block with kongctl sync")
	}
	dir := t.TempDir()
	if err := page.Copy(m.root, dir); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	out, err := page.RunOnTerminal(ctx, script, dir, append(m.env, goEnvironment(t)...))
	if err != nil {
		t.Fatalf("the commands of README.md: %v\n%s", err, out)
	}
	for _, want := range append(p.Output, "5 created", "No changes", "1 changed in Konnect", "exit status 2", "2 deleted", `"total":1`) {
		if !strings.Contains(out, want) {
			t.Errorf("the commands of README.md do not print %q:\n%s", want, out)
		}
	}
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
