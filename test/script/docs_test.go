package script

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/test/page"
)

// TestDocs runs the blocks of documentation pages that are marked as runnable, a
// shell and an embedded Konnect of its own for each page, on a terminal where
// every question is answered with yes.
func TestDocs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pages are for a shell")
	}
	ran := 0
	err := filepath.WalkDir("../../docs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		s, err := page.ReadSession(name)
		if err != nil || s == nil {
			return err
		}
		ran++
		t.Run(strings.TrimSuffix(d.Name(), ".md"), func(t *testing.T) {
			t.Parallel()
			follow(t, s)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if ran == 0 {
		t.Error("no page has a runnable block: has their mark changed?")
	}
}

// follow does what a page says, in a folder with the examples.
func follow(t *testing.T, s *page.Session) {
	t.Helper()
	home, dir := t.TempDir(), t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("../../examples")); err != nil {
		t.Fatal(err)
	}
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CI=true", "KONGCTL_KONNECT_LOGIN_STORE=file",
		"KONGCTL_LOCAL_DATA=" + filepath.Join(home, "konnect"), "TMPDIR=" + home,
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	printed, err := page.RunOnTerminal(ctx, s.Script(), dir, env)
	for _, problem := range s.Check(printed) {
		t.Error(problem)
	}
	if err != nil && !t.Failed() {
		t.Errorf("%v:\n%s", err, printed)
	}
}
