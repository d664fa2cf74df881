//go:build real

package kube

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/test/kubetest"
)

// TestConnectionWatch asserts that a watch reports what is there and what
// changes, also across a restart of the API server.
func TestConnectionWatch(t *testing.T) {
	server := ownServer(t, kubetest.Options{})
	c := connect(t, server, "")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	k := c.kind("v1", "ConfigMap")
	apply := func(name string) {
		t.Helper()
		if _, err := c.Apply(ctx, k, c.object(strings.ReplaceAll(configMap, "settings", name)), cluster.ApplyOptions{Manager: manager}); err != nil {
			t.Fatal(err)
		}
	}
	apply("first")
	events := make(chan string, 100)
	done := make(chan error, 1)
	go func() {
		done <- c.Watch(ctx, k, c.namespace, cluster.ListOptions{}, func(e cluster.Event) error {
			switch e.Type {
			case cluster.Synced:
				events <- "synced"
			case cluster.Present:
				events <- "+" + e.Object.GetName()
			case cluster.Gone:
				events <- "-" + e.Object.GetName()
			}
			return nil
		})
	}()
	expect := func(want string) {
		t.Helper()
		select {
		case got := <-events:
			if got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
		case <-ctx.Done():
			t.Fatalf("no %s", want)
		}
	}
	expect("+first")
	expect("synced")
	apply("second")
	expect("+second")
	server.KillAPI()
	if err := server.StartAPI(); err != nil {
		t.Fatal(err)
	}
	if err := c.Delete(ctx, k, c.namespace, "first", cluster.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	expect("-first")
	apply("third")
	expect("+third")
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a watch that was told to stop: %v", err)
	}
}

// TestConnectionLost asserts that reads and repeatable writes survive a restart
// of the API server, and that a server that is gone is reported as such.
func TestConnectionLost(t *testing.T) {
	server := ownServer(t, kubetest.Options{})
	c := connect(t, server, "")
	k := c.kind("v1", "ConfigMap")
	server.KillAPI()
	started := make(chan error, 1)
	go func() { started <- server.StartAPI() }()
	began := time.Now()
	if _, err := c.Apply(t.Context(), k, c.object(configMap), cluster.ApplyOptions{Manager: manager}); err != nil {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	server.KillAPI()
	fresh := c.as("")
	began = time.Now()
	_, err := fresh.Kind(t.Context(), schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("a server that never answered is waited for for %s", took)
	}
	silence, ok := resource.Unreachable(err)
	if !ok || !strings.HasPrefix(silence.Host, "127.0.0.1:") || !resource.Unsent(err) {
		t.Errorf("%v", err)
	}
	t.Log(err)
}
