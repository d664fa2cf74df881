package script

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kongctl/kongctl/test/page"
)

// TestFunctionsPage runs every command block of docs/functions.md in one shell, in
// order, as a reader would paste them, and looks at what came of it.
func TestFunctionsPage(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the page is for a shell")
	}
	functions, err := page.Read("../../docs/functions.md")
	if err != nil {
		t.Fatal(err)
	}
	script := "exec sh -e commands.sh\n" +
		"cmp shop/web.yaml want.yaml\n" +
		"cmp copy/web.yaml want.yaml\n" +
		"cmp scaled/resourcegroup.yaml shop/resourcegroup.yaml\n" +
		"cmp rendered/Kptfile shop/Kptfile\n" +
		"exists results/results.yaml\n" +
		"grep 'kind: ResourceList' stdout-of-page\n" +
		"-- want.yaml --\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  replicas: 3 # one is enough for now\n" +
		"-- commands.sh --\nexec > stdout-of-page\n" + functions.Commands
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "functions.txtar"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	p := params(t)
	p.Dir = dir
	testscript.Run(t, p)
}
