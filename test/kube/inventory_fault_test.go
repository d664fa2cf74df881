//go:build real

package kube

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/test/kubetest"
)

// TestInventoryFaults asserts that an inventory survives a full store and a
// restart of the API server, with an error that says what is wrong.
func TestInventoryFaults(t *testing.T) {
	server := ownServer(t, kubetest.Options{})
	c := connect(t, server, "")
	withGroups(t, c)
	inv := c.inventory("faults")
	inv.Entries = c.entries(0, 3)
	c.save(inv, inventory.SaveOptions{})

	if err := server.FillStorage(); err != nil {
		t.Fatal(err)
	}
	inv.Entries = c.entries(0, 5)
	began := time.Now()
	err := inventory.Save(t.Context(), c.Cluster, inv, inventory.SaveOptions{})
	if err == nil || !strings.Contains(err.Error(), "update ResourceGroup "+c.namespace+"/faults: ") || !strings.Contains(err.Error(), "space exceeded") || !resource.Uncertain(err) {
		t.Errorf("%v", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the error took %s", took)
	}
	t.Log(err)
	if diff := cmp.Diff(c.entries(0, 3), c.load("faults").Entries); diff != "" {
		t.Error(diff)
	}
	if err := server.FreeStorage(); err != nil {
		t.Fatal(err)
	}
	c.save(inv, inventory.SaveOptions{})

	server.KillAPI()
	started := make(chan error, 1)
	go func() { started <- server.StartAPI() }()
	inv.Entries = c.entries(0, 7)
	c.save(inv, inventory.SaveOptions{})
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c.entries(0, 7), c.load("faults").Entries); diff != "" {
		t.Error(diff)
	}
}
