//go:build real

package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/test/kubetest"
)

// get returns an object of the namespace; nil where it does not exist.
func (w *walk) get(apiVersion, kind, name string) *unstructured.Unstructured {
	w.t.Helper()
	gv, version, _ := strings.Cut(apiVersion, "/")
	id := object.ID{Group: gv, Kind: kind, Namespace: w.namespace, Name: name}
	if version == "" {
		id.Group = ""
	}
	w.cluster.Rediscover()
	k, err := w.cluster.Preferred(w.t.Context(), id.GroupKind())
	if resource.Missing(err) {
		return nil
	}
	if err != nil {
		w.t.Fatal(err)
	}
	u, err := w.cluster.Get(w.t.Context(), k, id.Namespace, id.Name)
	if resource.Missing(err) {
		return nil
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return u
}

// run carries out what some manifests ask for.
func (w *walk) run(manifests string) *execute.Report {
	w.t.Helper()
	e := w.engine()
	r, err := e.Run(w.t.Context(), engine.RunRequest{Planned: w.plan(e, manifests)})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// destroy deletes the set and its inventory.
func (w *walk) destroy() *execute.Report {
	w.t.Helper()
	w.options.Destroy = true
	defer func() { w.options.Destroy = false }()
	return w.run("")
}

func failures(r *execute.Report) map[string]string {
	out := map[string]string{}
	for _, x := range r.Results {
		if x.Status != execute.Succeeded {
			out[x.ResourceRef] = string(x.Status) + ": " + x.Error
		}
	}
	return out
}

// TestWalkOwnNamespace asserts that the namespace of the inventory is created
// before it and deleted last.
func TestWalkOwnNamespace(t *testing.T) {
	t.Parallel()
	w := newWalk(t, sharedServer(t))
	w.namespace = kubetest.Name("own")
	w.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: $NS}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: $NS}\n")
	same(t, map[string]string{"ConfigMap a": ok, "Namespace " + w.namespace: ok}, w.listed())
	w.succeeded(w.destroy(), nil)
	if w.get("v1", "Namespace", w.namespace) != nil {
		t.Error("the namespace is left")
	}
	w.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: $NS}\n") // all over again
	w.succeeded(w.destroy(), nil)
}

// TestWalkDefinition asserts that a definition and its object are applied and
// deleted together.
func TestWalkDefinition(t *testing.T) {
	t.Parallel()
	w := newWalk(t, sharedServer(t))
	group := strings.ReplaceAll(w.namespace, "-", "")
	text := "apiVersion: " + group + ".example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: $NS}\nspec: {a: 1}\n---\n" + strings.ReplaceAll(widgets, "GROUP", group)
	w.apply(text)
	if w.get(group+".example.com/v1", "Widget", "w") == nil {
		t.Error("there is no widget")
	}
	w.succeeded(w.destroy(), nil)
	if got := w.listed(); got != nil {
		t.Errorf("the inventory is left: %v", got)
	}
}

// TestWalkMutation asserts that a value of another object is put in, and that a
// change of it is an update.
func TestWalkMutation(t *testing.T) {
	t.Parallel()
	const text = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: target
  namespace: $NS
  annotations:
    config.kubernetes.io/apply-time-mutation: |
      - sourceRef: {kind: ConfigMap, name: source}
        sourcePath: $.data.host
        targetPath: $.data.url
        token: ${host}
data: {url: "http://${host}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: source, namespace: $NS}
data: {host: HOST}
`
	w := newWalk(t, sharedServer(t))
	for _, host := range []string{"one", "two"} {
		w.apply(strings.ReplaceAll(text, "HOST", host))
		got, _, _ := unstructured.NestedString(w.get("v1", "ConfigMap", "target").Object, "data", "url")
		same(t, "http://"+host, got)
	}
}

// TestWalkFailure asserts that a failure skips what depends on it and nothing else,
// that pruning goes on, and that the next run needs no help.
func TestWalkFailure(t *testing.T) {
	t.Parallel()
	w := newWalk(t, sharedServer(t))
	w.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: old, namespace: $NS}\n")
	const rest = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: free, namespace: $NS}\n---\n" +
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: needs, namespace: $NS, annotations: {config.kubernetes.io/depends-on: /namespaces/$NS/PersistentVolumeClaim/never}}\n"
	w.options.ReconcileTimeout = time.Second
	got := failures(w.run(unbound + rest))
	if len(got) != 2 || !strings.HasPrefix(got["persistentvolumeclaim.never"], "failed: wait for PersistentVolumeClaim "+w.namespace+"/never: not ready after 1s") ||
		got["configmap.needs"] != "skipped: waits for PersistentVolumeClaim "+w.namespace+"/never, which failed" {
		t.Errorf("%v", got)
	}
	same(t, map[string]string{"ConfigMap free": ok, "PersistentVolumeClaim never": "Apply Succeeded Timeout Unknown"}, w.listed())
	if w.get("v1", "ConfigMap", "old") != nil {
		t.Error("what left the set was not pruned")
	}
	// The cluster of the tests has no controller that does it.
	claims := cluster.Kind{GroupVersionKind: object.ID{Kind: "PersistentVolumeClaim"}.GroupKind().WithVersion("v1"), Resource: "persistentvolumeclaims", Namespaced: true}
	if _, err := w.cluster.Patch(t.Context(), claims, w.namespace, "never", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), cluster.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	w.apply(strings.TrimPrefix(rest, "---\n")[:strings.Index(rest[4:], "---")])
	same(t, map[string]string{"ConfigMap free": ok}, w.listed())
}

// TestWalkTogether asserts that two runs at the same time do not lose each other's
// objects.
func TestWalkTogether(t *testing.T) {
	t.Parallel()
	w := newWalk(t, sharedServer(t))
	w.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: $NS}\n")
	other := newWalk(t, sharedServer(t))
	other.namespace = w.namespace
	e, f := w.engine(), other.engine()
	first := w.plan(e, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: $NS}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: $NS}\n")
	second := other.plan(f, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: $NS}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: $NS}\n")
	done := make(chan *execute.Report)
	go func() {
		r, err := e.Run(context.WithoutCancel(t.Context()), engine.RunRequest{Planned: first})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	r, err := f.Run(t.Context(), engine.RunRequest{Planned: second})
	other.succeeded(r, err)
	w.succeeded(<-done, nil)
	same(t, []string{"ConfigMap a", "ConfigMap b", "ConfigMap c"}, names(w.listed()))
}

func names(listed map[string]string) []string {
	var out []string
	for _, name := range []string{"ConfigMap a", "ConfigMap b", "ConfigMap c", "ConfigMap d"} {
		if _, ok := listed[name]; ok {
			out = append(out, name)
		}
	}
	return out
}

// TestWalkSecret asserts that no value of a Secret is in a plan, a journal or an
// error, also when the run is resumed.
func TestWalkSecret(t *testing.T) {
	t.Parallel()
	const text = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: $NS}\nstringData: {password: canary-one}\ndata: {other: Y2FuYXJ5LXR3bw==}\n"
	w := newWalk(t, sharedServer(t))
	if !w.kill(2, true, func(e *engine.Engine) *engine.Planned {
		p := w.plan(e, text)
		raw, err := json.Marshal(p.Plan)
		if err != nil || strings.Contains(string(raw), "canary") || strings.Contains(string(raw), "Y2Fu") {
			t.Errorf("the plan holds a secret: %v\n%s", err, raw)
		}
		return p
	}) {
		t.Fatal("the run was not killed")
	}
	w.resume()
	w.settled(text)
	got, _, _ := unstructured.NestedStringMap(w.get("v1", "Secret", "s").Object, "data")
	same(t, map[string]string{"password": "Y2FuYXJ5LW9uZQ==", "other": "Y2FuYXJ5LXR3bw=="}, got)
	w.apply(strings.Replace(text, "canary-one", "canary-three", 1))
	got, _, _ = unstructured.NestedStringMap(w.get("v1", "Secret", "s").Object, "data")
	same(t, map[string]string{"password": "Y2FuYXJ5LXRocmVl", "other": "Y2FuYXJ5LXR3bw=="}, got)
}

// TestWalkAdopt asserts that the id of an inventory can be rewritten.
func TestWalkAdopt(t *testing.T) {
	t.Parallel()
	w := newWalk(t, sharedServer(t))
	w.apply(before)
	group, err := inventory.Load(t.Context(), w.cluster, w.namespace, "set")
	if err != nil {
		t.Fatal(err)
	}
	group.ID = "old"
	if err := inventory.Save(t.Context(), w.cluster, group, inventory.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	k := cluster.Kind{GroupVersionKind: object.ID{Kind: "ConfigMap"}.GroupKind().WithVersion("v1"), Resource: "configmaps", Namespaced: true}
	for _, name := range []string{"changes", "stays", "goes"} {
		if _, err := w.cluster.Patch(t.Context(), k, w.namespace, name, types.MergePatchType, []byte(`{"metadata":{"annotations":{"`+object.Owner+`":"old"}}}`), cluster.PatchOptions{Manager: "kongctl"}); err != nil {
			t.Fatal(err)
		}
	}
	w.options.Policy = object.Adopt
	w.options.ForceConflicts = true
	w.apply(after)
	w.options.Policy = object.Strict
	w.settled(after)
	if u := w.get("v1", "ConfigMap", "stays"); u.GetAnnotations()[object.Owner] != "set-"+w.namespace {
		t.Errorf("the owner is %s", u.GetAnnotations()[object.Owner])
	}
	if w.get("v1", "ConfigMap", "goes") != nil {
		t.Error("what left the set was not pruned")
	}
}

// TestWalkKept asserts that an object that asks for it is kept, with the namespace
// that it is in.
func TestWalkKept(t *testing.T) {
	t.Parallel()
	w := newWalk(t, sharedServer(t))
	inside := kubetest.Name("kept")
	w.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: " + inside + "}\n---\n" +
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept, namespace: " + inside + ", annotations: {client.lifecycle.config.k8s.io/deletion: detach}}\n---\n" +
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: gone, namespace: " + inside + "}\n")
	w.succeeded(w.destroy(), nil)
	if got := w.listed(); got != nil {
		t.Errorf("the inventory is left: %v", got)
	}
	w.namespace = inside
	for _, u := range []*unstructured.Unstructured{w.get("v1", "Namespace", inside), w.get("v1", "ConfigMap", "kept")} {
		if u == nil || u.GetDeletionTimestamp() != nil || u.GetAnnotations()[object.Owner] != "" {
			t.Errorf("not kept, or not given up: %v", u)
		}
	}
	if w.get("v1", "ConfigMap", "gone") != nil {
		t.Error("the other object is left")
	}
}

// TestWalkMany asserts that many objects of a kind are waited for with lists.
func TestWalkMany(t *testing.T) {
	t.Parallel()
	w := newWalk(t, sharedServer(t))
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "%s---\n", strings.ReplaceAll(deployment, "name: web,", fmt.Sprintf("name: web-%d,", i)))
	}
	e := w.engine()
	p := w.plan(e, text.String())
	w.gate.Take()
	w.succeeded(e.Run(t.Context(), engine.RunRequest{Planned: p}))
	one, lists := 0, 0
	for _, r := range w.gate.Take() {
		switch {
		case r.Method != http.MethodGet:
		case strings.HasSuffix(r.Path, "/deployments"):
			lists++
		case strings.Contains(r.Path, "/deployments/"):
			one++
		}
	}
	t.Logf("%d lists, %d reads of one", lists, one)
	if lists == 0 || one > 40 {
		t.Errorf("%d lists, %d reads of one", lists, one)
	}
}

// TestWalkLaterRun asserts that resume does not put back what a later run changed.
func TestWalkLaterRun(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		exists bool
		then   string
	}{
		"a create that timed out":  {false, unbound},
		"an update that timed out": {true, strings.Replace(unbound, "name: never,", "name: never, labels: {a: b},", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWalk(t, sharedServer(t))
			w.options.ReconcileTimeout = 300 * time.Millisecond
			if test.exists {
				w.run(unbound)
				files, err := filepath.Glob(filepath.Join(w.state, "*", "*.journal"))
				if err != nil {
					t.Fatal(err)
				}
				for _, file := range files {
					if err := os.Remove(file); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got := failures(w.run(test.then)); len(got) != 1 {
				t.Fatalf("%v", got)
			}
			claims := cluster.Kind{GroupVersionKind: object.ID{Kind: "PersistentVolumeClaim"}.GroupKind().WithVersion("v1"), Resource: "persistentvolumeclaims", Namespaced: true}
			manifest := w.get("v1", "PersistentVolumeClaim", "never")
			manifest.Object = map[string]any{
				"apiVersion": "v1", "kind": "PersistentVolumeClaim", "spec": manifest.Object["spec"],
				"metadata": map[string]any{"name": "never", "namespace": w.namespace, "labels": map[string]any{"a": "later"}, "annotations": map[string]any{object.Owner: "set-" + w.namespace}},
			}
			if _, err := w.cluster.Apply(t.Context(), claims, manifest, cluster.ApplyOptions{Manager: "kongctl"}); err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(w.state, "*", "*.journal"))
			if err != nil || len(files) != 1 {
				t.Fatalf("journals: %q, %v", files, err)
			}
			var moved *engine.MovedError
			if _, err := w.engine().Continue(t.Context(), engine.ContinueRequest{Journal: files[0], Trust: trust()}); !errors.As(err, &moved) {
				t.Errorf("resume: %v", err)
			} else if len(moved.Moved) != 1 {
				t.Errorf("moved: %v", moved.Moved)
			}
			same(t, map[string]string{"a": "later"}, w.get("v1", "PersistentVolumeClaim", "never").GetLabels())
		})
	}
}

// TestWalkUnready asserts that an object that needs no change and is not ready
// holds back what depends on it.
func TestWalkUnready(t *testing.T) {
	t.Parallel()
	w := newWalk(t, sharedServer(t))
	w.options.ReconcileTimeout = 500 * time.Millisecond
	const needs = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: needs, namespace: $NS, annotations: {config.kubernetes.io/depends-on: /namespaces/$NS/PersistentVolumeClaim/never}}\n"
	w.run(unbound)
	got := failures(w.run(unbound + needs + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: free, namespace: $NS}\n"))
	if len(got) != 1 || !strings.HasPrefix(got["configmap.needs"], "skipped: wait for PersistentVolumeClaim "+w.namespace+"/never: not ready after 5") {
		t.Errorf("%v", got)
	}
	if w.get("v1", "ConfigMap", "free") == nil || w.get("v1", "ConfigMap", "needs") != nil {
		t.Error("the wrong object was applied")
	}
	claims := cluster.Kind{GroupVersionKind: object.ID{Kind: "PersistentVolumeClaim"}.GroupKind().WithVersion("v1"), Resource: "persistentvolumeclaims", Namespaced: true}
	if _, err := w.cluster.Patch(t.Context(), claims, w.namespace, "never", types.MergePatchType, []byte(`{"status":{"phase":"Bound"}}`), cluster.PatchOptions{Subresource: "status"}); err != nil {
		t.Fatal(err)
	}
	w.apply(unbound + needs)
}
