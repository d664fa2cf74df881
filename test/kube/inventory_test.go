//go:build real

package kube

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/test/kubetest"
)

// withGroups makes a cluster know ResourceGroups.
func withGroups(t *testing.T, c *connection) {
	t.Helper()
	if _, err := inventory.InstallCRD(t.Context(), c.Cluster, false); err != nil {
		t.Fatal(err)
	}
}

func (c *connection) entries(from, to int) []inventory.Entry {
	var out []inventory.Entry
	for i := from; i < to; i++ {
		out = append(out, inventory.Entry{ID: object.ID{Kind: "ConfigMap", Namespace: c.namespace, Name: fmt.Sprintf("c-%05d", i)}})
	}
	return out
}

func (c *connection) inventory(name string) *inventory.Inventory {
	return &inventory.Inventory{Name: name, Namespace: c.namespace, ID: name + "-" + c.namespace}
}

func (c *connection) load(name string) *inventory.Inventory {
	c.t.Helper()
	out, err := inventory.Load(c.t.Context(), c.Cluster, c.namespace, name)
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

func (c *connection) save(inv *inventory.Inventory, o inventory.SaveOptions) {
	c.t.Helper()
	if err := inventory.Save(c.t.Context(), c.Cluster, inv, o); err != nil {
		c.t.Fatal(err)
	}
}

// groups returns the names of the ResourceGroups, with how much they list.
func (c *connection) groups() map[string]int {
	c.t.Helper()
	list, err := c.List(c.t.Context(), inventory.Kind, c.namespace, cluster.ListOptions{})
	if err != nil {
		c.t.Fatal(err)
	}
	out := map[string]int{}
	for _, u := range list {
		resources, _, _ := unstructured.NestedSlice(u.Object, "spec", "resources")
		out[u.GetName()] = len(resources)
	}
	return out
}

// TestInventoryDefinition asserts that the definition is installed when it is
// missing, completed when it is old, and left alone otherwise.
func TestInventoryDefinition(t *testing.T) {
	c := connect(t, ownServer(t, kubetest.Options{}), "")
	ctx := t.Context()
	const name = "resourcegroups.kpt.dev"
	if got := c.load("none"); got != nil {
		t.Errorf("without a definition there is %v", got)
	}
	if list, err := inventory.ByID(ctx, c.Cluster, "none"); err != nil || list != nil {
		t.Errorf("by id: %v, %v", list, err)
	}
	if err := inventory.Save(ctx, c.Cluster, c.inventory("a"), inventory.SaveOptions{DryRun: true}); err != nil {
		t.Errorf("dry run without a definition: %v", err)
	}
	if err := inventory.Save(ctx, c.Cluster, c.inventory("a"), inventory.SaveOptions{}); !resource.Missing(err) {
		t.Errorf("save without a definition: %v", err)
	}
	began := time.Now()
	if installed, err := inventory.InstallCRD(ctx, c.Cluster, false); err != nil || !installed {
		t.Fatalf("install: %t, %v", installed, err)
	}
	t.Logf("installed in %s", time.Since(began))
	c.save(c.inventory("a"), inventory.SaveOptions{})
	if installed, err := inventory.InstallCRD(ctx, c.Cluster, false); err != nil || installed {
		t.Errorf("install again: %t, %v", installed, err)
	}
	c.kind("kpt.dev/v1alpha1", "ResourceGroup")

	// An old one, with a field that ours does not have.
	patch := `[{"op":"remove","path":"/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/resourceStatuses/items/properties/strategy"},
		{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/subgroups","value":{"type":"array","items":{"type":"object"}}}]`
	c.kubectl("", "patch", "crd", name, "--type=json", "-p", patch)
	if installed, err := inventory.InstallCRD(ctx, c.Cluster, false); err != nil || !installed {
		t.Errorf("update: %t, %v", installed, err)
	}
	live, err := c.Get(ctx, cluster.CRDs, "", name)
	if err != nil {
		t.Fatal(err)
	}
	if old, err := inventory.Outdated(live); err != nil || old {
		t.Errorf("outdated: %t, %v", old, err)
	}
	versions, _, _ := unstructured.NestedSlice(live.Object, "spec", "versions")
	if _, ok, _ := unstructured.NestedMap(versions[0].(map[string]any), "schema", "openAPIV3Schema", "properties", "spec", "properties", "subgroups"); !ok {
		t.Error("the update removed a field of others")
	}
	if _, err := inventory.InstallCRD(ctx, c.as(kubetest.Limited), false); !resource.Unauthorized(err) {
		t.Errorf("a user who may not: %v", err)
	}
}

// TestInventory leads an inventory through its life.
func TestInventory(t *testing.T) {
	c := connect(t, sharedServer(t), "")
	withGroups(t, c)
	ctx := t.Context()
	inv := c.inventory("life")
	inv.Labels = map[string]string{"team": "a"}
	inv.Annotations = map[string]string{"note": "x"}
	inv.Entries = c.entries(0, 3)
	c.save(inv, inventory.SaveOptions{})
	for i := range inv.Entries {
		inv.Entries[i].Strategy, inv.Entries[i].Actuation, inv.Entries[i].Reconcile = inventory.StrategyApply, inventory.Succeeded, inventory.Pending
	}
	if err := inventory.SaveStatus(ctx, c.Cluster, inv); err != nil {
		t.Fatal(err)
	}
	version := inv.Version
	c.save(inv, inventory.SaveOptions{})
	if err := inventory.SaveStatus(ctx, c.Cluster, inv); err != nil || inv.Version != version {
		t.Errorf("what is saved was written again: %v", err)
	}

	got := c.load("life")
	want := c.entries(0, 3)
	for i := range want {
		want[i].Strategy, want[i].Actuation, want[i].Reconcile, want[i].Status = "Apply", "Succeeded", "Pending", "Unknown"
	}
	if diff := cmp.Diff(want, got.Entries); diff != "" {
		t.Error(diff)
	}
	if got.ID != inv.ID || got.Labels["team"] != "a" || got.Annotations["note"] != "x" || got.Generation != 1 || got.UID != inv.UID {
		t.Errorf("%+v", got)
	}
	raw, err := c.Get(ctx, inventory.Kind, c.namespace, "life")
	if err != nil {
		t.Fatal(err)
	}
	status := raw.Object["status"].(map[string]any)
	if status["observedGeneration"] != int64(1) {
		t.Errorf("status %v", status)
	}
	if list, err := inventory.ByID(ctx, c.Cluster, inv.ID); err != nil || len(list) != 1 || list[0].Name != "life" {
		t.Errorf("by id: %v, %v", list, err)
	}

	stale := c.load("life")
	got.Entries = nil
	c.save(got, inventory.SaveOptions{})
	if n := len(c.load("life").Entries); n != 0 {
		t.Errorf("%d entries stay", n)
	}
	if err := inventory.Delete(ctx, c.Cluster, got); err != nil {
		t.Fatal(err)
	}
	again := c.inventory("life")
	c.save(again, inventory.SaveOptions{})
	if err := inventory.Delete(ctx, c.Cluster, stale); err == nil {
		t.Error("another inventory of that name was deleted")
	}
}

// TestInventoryWriters asserts that writers at the same time lose nothing of
// each other.
func TestInventoryWriters(t *testing.T) {
	c := connect(t, sharedServer(t), "")
	withGroups(t, c)
	for _, limit := range []int{0, 20} {
		t.Run(fmt.Sprintf("limit %d", limit), func(t *testing.T) {
			o := inventory.SaveOptions{Split: true, Limit: inventory.Limit{Entries: limit}}
			name := fmt.Sprintf("writers-%d", limit)
			const writers, each = 6, 10
			errs := make(chan error)
			for w := range writers {
				go func() {
					inv, err := inventory.Load(t.Context(), c.Cluster, c.namespace, name)
					if inv == nil && err == nil {
						inv = c.inventory(name)
					}
					if err == nil {
						inv.Entries = append(inv.Entries, c.entries(w*each, (w+1)*each)...)
						err = inventory.Save(t.Context(), c.Cluster, inv, o)
					}
					errs <- err
				}()
			}
			for range writers {
				if err := <-errs; err != nil {
					t.Error(err)
				}
			}
			got := c.load(name)
			if diff := cmp.Diff(c.entries(0, writers*each), got.Entries); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("one adds while another removes", func(t *testing.T) {
		first := c.inventory("both")
		first.Entries = c.entries(0, 4)
		c.save(first, inventory.SaveOptions{})
		second := c.load("both")
		second.Entries = c.entries(0, 6)
		c.save(second, inventory.SaveOptions{})
		first.Entries = c.entries(0, 2)
		c.save(first, inventory.SaveOptions{})
		if diff := cmp.Diff(append(c.entries(0, 2), c.entries(4, 6)...), c.load("both").Entries); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("one deletes it", func(t *testing.T) {
		first := c.inventory("deleted")
		first.Entries = c.entries(0, 4)
		c.save(first, inventory.SaveOptions{})
		if err := inventory.Delete(t.Context(), c.Cluster, c.load("deleted")); err != nil {
			t.Fatal(err)
		}
		first.Entries = c.entries(0, 5)
		c.save(first, inventory.SaveOptions{})
		if diff := cmp.Diff(c.entries(0, 5), c.load("deleted").Entries); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("another id", func(t *testing.T) {
		first := c.inventory("ids")
		c.save(first, inventory.SaveOptions{})
		other := c.inventory("ids")
		other.ID = "other"
		var wrong *inventory.IDError
		if err := inventory.Save(t.Context(), c.Cluster, other, inventory.SaveOptions{}); !errors.As(err, &wrong) {
			t.Error(err)
		}
		first.ID = "new"
		c.save(first, inventory.SaveOptions{})
		if got := c.load("ids"); got.ID != "new" {
			t.Errorf("id %q", got.ID)
		}
	})
}

// TestInventorySplit asserts that an inventory that one ResourceGroup cannot hold
// is refused or spread, and comes together again.
func TestInventorySplit(t *testing.T) {
	c := connect(t, sharedServer(t), "")
	withGroups(t, c)
	limit := inventory.Limit{Entries: 20}
	inv := c.inventory("split")
	inv.Entries = c.entries(0, 45)
	var large *inventory.TooLargeError
	if err := inventory.Save(t.Context(), c.Cluster, inv, inventory.SaveOptions{Limit: limit}); !errors.As(err, &large) || len(c.groups()) != 0 {
		t.Fatalf("%v, %v", err, c.groups())
	}
	t.Log(large)
	c.save(inv, inventory.SaveOptions{Limit: limit, Split: true})
	// One entry of each keeps kpt away.
	if diff := cmp.Diff(map[string]int{"split": 21, "split-part-2": 21, "split-part-3": 6}, c.groups()); diff != "" {
		t.Error(diff)
	}
	got := c.load("split")
	if diff := cmp.Diff(c.entries(0, 45), got.Entries); diff != "" {
		t.Error(diff)
	}
	raw, err := c.Get(t.Context(), inventory.Kind, c.namespace, "split-part-2")
	if err != nil || raw.GetLabels()[object.InventoryID] != "" {
		t.Errorf("the part can be taken for an inventory: %v, %v", raw.GetLabels(), err)
	}
	for i := range got.Entries {
		got.Entries[i].Strategy = inventory.StrategyApply
	}
	if err := inventory.SaveStatus(t.Context(), c.Cluster, got); err != nil {
		t.Error(err)
	}
	if e := c.load("split").Entries[44]; e.Strategy != inventory.StrategyApply {
		t.Errorf("status of the last part: %+v", e)
	}

	got.Entries = append(c.entries(0, 30), c.entries(100, 103)...)
	c.save(got, inventory.SaveOptions{Limit: limit}) // it stays split without being asked
	if diff := cmp.Diff(map[string]int{"split": 21, "split-part-2": 14}, c.groups()); diff != "" {
		t.Error(diff)
	}
	got.Entries = c.entries(10, 25)
	c.save(got, inventory.SaveOptions{Limit: limit})
	if diff := cmp.Diff(map[string]int{"split": 15}, c.groups()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(c.entries(10, 25), c.load("split").Entries, ignoreStates); diff != "" {
		t.Error(diff)
	}

	t.Run("a part left by a run that ended early", func(t *testing.T) {
		for _, orphan := range []string{"split-part-2", "split-part-3"} {
			c.kubectl(`{apiVersion: kpt.dev/v1alpha1, kind: ResourceGroup, metadata: {name: `+orphan+`, namespace: $NS},
				spec: {resources: [{group: "", kind: ConfigMap, namespace: $NS, name: c-99999}]}}`, "create", "-f", "-")
			got := c.load("split")
			got.Entries = c.entries(0, 45)
			c.save(got, inventory.SaveOptions{Limit: limit, Split: true})
			if diff := cmp.Diff(append(c.entries(0, 45), c.entries(99999, 100000)...), c.load("split").Entries, ignoreStates); diff != "" {
				t.Errorf("%s: %s", orphan, diff)
			}
			got.Entries = c.entries(0, 3)
			c.save(got, inventory.SaveOptions{})
			if diff := cmp.Diff(map[string]int{"split": 3}, c.groups()); diff != "" {
				t.Error(diff)
			}
		}
	})
	t.Run("a part is gone", func(t *testing.T) {
		got := c.load("split")
		got.Entries = c.entries(0, 45)
		c.save(got, inventory.SaveOptions{Limit: limit, Split: true})
		c.kubectl("", "delete", "-n", c.namespace, "resourcegroup", "split-part-2")
		var damaged *inventory.DamagedError
		if _, err := inventory.Load(t.Context(), c.Cluster, c.namespace, "split"); !errors.As(err, &damaged) {
			t.Error(err)
		}
		t.Log(damaged)
		left, err := inventory.Salvage(t.Context(), c.Cluster, c.namespace, "split")
		if err != nil || len(left.Entries) != 25 {
			t.Fatalf("%v, %v", left, err)
		}
		left.Entries = c.entries(0, 45)
		c.save(left, inventory.SaveOptions{Limit: limit, Split: true})
		if diff := cmp.Diff(c.entries(0, 45), c.load("split").Entries, ignoreStates); diff != "" {
			t.Error(diff)
		}
	})
}

var ignoreStates = cmp.Transformer("ids", func(e inventory.Entry) object.ID { return e.ID })

// TestInventorySize asserts that statuses give way before the real limit of the
// store is met.
func TestInventorySize(t *testing.T) {
	c := connect(t, sharedServer(t), "")
	withGroups(t, c)
	inv := c.inventory("large")
	save := func(count int) error {
		inv.Entries = c.entries(0, count)
		for i := range inv.Entries {
			inv.Entries[i].Strategy, inv.Entries[i].Actuation, inv.Entries[i].Reconcile = inventory.StrategyApply, inventory.Succeeded, inventory.Succeeded
		}
		err := inventory.Save(t.Context(), c.Cluster, inv, inventory.SaveOptions{})
		if err == nil {
			err = inventory.SaveStatus(t.Context(), c.Cluster, inv)
		}
		return err
	}
	states := func() (n int) {
		for _, e := range c.load("large").Entries {
			if e.Strategy != "" {
				n++
			}
		}
		return n
	}
	if err := save(5000); err != nil || states() != 5000 {
		t.Fatalf("5000 objects: %d statuses, %v", states(), err)
	}
	if err := save(10000); err != nil || states() != 0 {
		t.Errorf("10000 objects: %d statuses, %v", states(), err)
	}
	if n := len(c.load("large").Entries); n != 10000 {
		t.Errorf("%d entries", n)
	}
	err := save(30000)
	var large *inventory.TooLargeError
	if !errors.As(err, &large) {
		t.Errorf("30000 objects: %v", err)
	}
	t.Log(err)
	if n := len(c.load("large").Entries); n != 10000 {
		t.Errorf("%d entries after a refusal", n)
	}
}

// TestInventoryFind asserts that the objects of a lost inventory are found, and
// not what controllers made of them.
func TestInventoryFind(t *testing.T) {
	c := connect(t, sharedServer(t), "")
	id := "lost-" + c.namespace
	for _, manifest := range []string{
		`{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: $NS, annotations: {config.k8s.io/owning-inventory: ` + id + `}}}`,
		`{apiVersion: v1, kind: ConfigMap, metadata: {name: other, namespace: $NS, annotations: {config.k8s.io/owning-inventory: other}}}`,
		`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: $NS, annotations: {config.k8s.io/owning-inventory: ` + id + `}}}`,
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: $NS, annotations: {config.k8s.io/owning-inventory: ` + id + `}},
			spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: none}]}}}}`,
	} {
		u := c.object(manifest)
		if _, err := c.Apply(t.Context(), c.kind(u.GetAPIVersion(), u.GetKind()), u, cluster.ApplyOptions{Manager: manager}); err != nil {
			t.Fatal(err)
		}
	}
	if err := kubetest.Await("a ReplicaSet", patience, func() (bool, error) {
		list, err := c.List(t.Context(), c.kind("apps/v1", "ReplicaSet"), c.namespace, cluster.ListOptions{})
		return len(list) > 0 && list[0].GetAnnotations()[object.Owner] == id, err
	}); err != nil {
		t.Fatal(err)
	}
	found, unread, err := inventory.Find(t.Context(), c.Cluster, id)
	if err != nil || len(unread) > 0 {
		t.Errorf("%v, %v", unread, err)
	}
	var got []string
	for _, u := range found {
		got = append(got, object.Of(u).String())
	}
	if diff := cmp.Diff([]string{"ConfigMap " + c.namespace + "/a", "Deployment " + c.namespace + "/web", "ClusterRole " + c.namespace}, got); diff != "" {
		t.Error(diff)
	}
	_, unread, err = inventory.Find(t.Context(), c.as(kubetest.Limited), id)
	if err != nil || len(unread) == 0 || !resource.Denied(unread[0].Err) {
		t.Errorf("a user who may not list: %d kinds, %v", len(unread), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := inventory.Find(ctx, c.as(""), id); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
