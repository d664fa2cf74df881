//go:build real

package kube

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/kongctl/kongctl/test/kubetest"
	"github.com/kongctl/kongctl/test/page"
)

// TestPage runs every command block of docs/kubernetes.md in one shell, in order,
// as a reader would paste them, in a copy of the repository and against a cluster
// of its own. What the page shows is printed.
func TestPage(t *testing.T) {
	root, err := kubetest.Root()
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.Read(filepath.Join(root, "docs", "kubernetes.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := page.Copy(root, dir); err != nil {
		t.Fatal(err)
	}
	m, err := newMachine(ownServer(t, kubetest.Options{Controllers: true, Kubelet: true}), dir, "default")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.gate.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	out, err := page.Run(ctx, p.Commands, dir, m.env)
	if err != nil {
		t.Fatalf("the commands of the page: %v\n%s", err, out)
	}
	for _, line := range p.Missing(out) {
		t.Errorf("the commands of the page do not print %q", line)
	}
	if t.Failed() {
		t.Log(out)
	}
}
