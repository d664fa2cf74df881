//go:build real

package kube

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/clock"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/drive"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/test/kubetest"
)

// draft is a plan that a test makes by hand, for an inventory in a namespace of
// its own.
type draft struct {
	*connection
	scope object.Scope
	plan  *plan.Plan
	heard []string
	in    execute.Input
}

func newDraft(t *testing.T, server *kubetest.Server) *draft {
	t.Helper()
	d := &draft{connection: connect(t, server, "")}
	d.scope = object.Scope{
		Inventory: object.Inventory{Name: "set", Namespace: d.namespace, ID: "set-" + d.namespace},
		Options: object.Options{
			Manager: manager, Policy: object.Strict, Propagation: "Background",
			ReconcileTimeout: patience, DeleteTimeout: patience,
		},
	}
	d.next()
	return d
}

// next begins another plan for the same inventory.
func (d *draft) next() {
	d.plan, d.in = &plan.Plan{}, execute.Input{}
}

func (d *draft) change(c *plan.Change, after ...string) *plan.Change {
	c.ID = fmt.Sprintf("%d:%s", len(d.plan.Changes)+1, c.ResourceRef)
	for _, ref := range after {
		at := slices.IndexFunc(d.plan.Changes, func(x *plan.Change) bool { return x.ResourceRef == ref })
		c.DependsOn = append(c.DependsOn, d.plan.Changes[at].ID)
	}
	d.plan.Changes = append(d.plan.Changes, c)
	return c
}

// fields is an object as a plan holds it.
func (d *draft) fields(u *unstructured.Unstructured) map[string]any {
	d.t.Helper()
	out, err := object.Fields(u)
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

func ref(u *unstructured.Unstructured) string {
	return strings.ToLower(u.GetKind()) + "." + u.GetName()
}

// record writes the inventory with some objects, besides what it lists.
func (d *draft) record(ids ...object.ID) *plan.Change {
	d.t.Helper()
	var list []any
	for _, id := range ids {
		list = append(list, map[string]any{"group": id.Group, "kind": id.Kind, "namespace": id.Namespace, "name": id.Name})
	}
	c := &plan.Change{ResourceType: object.TypeName(object.GroupGVK()), ResourceRef: "inventory", Action: plan.Create, Fields: map[string]any{
		"metadata": map[string]any{
			"name": d.scope.Inventory.Name, "namespace": d.namespace,
			"labels": map[string]any{object.InventoryID: d.scope.Inventory.ID},
		},
		"spec": map[string]any{"resources": list},
	}}
	if live, err := d.Get(d.t.Context(), inventory.Kind, d.namespace, d.scope.Inventory.Name); err == nil {
		c.Action, c.CurrentState, c.ResourceID = plan.Update, d.fields(live), string(live.GetUID())
	}
	return d.change(c)
}

// id is an object of the namespace.
func (d *draft) id(group, kind, name string) object.ID {
	return object.ID{Group: group, Kind: kind, Namespace: d.namespace, Name: name}
}

// apply applies a manifest, after the inventory and others.
func (d *draft) apply(manifest string, after ...string) *plan.Change {
	d.t.Helper()
	u := d.object(manifest)
	annotations := u.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[object.Owner] = d.scope.Inventory.ID
	u.SetAnnotations(annotations)
	c := &plan.Change{ResourceType: object.TypeName(u.GroupVersionKind()), ResourceRef: ref(u), ResourceName: u.GetName(), Action: plan.Create, Fields: d.fields(u)}
	if live := d.live(u); live != nil {
		c.Action, c.ResourceID, c.CurrentState = plan.Update, string(live.GetUID()), d.fields(live)
		c.Expect = &plan.Expect{Fingerprint: object.Fingerprint(live, c.Fields)}
	}
	if d.plan.Changes != nil {
		after = append(after, d.plan.Changes[0].ResourceRef)
	}
	return d.change(c, after...)
}

// live is an object as it is; nil where it does not exist.
func (d *draft) live(u *unstructured.Unstructured) *unstructured.Unstructured {
	k, err := d.Kind(d.t.Context(), u.GroupVersionKind())
	if err != nil {
		return nil
	}
	live, err := d.Get(d.t.Context(), k, u.GetNamespace(), u.GetName())
	if err != nil {
		return nil
	}
	return live
}

// look is an object that must exist.
func (d *draft) look(apiVersion, kind, name string) *unstructured.Unstructured {
	d.t.Helper()
	u, err := d.Get(d.t.Context(), d.kind(apiVersion, kind), d.namespace, name)
	if err != nil {
		d.t.Fatal(err)
	}
	return u
}

// remove deletes an object that exists.
func (d *draft) remove(u *unstructured.Unstructured, stage int) *plan.Change {
	c := &plan.Change{
		ResourceType: object.TypeName(u.GroupVersionKind()), ResourceRef: ref(u), ResourceName: u.GetName(), Action: plan.Delete,
		ResourceID: string(u.GetUID()), CurrentState: d.fields(u), Stage: stage,
		Expect: &plan.Expect{Fingerprint: object.Fingerprint(u, nil)},
	}
	return d.change(c)
}

// forget deletes the inventory.
func (d *draft) forget(stage int) *plan.Change {
	d.t.Helper()
	live, err := d.Get(d.t.Context(), inventory.Kind, d.namespace, d.scope.Inventory.Name)
	if err != nil {
		d.t.Fatal(err)
	}
	c := d.remove(live, stage)
	c.ResourceRef = "inventory"
	return c
}

// input completes the plan.
func (d *draft) input() execute.Input {
	d.t.Helper()
	uid, err := d.UID(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	d.plan.Metadata.Cluster = &plan.Cluster{Server: d.Server(), UID: uid}
	d.scope.Describe(&d.plan.Metadata)
	var ids []string
	for _, c := range d.plan.Changes {
		ids = append(ids, c.ID)
	}
	d.plan.ExecutionOrder, d.plan.ExecutionGroups = ids, [][]string{ids}
	d.in.Plan, d.in.Now, d.in.Concurrency = d.plan, time.Now, 8
	driver := drive.New(drive.Config{
		Cluster: func(context.Context) (*cluster.Cluster, error) { return d.Cluster, nil },
		Sleep:   clock.Sleep, Now: time.Now,
		Warn:   func(text string) { d.heard = append(d.heard, text) },
		Status: func(object.ID, string, string) {},
	}, d.in)
	d.in.Driver = func(string) execute.Driver { return driver }
	return d.in
}

// run carries the plan out and returns how its changes ended, by ref.
func (d *draft) run(ctx context.Context) map[string]*execute.Result {
	d.t.Helper()
	report, err := execute.Run(ctx, d.input(), nil)
	if err != nil {
		d.t.Fatal(err)
	}
	if report.FinishErr != nil {
		d.t.Fatal(report.FinishErr)
	}
	out := map[string]*execute.Result{}
	for _, r := range report.Results {
		out[r.ResourceRef] = r
	}
	return out
}

// succeeds carries the plan out, and every change must succeed.
func (d *draft) succeeds() {
	d.t.Helper()
	for _, r := range d.run(d.t.Context()) {
		if r.Status != execute.Succeeded {
			d.t.Fatalf("%s: %s: %s", r.ResourceRef, r.Status, r.Error)
		}
	}
}

// check compares the plan with the cluster.
func (d *draft) check() map[string]string {
	d.t.Helper()
	found, err := execute.Check(d.t.Context(), d.input())
	if err != nil {
		d.t.Fatal(err)
	}
	out := map[string]string{}
	for id := range found.Done {
		out[d.plan.Change(id).ResourceRef] = "done"
	}
	for _, m := range found.Moved {
		out[m.Change.ResourceRef] = m.Why
	}
	return out
}

// listed is the inventory as it is: what became of each object.
func (d *draft) listed() map[string]string {
	d.t.Helper()
	group, err := inventory.Load(d.t.Context(), d.Cluster, d.namespace, d.scope.Inventory.Name)
	if err != nil {
		d.t.Fatal(err)
	}
	if group == nil {
		return nil
	}
	out := map[string]string{}
	for _, e := range group.Entries {
		out[e.Kind+" "+e.Name] = strings.Join([]string{e.Strategy, e.Actuation, e.Reconcile, e.Status}, " ")
	}
	return out
}

// ends are how changes ended, without what went well.
func ends(results map[string]*execute.Result) map[string]string {
	out := map[string]string{}
	for _, ref := range slices.Sorted(maps.Keys(results)) {
		if r := results[ref]; r.Status != execute.Succeeded {
			out[ref] = string(r.Status) + ": " + r.Error
		}
	}
	return out
}
