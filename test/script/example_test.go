package script

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kongctl/kongctl/test/kubetest"
)

// Every example can be brought about; then nothing is left to do, and a second
// run sends no request that is not a GET. Those that need a Kubernetes cluster are
// run in test/kube.
func TestExamples(t *testing.T) {
	folders, err := os.ReadDir("../../examples")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	scripts := t.TempDir()
	for _, f := range folders {
		if !f.IsDir() || f.Name() == "ci" {
			continue // pipelines: TestPipelines runs them
		}
		needs, err := kubetest.NeedsCluster(filepath.Join("../../examples", f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if needs {
			continue
		}
		script := fmt.Sprintf(`
env PAYMENTS_PROVIDER_KEY=example-value
env EVENT_FIELDS_KEY=MDEyMzQ1Njc4OWFiY2RlZg==
exec kongctl sync --dir $EXAMPLES/%[1]s --auto-approve
! writes 0
exec kongctl sync --dir $EXAMPLES/%[1]s --auto-approve
stdout 'No changes'
exec kongctl apply --dir $EXAMPLES/%[1]s --auto-approve
stdout 'No changes'
writes 0
`, f.Name())
		if err := os.WriteFile(filepath.Join(scripts, f.Name()+".txtar"), []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := params(t)
	p.Dir = scripts
	testscript.Run(t, p)
}
