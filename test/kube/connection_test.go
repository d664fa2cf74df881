//go:build real

package kube

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/test/kubetest"
)

const manager = "kongctl"

// connection is a connection to a cluster, with a namespace of its own.
type connection struct {
	*cluster.Cluster
	t         testing.TB
	namespace string
	config    string // the kubeconfig
}

func connect(t testing.TB, server *kubetest.Server, context string) *connection {
	t.Helper()
	namespace, err := server.Namespace("connection")
	if err != nil {
		t.Fatal(err)
	}
	out := &connection{t: t, namespace: namespace, config: filepath.Join(t.TempDir(), "config")}
	if err := server.Kubeconfig(out.config, server.URL(), server.CA(), namespace); err != nil {
		t.Fatal(err)
	}
	out.Cluster = out.as(context)
	return out
}

// as opens the connection of another context.
func (c *connection) as(context string) *cluster.Cluster {
	c.t.Helper()
	out, err := cluster.Open(cluster.Config{Kubeconfig: c.config, Context: context})
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

// object reads a manifest; $NS is the namespace.
func (c *connection) object(manifest string) *unstructured.Unstructured {
	c.t.Helper()
	out := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(strings.ReplaceAll(manifest, "$NS", c.namespace)), &out.Object); err != nil {
		c.t.Fatal(err)
	}
	return out
}

func (c *connection) kind(apiVersion, kind string) cluster.Kind {
	c.t.Helper()
	k, err := c.Kind(c.t.Context(), schema.FromAPIVersionAndKind(apiVersion, kind))
	if err != nil {
		c.t.Fatal(err)
	}
	return k
}

func (c *connection) kubectl(stdin string, args ...string) string {
	c.t.Helper()
	program, err := kubetest.Program("kubectl")
	if err != nil {
		c.t.Fatal(err)
	}
	command := exec.CommandContext(c.t.Context(), program, append([]string{"--kubeconfig", c.config, "--cache-dir", c.t.TempDir()}, args...)...)
	command.Stdin = strings.NewReader(strings.ReplaceAll(stdin, "$NS", c.namespace))
	out, err := command.CombinedOutput()
	if err != nil {
		c.t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

const configMap = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: $NS}
data: {a: "1", b: "2"}
`

// TestConnectionObjects leads an object through its life.
func TestConnectionObjects(t *testing.T) {
	c := connect(t, sharedServer(t), "")
	ctx := t.Context()
	if c.Namespace() != c.namespace {
		t.Errorf("the namespace is %q, want that of the context", c.Namespace())
	}
	uid, err := c.UID(ctx)
	if err != nil || uid == "" {
		t.Errorf("uid %q, %v", uid, err)
	}
	k := c.kind("v1", "ConfigMap")
	if want := (cluster.Kind{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Resource: "configmaps", Namespaced: true, Listable: true, Deletable: true}); k != want {
		t.Errorf("kind %+v, want %+v", k, want)
	}

	if _, err := c.Get(ctx, k, c.namespace, "settings"); !resource.Missing(err) {
		t.Errorf("get of nothing: %v", err)
	}
	if _, err := c.Apply(ctx, k, c.object(configMap), cluster.ApplyOptions{Manager: manager, DryRun: true}); err != nil {
		t.Errorf("dry run: %v", err)
	}
	if _, err := c.Get(ctx, k, c.namespace, "settings"); !resource.Missing(err) {
		t.Errorf("get after a dry run: %v", err)
	}
	applied, err := c.Apply(ctx, k, c.object(configMap), cluster.ApplyOptions{Manager: manager})
	if err != nil {
		t.Fatal(err)
	}

	t.Run("a conflict names manager and fields", func(t *testing.T) {
		other := c.object(configMap)
		_ = unstructured.SetNestedField(other.Object, "other", "data", "a")
		_, err := c.Apply(ctx, k, other, cluster.ApplyOptions{Manager: "other"})
		var failed *cluster.Error
		if !errors.As(err, &failed) {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]cluster.Conflict{{Manager: manager, Field: ".data.a"}}, failed.Conflicts()); diff != "" {
			t.Error(diff)
		}
		if !failed.Rejected() || failed.Uncertain() {
			t.Errorf("rejected %t, uncertain %t", failed.Rejected(), failed.Uncertain())
		}
		want := fmt.Sprintf("apply ConfigMap %s/settings: conflict: field manager %q owns .data.a", c.namespace, manager)
		if err.Error() != want {
			t.Errorf("got  %s\nwant %s", err, want)
		}
		if _, err := c.Apply(ctx, k, other, cluster.ApplyOptions{Manager: "other", Force: true}); err != nil {
			t.Errorf("with force: %v", err)
		}
	})
	t.Run("create of what exists", func(t *testing.T) {
		_, err := c.Create(ctx, k, c.object(configMap), false)
		if !resource.Taken(err) || err.Error() != "create ConfigMap "+c.namespace+"/settings: already exists" {
			t.Error(err)
		}
	})
	t.Run("update of an old version", func(t *testing.T) {
		_, err := c.Update(ctx, k, applied, false)
		var failed *cluster.Error
		if !errors.As(err, &failed) || !failed.Conflicted() || failed.Conflicts() != nil || failed.Rejected() {
			t.Error(err)
		}
	})
	t.Run("delete of another object of that name", func(t *testing.T) {
		err := c.Delete(ctx, k, c.namespace, "settings", cluster.DeleteOptions{UID: types.UID("0")})
		var failed *cluster.Error
		if !errors.As(err, &failed) || !failed.Conflicted() {
			t.Error(err)
		}
	})
	if err := c.Delete(ctx, k, c.namespace, "settings", cluster.DeleteOptions{UID: applied.GetUID(), Propagation: "Background"}); err != nil {
		t.Error(err)
	}
	if err := c.Delete(ctx, k, c.namespace, "settings", cluster.DeleteOptions{UID: applied.GetUID()}); !resource.Missing(err) {
		t.Errorf("delete of nothing: %v", err)
	}
}

// TestConnectionErrors asserts what users read when the server refuses.
func TestConnectionErrors(t *testing.T) {
	c := connect(t, sharedServer(t), "")
	ctx := t.Context()
	tests := []struct {
		name, manifest, want string
		not                  string
	}{
		{
			name:     "an invalid value",
			manifest: "{apiVersion: v1, kind: ConfigMap, metadata: {name: UPPER, namespace: $NS}}",
			want:     "apply ConfigMap $NS/UPPER: metadata.name: Invalid value: \"UPPER\": ",
		},
		{
			name:     "a field that the schema does not have",
			manifest: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: $NS}, spec: {}}",
			want:     ".spec: field not declared in schema",
		},
		{
			name:     "a namespace that is not there",
			manifest: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: nowhere}}",
			want:     `apply ConfigMap nowhere/a: namespaces "nowhere" not found`,
		},
		{
			name:     "data of a Secret that is not encoded",
			manifest: "{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: $NS}, data: {key: hush hush}}",
			want:     "apply Secret $NS/a: ", not: "hush",
		},
		{
			name:     "data of a Secret that is a number",
			manifest: "{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: $NS}, stringData: {key: 7364}}",
			want:     "apply Secret $NS/a: ", not: "7364",
		},
		{
			name:     "data of a Secret that is an object",
			manifest: "{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: $NS}, stringData: {key: {pin: 81, word: hush}}}",
			want:     "apply Secret $NS/a: ", not: "hush",
		},
		{
			name:     "a Secret of a type that asks for a form",
			manifest: "{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: $NS}, type: kubernetes.io/dockerconfigjson, stringData: {.dockerconfigjson: hushhush}}",
			want:     "apply Secret $NS/a: ", not: "hush",
		},
		{
			name:     "a Secret with a key that is not allowed",
			manifest: "{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: $NS}, stringData: {a key: hushhush}}",
			want:     "apply Secret $NS/a: data[a key]: Invalid value: \"a key\"", not: "hush",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			u := c.object(test.manifest)
			_, err := c.Apply(ctx, c.kind(u.GetAPIVersion(), u.GetKind()), u, cluster.ApplyOptions{Manager: manager})
			if err == nil {
				t.Fatal("the server accepts it")
			}
			t.Log(err)
			if want := strings.ReplaceAll(test.want, "$NS", c.namespace); !strings.Contains(err.Error(), want) {
				t.Errorf("got  %s\nwant %s", err, want)
			}
			for e := err; e != nil; e = errors.Unwrap(e) {
				if test.not != "" && strings.Contains(fmt.Sprintf("%v %+v", e, e), test.not) {
					t.Errorf("%T shows the value: %v", e, e)
				}
			}
		})
	}
	t.Run("a user who may not", func(t *testing.T) {
		_, err := c.as(kubetest.Limited).Get(ctx, c.kind("v1", "ConfigMap"), c.namespace, "a")
		var failed *cluster.Error
		if !errors.As(err, &failed) || !failed.Forbidden() || !resource.Unauthorized(err) || failed.Fatal() {
			t.Error(err)
		}
		t.Log(err)
	})
	t.Run("a token that is wrong", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "config")
		c.kubectl("", "config", "set-credentials", "admin", "--token=wrong-token", "--kubeconfig="+copied(t, c.config, file))
		wrong, err := cluster.Open(cluster.Config{Kubeconfig: file})
		if err != nil {
			t.Fatal(err)
		}
		_, err = wrong.Kind(ctx, schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
		if !resource.Unauthorized(err) || !resource.Fatal(err) || strings.Contains(err.Error(), "wrong-token") {
			t.Error(err)
		}
		t.Log(err)
	})
	t.Run("kinds", func(t *testing.T) {
		for gvk, want := range map[schema.GroupVersionKind]string{
			{Group: "apps", Version: "v1beta1", Kind: "Deployment"}:  "has no kind Deployment in apps/v1beta1; it has apps/v1",
			{Group: "example.com", Version: "v1", Kind: "Widget"}:    "has no kind Widget in example.com/v1; fix: ",
			{Group: "networking.k8s.io", Version: "v1", Kind: "Pod"}: "has no kind Pod in networking.k8s.io/v1",
		} {
			_, err := c.Kind(ctx, gvk)
			if !resource.Missing(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v", gvk, err)
			}
		}
		k, err := c.Preferred(ctx, schema.GroupKind{Group: "apps", Kind: "Deployment"})
		if err != nil || k.Version != "v1" || k.Resource != "deployments" {
			t.Errorf("%v, %v", k, err)
		}
	})
}

// TestConnectionBrokenAPI asserts that an API that does not answer is not taken
// for one without objects, and is in nobody's way.
func TestConnectionBrokenAPI(t *testing.T) {
	c := connect(t, ownServer(t, kubetest.Options{}), "")
	c.kubectl(`
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.example.com}
spec: {group: metrics.example.com, version: v1beta1, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: {name: none, namespace: default}}
`, "apply", "-f", "-")
	var broken *cluster.UnavailableKindError
	if err := kubetest.Await("the API to be known as broken", patience, func() (bool, error) {
		c.Rediscover()
		_, err := c.Preferred(t.Context(), schema.GroupKind{Group: "metrics.example.com", Kind: "NodeMetrics"})
		return errors.As(err, &broken), nil
	}); err != nil {
		t.Fatal(err)
	}
	if resource.Missing(broken) {
		t.Error("what is not known counts as missing")
	}
	t.Log(broken)
	c.kind("apps/v1", "Deployment")
}

// TestConnectionTakeOver asserts that objects of kubectl and kpt become ours:
// without conflict, and a field that the manifest drops disappears.
func TestConnectionTakeOver(t *testing.T) {
	c := connect(t, sharedServer(t), "")
	ctx := t.Context()
	k := c.kind("v1", "ConfigMap")
	tests := []struct {
		name  string
		apply []string
	}{
		{"kubectl apply", []string{"apply", "-f", "-"}},
		{"kubectl apply on the server", []string{"apply", "--server-side", "-f", "-"}},
		{"kpt", []string{"apply", "--server-side", "--field-manager=kpt", "-f", "-"}},
		{"kpt before server-side apply", []string{"apply", "--field-manager=kubectl", "-f", "-"}},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			name := fmt.Sprintf("taken-%d", i)
			c.kubectl(strings.ReplaceAll(configMap, "settings", name), test.apply...)
			live, err := c.Get(ctx, k, c.namespace, name)
			if err != nil {
				t.Fatal(err)
			}
			manifest := c.object(strings.ReplaceAll(configMap, "settings", name))
			manifest.Object["data"] = map[string]any{"a": "new"}
			if _, err := c.Apply(ctx, k, manifest, cluster.ApplyOptions{Manager: manager}); err == nil {
				t.Error("no conflict without taking over")
			}
			if !cluster.NeedsTakeOver(live, manager) {
				t.Fatal("nothing to take over")
			}
			if _, changed, err := c.TakeOver(ctx, k, live, manager, true); err != nil || !changed {
				t.Errorf("dry run: %t, %v", changed, err)
			}
			taken, changed, err := c.TakeOver(ctx, k, live, manager, false)
			if err != nil || !changed || cluster.NeedsTakeOver(taken, manager) {
				t.Fatalf("%t, %v", changed, err)
			}
			if _, changed, err := c.TakeOver(ctx, k, taken, manager, false); err != nil || changed {
				t.Errorf("again: %t, %v", changed, err)
			}
			got, err := c.Apply(ctx, k, manifest, cluster.ApplyOptions{Manager: manager})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]any{"a": "new"}, got.Object["data"]); diff != "" {
				t.Error(diff)
			}
			if len(got.GetAnnotations()) > 0 {
				t.Errorf("annotations stay: %v", got.GetAnnotations())
			}
		})
	}
	t.Run("one that changed meanwhile", func(t *testing.T) {
		c.kubectl(strings.ReplaceAll(configMap, "settings", "moving"), "apply", "-f", "-")
		live, err := c.Get(ctx, k, c.namespace, "moving")
		if err != nil {
			t.Fatal(err)
		}
		c.kubectl("", "label", "-n", c.namespace, "configmap", "moving", "a=b")
		taken, changed, err := c.TakeOver(ctx, k, live, manager, false)
		if err != nil || !changed || taken.GetLabels()["a"] != "b" {
			t.Errorf("%t, %v", changed, err)
		}
	})
}

// TestConnectionLists asserts that lists are whole, whatever their size.
func TestConnectionLists(t *testing.T) {
	c := connect(t, sharedServer(t), "")
	k := c.kind("v1", "ConfigMap")
	const count = 1100
	errs := make(chan error)
	for i := range count {
		go func() {
			u := c.object(strings.ReplaceAll(configMap, "settings", fmt.Sprintf("c-%04d", i)))
			_, err := c.Apply(t.Context(), k, u, cluster.ApplyOptions{Manager: manager})
			errs <- err
		}()
	}
	for range count {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	list, err := c.List(t.Context(), k, c.namespace, cluster.ListOptions{})
	if err != nil || len(list) != count {
		t.Errorf("%d objects, %v", len(list), err)
	}
	one, err := c.List(t.Context(), k, c.namespace, cluster.ListOptions{FieldSelector: "metadata.name=c-0007"})
	if err != nil || len(one) != 1 {
		t.Errorf("%d objects, %v", len(one), err)
	}
}

func copied(t *testing.T, from, to string) string {
	t.Helper()
	raw, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}
