//go:build real

package kube

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/test/kubetest"
)

const (
	named      = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: $NS}\ndata: {a: \"1\"}\n"
	deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: $NS}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: example}]}
`
	// unbound never gets ready: there is no such storage.
	unbound = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: never, namespace: $NS}\nspec: {accessModes: [ReadWriteOnce], storageClassName: none, resources: {requests: {storage: 1Gi}}}\n"

	ok = "Apply Succeeded Succeeded Current"
)

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestDriveLife leads a set from its first apply to its end.
func TestDriveLife(t *testing.T) {
	t.Parallel()
	d := newDraft(t, sharedServer(t))
	d.record(d.id("", "ConfigMap", "one"), d.id("", "ConfigMap", "two"), d.id("apps", "Deployment", "web"))
	d.apply(fmt.Sprintf(named, "one"))
	d.apply(fmt.Sprintf(named, "two"), "configmap.one")
	d.apply(deployment)
	d.succeeds()
	same(t, map[string]string{"ConfigMap one": ok, "ConfigMap two": ok, "Deployment web": ok}, d.listed())
	if got := d.look("apps/v1", "Deployment", "web"); got.GetAnnotations()[object.Owner] != d.scope.Inventory.ID {
		t.Error("the owner is not set")
	} else if n, _, _ := unstructured.NestedInt64(got.Object, "status", "readyReplicas"); n != 1 {
		t.Errorf("%d replicas are ready", n)
	}
	same(t, map[string]string{"inventory": "done", "configmap.one": "done", "configmap.two": "done", "deployment.web": "done"}, d.check())

	d.next()
	d.remove(d.look("v1", "ConfigMap", "two"), 1)
	d.succeeds()
	same(t, map[string]string{"ConfigMap one": ok, "Deployment web": ok}, d.listed())

	d.next()
	d.scope.Destroy = true
	d.scope.Options.Propagation = "Foreground"
	d.remove(d.look("v1", "ConfigMap", "one"), 1)
	d.remove(d.look("apps/v1", "Deployment", "web"), 1)
	d.forget(2)
	d.succeeds()
	if got := d.listed(); got != nil {
		t.Errorf("the inventory is still there: %v", got)
	}
	if _, err := d.Get(t.Context(), d.kind("apps/v1", "Deployment"), d.namespace, "web"); !resource.Missing(err) {
		t.Errorf("the Deployment is still there: %v", err)
	}
	same(t, map[string]string{"inventory": "done", "configmap.one": "done", "deployment.web": "done"}, d.check())
}

// TestDriveFailures asserts that the inventory never loses what exists.
func TestDriveFailures(t *testing.T) {
	t.Parallel()
	d := newDraft(t, sharedServer(t))
	d.record(d.id("", "ConfigMap", "good"), d.id("", "ConfigMap", "bad"), d.id("", "ConfigMap", "after"), d.id("", "PersistentVolumeClaim", "never"))
	d.apply(fmt.Sprintf(named, "good"))
	d.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad, namespace: $NS}\ndata: {\"no key\": x}\n")
	d.apply(fmt.Sprintf(named, "after"), "configmap.bad")
	d.scope.Options.ReconcileTimeout = 2 * time.Second
	d.apply(unbound)
	failed := d.run(t.Context())
	for ref, want := range map[string]string{
		"configmap.bad":   "apply ConfigMap " + d.namespace + "/bad: data[no key]",
		"configmap.after": "waits for ConfigMap " + d.namespace + "/bad, which failed",
	} {
		if got := failed[ref].Error; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", ref, got, want)
		}
	}
	same(t, "wait for PersistentVolumeClaim "+d.namespace+"/never: not ready after 2s (InProgress: PVC is not Bound. phase: Pending)", failed["persistentvolumeclaim.never"].Error)
	same(t, map[string]string{"ConfigMap good": ok, "PersistentVolumeClaim never": "Apply Succeeded Timeout Unknown"}, d.listed())

	t.Run("an object held by a finalizer stays", func(t *testing.T) {
		d := newDraft(t, sharedServer(t))
		d.record(d.id("", "ConfigMap", "held"), d.id("", "ConfigMap", "free"))
		d.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, namespace: $NS, finalizers: [example.com/hold]}\n")
		d.apply(fmt.Sprintf(named, "free"))
		d.succeeds()
		d.next()
		d.scope.Options.DeleteTimeout = time.Second
		d.scope.Destroy = true
		d.remove(d.look("v1", "ConfigMap", "held"), 1)
		d.remove(d.look("v1", "ConfigMap", "free"), 1)
		d.forget(2)
		same(t, map[string]string{
			"configmap.held": "failed: wait until ConfigMap " + d.namespace + "/held is gone: still there after 1s; held by the finalizers example.com/hold",
			"inventory":      "failed: delete inventory " + d.namespace + "/set: not done, because it lists what still exists: ConfigMap " + d.namespace + "/held",
		}, ends(d.run(t.Context())))
		same(t, map[string]string{"ConfigMap held": "Delete Succeeded Timeout Unknown"}, d.listed())
		_, err := d.Patch(t.Context(), d.kind("v1", "ConfigMap"), d.namespace, "held", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), cluster.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		d.succeeds() // the same plan again
		if got := d.listed(); got != nil {
			t.Errorf("the inventory is still there: %v", got)
		}
	})

	t.Run("what others depend on is not deleted before them", func(t *testing.T) {
		d := newDraft(t, sharedServer(t))
		d.record(d.id("", "ConfigMap", "base"), d.id("", "ConfigMap", "user"))
		d.apply(fmt.Sprintf(named, "base"))
		d.apply("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: user\n  namespace: $NS\n  finalizers: [example.com/hold]\n  annotations: {config.kubernetes.io/depends-on: /namespaces/$NS/ConfigMap/base}\n", "configmap.base")
		d.succeeds()
		d.next()
		d.scope.Options.DeleteTimeout = 100 * time.Millisecond
		d.remove(d.look("v1", "ConfigMap", "user"), 1)
		d.remove(d.look("v1", "ConfigMap", "base"), 2)
		if got := ends(d.run(t.Context()))["configmap.base"]; got != "failed: delete ConfigMap "+d.namespace+"/base: not done, because ConfigMap "+d.namespace+"/user depends on it and was not deleted" {
			t.Error(got)
		}
		same(t, map[string]string{"ConfigMap base": "Delete Failed Skipped Unknown", "ConfigMap user": "Delete Succeeded Timeout Unknown"}, d.listed())
		_, err := d.Patch(t.Context(), d.kind("v1", "ConfigMap"), d.namespace, "user", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), cluster.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// TestDriveTakesOver asserts that what kubectl applied is continued, and that a
// field that is dropped then disappears.
func TestDriveTakesOver(t *testing.T) {
	t.Parallel()
	for _, how := range [][]string{{"apply", "-f", "-"}, {"apply", "--server-side", "-f", "-"}} {
		t.Run(strings.Join(how, " "), func(t *testing.T) {
			d := newDraft(t, sharedServer(t))
			d.kubectl(configMap, how...)
			d.record(d.id("", "ConfigMap", "settings"))
			d.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: $NS}\ndata: {a: \"other\"}\n")
			d.succeeds()
			got, _, _ := unstructured.NestedStringMap(d.look("v1", "ConfigMap", "settings").Object, "data")
			same(t, map[string]string{"a": "other"}, got)
		})
	}
	t.Run("a field of somebody else is a conflict", func(t *testing.T) {
		d := newDraft(t, sharedServer(t))
		d.kubectl(configMap, "apply", "--server-side", "--field-manager=someone", "-f", "-")
		d.record(d.id("", "ConfigMap", "settings"))
		d.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: $NS}\ndata: {a: \"other\"}\n")
		want := "failed: apply ConfigMap " + d.namespace + `/settings: conflict: field manager "someone" owns .data.a; fix: remove these fields from the manifest, or take them with --force-conflicts`
		same(t, map[string]string{"configmap.settings": want}, ends(d.run(t.Context())))
		same(t, map[string]string{"ConfigMap settings": "Apply Failed Skipped Unknown"}, d.listed())
		d.scope.Options.ForceConflicts = true
		d.succeeds()
	})
}

const widgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: GROUPwidgets.GROUP.example.com}
spec:
  group: GROUP.example.com
  names: {plural: GROUPwidgets, kind: Widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
`

// TestDriveDefinitions asserts that an object follows its definition in one run,
// and that a definition is not deleted before its objects.
func TestDriveDefinitions(t *testing.T) {
	t.Parallel()
	d := newDraft(t, sharedServer(t))
	group := strings.ReplaceAll(d.namespace, "-", "")
	definition := strings.ReplaceAll(widgets, "GROUP", group)
	widget := "apiVersion: " + group + ".example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: $NS, finalizers: [example.com/hold]}\nspec: {a: 1}\n"
	d.record(object.ID{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition", Name: group + "widgets." + group + ".example.com"}, d.id(group+".example.com", "Widget", "w"))
	crd := d.apply(definition)
	d.apply(widget, crd.ResourceRef)
	d.succeeds()

	// A field that the definition gets in the same run is accepted.
	d.next()
	d.apply(strings.Replace(definition, "properties: {spec", "properties: {more: {type: string}, spec", 1))
	d.apply(widget + "more: yes, please\n")
	d.succeeds()

	live := d.look(group+".example.com/v1", "Widget", "w")
	d.next()
	d.scope.Options.DeleteTimeout = 100 * time.Millisecond
	d.remove(live, 1)
	d.remove(d.live(d.object(definition)), 2)
	if got := d.run(t.Context())[crd.ResourceRef].Error; !strings.HasSuffix(got, "/w is of this kind and was not deleted") {
		t.Error(got)
	}
	if _, err := d.Patch(t.Context(), d.kind(group+".example.com/v1", "Widget"), d.namespace, "w", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), cluster.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	d.scope.Options.DeleteTimeout = patience
	d.succeeds()
	same(t, map[string]string{}, d.listed())

	t.Run("a kind that nobody defines is refused before the first write", func(t *testing.T) {
		d.next()
		d.record(d.id("", "ConfigMap", "never"))
		d.apply(fmt.Sprintf(named, "never"))
		d.apply("apiVersion: nowhere.example.com/v1\nkind: Nothing\nmetadata: {name: thing, namespace: $NS}\n")
		_, err := execute.Run(t.Context(), d.input(), nil)
		if err == nil || !strings.Contains(err.Error(), "Nothing "+d.namespace+"/thing: the cluster") {
			t.Errorf("got %v", err)
		}
		same(t, map[string]string{}, d.listed())
	})
}

// TestDriveMutation asserts that values of other objects are put in.
func TestDriveMutation(t *testing.T) {
	t.Parallel()
	d := newDraft(t, sharedServer(t))
	d.record(d.id("", "Service", "web"), d.id("", "ConfigMap", "uses"))
	d.apply("apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: $NS}\nspec: {ports: [{port: 80}]}\n")
	mutated := `
apiVersion: v1
kind: ConfigMap
metadata:
  name: uses
  namespace: $NS
  annotations:
    config.kubernetes.io/apply-time-mutation: |
      - sourceRef: {kind: Service, name: web}
        sourcePath: $.spec.clusterIP
        targetPath: $.data.url
        token: ${ip}
data: {url: "http://${ip}:80"}
`
	d.apply(mutated, "service.web")
	d.succeeds()
	ip, _, _ := unstructured.NestedString(d.look("v1", "Service", "web").Object, "spec", "clusterIP")
	got, _, _ := unstructured.NestedStringMap(d.look("v1", "ConfigMap", "uses").Object, "data")
	same(t, map[string]string{"url": "http://" + ip + ":80"}, got)
	same(t, map[string]string{"inventory": "done", "service.web": "done", "configmap.uses": "done"}, d.check())
}

// TestDriveDetach asserts that an object that is kept loses its owner and leaves
// the inventory, and nothing else happens to it.
func TestDriveDetach(t *testing.T) {
	t.Parallel()
	d := newDraft(t, sharedServer(t))
	d.record(d.id("", "ConfigMap", "kept"))
	d.apply(fmt.Sprintf(named, "kept"))
	d.succeeds()
	d.next()
	c := d.remove(d.look("v1", "ConfigMap", "kept"), 1)
	c.Action, c.ExecutionContext = plan.Update, plan.ExecutionContext{HTTPMethod: "PATCH", APIEndpoint: "/api/v1/x#detach"}
	c.Fields = map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "kept", "namespace": d.namespace}}
	d.succeeds()
	kept := d.look("v1", "ConfigMap", "kept")
	if kept.GetAnnotations()[object.Owner] != "" {
		t.Error("it still has an owner")
	}
	data, _, _ := unstructured.NestedStringMap(kept.Object, "data")
	same(t, map[string]string{"a": "1"}, data)
	same(t, map[string]string{}, d.listed())
	same(t, map[string]string{"configmap.kept": "done"}, d.check())
}

// TestDriveNamespace asserts that the namespace of the inventory is deleted last,
// and not while something of the set is left.
func TestDriveNamespace(t *testing.T) {
	t.Parallel()
	d := newDraft(t, sharedServer(t))
	d.record(object.ID{Kind: "Namespace", Name: d.namespace}, d.id("", "ConfigMap", "held"))
	d.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: $NS}\n")
	d.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, namespace: $NS, finalizers: [example.com/hold]}\n")
	d.succeeds()

	d.next()
	d.scope.Destroy = true
	d.scope.Options.DeleteTimeout = 100 * time.Millisecond
	d.remove(d.look("v1", "ConfigMap", "held"), 1)
	d.remove(d.live(d.object("apiVersion: v1\nkind: Namespace\nmetadata: {name: $NS}\n")), 2)
	d.forget(3)
	failed := ends(d.run(t.Context()))
	same(t, "failed: delete Namespace "+d.namespace+": not done, because ConfigMap "+d.namespace+"/held is in it and was not deleted", failed["namespace."+d.namespace])
	same(t, map[string]string{"ConfigMap held": "Delete Succeeded Timeout Unknown", "Namespace " + d.namespace: "Delete Failed Skipped Unknown"}, d.listed())

	if _, err := d.Patch(t.Context(), d.kind("v1", "ConfigMap"), d.namespace, "held", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), cluster.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	d.scope.Options.DeleteTimeout = patience
	d.succeeds()
	if _, err := d.Get(t.Context(), cluster.Namespaces, "", d.namespace); !resource.Missing(err) {
		t.Errorf("the namespace is still there: %v", err)
	}
}

// TestDriveMoved asserts what a check says of objects that changed.
func TestDriveMoved(t *testing.T) {
	t.Parallel()
	d := newDraft(t, sharedServer(t))
	d.record(d.id("", "ConfigMap", "a"), d.id("", "ConfigMap", "b"), d.id("", "ConfigMap", "c"))
	for _, name := range []string{"a", "b", "c"} {
		d.apply(fmt.Sprintf(named, name))
	}
	d.succeeds()

	d.next()
	changed := strings.Replace(named, `"1"`, `"2"`, 1)
	d.apply(fmt.Sprintf(changed, "a"))
	d.apply(fmt.Sprintf(changed, "b"))
	d.remove(d.look("v1", "ConfigMap", "c"), 1)
	d.apply(fmt.Sprintf(named, "new"))
	same(t, map[string]string{}, d.check())

	d.kubectl(fmt.Sprintf(strings.Replace(named, `"1"`, `"3"`, 1), "a"), "apply", "--server-side", "--force-conflicts", "--field-manager=someone", "-f", "-")
	d.kubectl("", "delete", "configmap", "b", "c")
	d.kubectl(fmt.Sprintf(named, "c"), "create", "-f", "-")
	d.kubectl(fmt.Sprintf(named, "new"), "create", "-f", "-")
	same(t, map[string]string{
		"configmap.a": "it has changed", "configmap.b": "it does not exist any more", "configmap.c": "it was deleted and created again",
		"configmap.new": "it exists now, and no inventory owns it",
	}, d.check())

	var elsewhere *execute.PlaceError
	for _, other := range []plan.Cluster{{Server: d.Server(), UID: "other"}, {Server: "https://other"}} {
		in := d.input()
		in.Plan.Metadata.Cluster = &other
		if _, err := execute.Run(t.Context(), in, nil); !errors.As(err, &elsewhere) {
			t.Errorf("a plan for another cluster: %v", err)
		}
	}
}

// TestDriveLimited asserts that whoever may use one namespace alone can work there.
func TestDriveLimited(t *testing.T) {
	t.Parallel()
	d := newDraft(t, sharedServer(t))
	if _, err := inventory.InstallCRD(t.Context(), d.Cluster, false); err != nil {
		t.Fatal(err)
	}
	d.kubectl(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: limited, namespace: $NS}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: limited}]
`, "apply", "-f", "-")
	d.Cluster = d.as(kubetest.Limited)
	d.record(d.id("", "ConfigMap", "one"))
	d.apply(fmt.Sprintf(named, "one"))
	d.succeeds()
	same(t, map[string]string{"ConfigMap one": ok}, d.listed())
}

// TestDriveBeside asserts that values of Secrets travel beside the plan, and only
// there.
func TestDriveBeside(t *testing.T) {
	t.Parallel()
	d := newDraft(t, sharedServer(t))
	d.record(d.id("", "Secret", "s"))
	c := d.apply("apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: $NS}\nstringData: {password: \"[hidden]\"}\n")
	_, err := execute.Run(t.Context(), d.input(), nil)
	if want := "Secret " + d.namespace + "/s: the values of Secret " + d.namespace + "/s came from standard input and are not in the plan: run the command again"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
	d.in.Beside = map[string]any{"kube": map[string]map[string]any{c.ResourceRef: {"stringData.password": "canary"}}}
	d.succeeds()
	got, _, _ := unstructured.NestedString(d.look("v1", "Secret", "s").Object, "data", "password")
	same(t, "Y2FuYXJ5", got)
}

// TestDriveInterrupted asserts that a run that ends while it waits can be
// continued.
func TestDriveInterrupted(t *testing.T) {
	t.Parallel()
	d := newDraft(t, sharedServer(t))
	d.record(d.id("", "ConfigMap", "a"), d.id("", "PersistentVolumeClaim", "never"))
	d.apply(fmt.Sprintf(named, "a"))
	d.scope.Options.ReconcileTimeout = 0
	d.apply(unbound)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	report, err := execute.Run(ctx, d.input(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !report.Interrupted || !report.FinishLeft {
		t.Errorf("interrupted: %t, left to finish: %t", report.Interrupted, report.FinishLeft)
	}
	got := report.Results[2].Error
	if want := "wait for PersistentVolumeClaim " + d.namespace + "/never: interrupted after "; !strings.HasPrefix(got, want) || !strings.Contains(got, "PVC is not Bound") {
		t.Errorf("%q, want %q", got, want)
	}
	group, err := inventory.Load(t.Context(), d.Cluster, d.namespace, "set")
	if err != nil || len(group.Entries) != 2 {
		t.Errorf("%v, %v", group, err)
	}
}
