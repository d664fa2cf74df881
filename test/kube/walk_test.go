//go:build real

package kube

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/kube"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/test/kubetest"
)

// walk is a machine without Konnect that leads manifests to a cluster, through a
// gate of its own.
type walk struct {
	t         *testing.T
	gate      *kubetest.Gate
	namespace string
	config    string
	work      string
	state     string
	options   kube.Options
	cluster   *cluster.Cluster // not through the gate
	catalog   engine.Catalog
	aborted   chan struct{}
}

func newWalk(t *testing.T, server *kubetest.Server) *walk {
	t.Helper()
	w := &walk{t: t, work: t.TempDir(), state: t.TempDir(), catalog: sync.OnceValues(catalog.Load), aborted: make(chan struct{})}
	var err error
	if w.namespace, err = server.Namespace("walk"); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if w.gate, err = server.Gate(filepath.Join(folder, "ca.crt")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.gate.Close)
	direct := filepath.Join(folder, "direct")
	w.config = filepath.Join(folder, "config")
	if err := errors.Join(server.Kubeconfig(w.config, w.gate.URL(), w.gate.CA(), w.namespace), server.Kubeconfig(direct, server.URL(), server.CA(), w.namespace)); err != nil {
		t.Fatal(err)
	}
	if w.cluster, err = cluster.Open(cluster.Config{Kubeconfig: direct}); err != nil {
		t.Fatal(err)
	}
	w.options = kube.Options{
		Options:    object.Options{ReconcileTimeout: patience, DeleteTimeout: patience},
		Connection: cluster.Config{Kubeconfig: w.config},
	}
	return w
}

func (w *walk) engine() *engine.Engine {
	w.t.Helper()
	aborted := w.aborted
	options := w.options
	options.Here, options.Work, options.Dir = w.work, w.work, w.work
	e, err := engine.New(engine.Options{
		Host: engine.Host{
			Now: time.Now, After: time.After, Env: func(string) (string, bool) { return "", false },
			WorkDir: func() (string, error) { return w.work, nil }, State: func() (string, error) { return w.state, nil },
			Log:     func() (*slog.Logger, error) { return slog.New(slog.DiscardHandler), nil },
			Aborted: func() <-chan struct{} { return aborted }, Command: "kongctl", Version: "test", Catalog: w.catalog,
			Kube: options,
		},
		Sink: func(event.Event) {},
		Konnect: engine.Konnect{
			Account: func(context.Context) (engine.Account, error) {
				return engine.Account{}, errors.New("there is no token")
			},
			Concurrency: func() (int, error) { return 4, nil },
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = e.Close() })
	return e
}

const resourceGroup = "apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata: {name: set, namespace: $NS}\n"

// plan plans some manifests; "" deletes all.
func (w *walk) plan(e *engine.Engine, manifests string) *engine.Planned {
	w.t.Helper()
	text := strings.ReplaceAll(resourceGroup+"---\n"+manifests, "$NS", w.namespace)
	if err := os.WriteFile(filepath.Join(w.work, "objects.yaml"), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	r := engine.PlanRequest{Sources: engine.Sources{Dirs: []string{w.work}, Recursive: true}, Mode: plan.ModeLive, Prune: engine.PruneFull, Targets: []string{"kube"}}
	r.Scope.AllowEmpty = []string{"*"}
	p, err := e.Plan(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, b := range p.Plan.Blocked {
		w.t.Errorf("blocked: %s %s", b.ResourceRef, b.Message)
	}
	return p
}

func (w *walk) succeeded(r *execute.Report, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, x := range r.Results {
		if x.Status != execute.Succeeded {
			w.t.Errorf("%s: %s %s", x.ChangeID, x.Status, x.Error)
		}
	}
	if r.FinishErr != nil {
		w.t.Error(r.FinishErr)
	}
}

// apply brings manifests about. A second plan must be empty, and so must its
// writes be.
func (w *walk) apply(manifests string) {
	w.t.Helper()
	e := w.engine()
	w.succeeded(e.Run(w.t.Context(), engine.RunRequest{Planned: w.plan(e, manifests)}))
	w.settled(manifests)
}

func (w *walk) settled(manifests string) {
	w.t.Helper()
	w.gate.Take()
	if left := w.plan(w.engine(), manifests).Plan; !left.Empty() {
		w.t.Errorf("there is something left to do: %q", testkit.Lines(left))
	}
	for _, r := range w.gate.Take() {
		if r.Write() {
			w.t.Errorf("a plan wrote: %s %s", r.Method, r.Path)
		}
	}
}

// kill lets a run stand still at its nth write, before the server got it or after
// it was carried out, as if its process had ended there. It reports whether the run
// got there; otherwise it ended.
func (w *walk) kill(n int, answered bool, planned func(e *engine.Engine) *engine.Planned) bool {
	w.t.Helper()
	e := w.engine()
	p := planned(e)
	var (
		writes  atomic.Int64
		reached = make(chan struct{})
		forever = make(chan struct{})
		ended   = make(chan struct{})
	)
	stop := func(r kubetest.Request) {
		if !r.Write() {
			return
		}
		at := writes.Add(1)
		if at == int64(n) {
			close(reached)
		}
		if at >= int64(n) {
			<-forever
		}
	}
	if answered {
		w.gate.WatchAnswers(stop)
	} else {
		w.gate.Watch(stop)
	}
	go func() {
		defer close(ended)
		_, _ = e.Run(context.WithoutCancel(w.t.Context()), engine.RunRequest{Planned: p}) // nobody is there to hear it
	}()
	aborted := w.aborted
	w.t.Cleanup(func() {
		close(aborted)
		<-ended
		close(forever)
	})
	defer func() {
		w.gate.Watch(nil)
		w.gate.WatchAnswers(nil)
		w.aborted = make(chan struct{})
	}()
	select {
	case <-ended:
		return false
	case <-reached:
		_ = e.Close() // the system gives the locks of a process back
		return true
	}
}

// trust takes any journal.
func trust() engine.Trust {
	return engine.Trust{
		Key:    func() (ed25519.PublicKey, error) { return nil, nil },
		MaxAge: func() (time.Duration, string, error) { return 0, "0", nil },
	}
}

// resume continues the run that was killed.
func (w *walk) resume() {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.state, "*", "*.journal"))
	if err != nil || len(files) != 1 {
		w.t.Fatalf("journals: %q, %v", files, err)
	}
	e := w.engine()
	c, err := e.Continue(w.t.Context(), engine.ContinueRequest{Journal: files[0], Trust: trust()})
	if err != nil {
		w.t.Fatal(err)
	}
	w.succeeded(e.Run(w.t.Context(), c.Run))
}

// listed is what the inventory lists, or nil.
func (w *walk) listed() map[string]string {
	w.t.Helper()
	group, err := inventory.Load(w.t.Context(), w.cluster, w.namespace, "set")
	if err != nil {
		w.t.Fatal(err)
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

const (
	before = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: changes, namespace: $NS}\ndata: {a: \"1\"}\n---\n" +
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stays, namespace: $NS}\n---\n" +
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: goes, namespace: $NS}\n"
	after = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: changes, namespace: $NS}\ndata: {a: \"2\"}\n---\n" +
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stays, namespace: $NS}\n---\n" +
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first, namespace: $NS}\n---\n" +
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: second, namespace: $NS, annotations: {config.kubernetes.io/depends-on: /namespaces/$NS/ConfigMap/first}}\n"
)

// TestWalkKilled kills a run at every write, and resumes it: it must end like one
// that was not killed.
func TestWalkKilled(t *testing.T) {
	t.Parallel()
	for _, answered := range []bool{false, true} {
		for n := 1; n < 20; n++ {
			more := false
			t.Run(fmt.Sprintf("write %d, answered %t", n, answered), func(t *testing.T) {
				w := newWalk(t, sharedServer(t))
				w.apply(before)
				if more = w.kill(n, answered, func(e *engine.Engine) *engine.Planned { return w.plan(e, after) }); more {
					w.resume()
				}
				w.settled(after)
				same(t, map[string]string{"ConfigMap changes": ok, "ConfigMap stays": "", "ConfigMap first": ok, "ConfigMap second": ok}, withoutStatus(w.listed(), "ConfigMap stays"))
			})
			if !more {
				break
			}
		}
	}
}

// withoutStatus empties the status of an entry.
func withoutStatus(listed map[string]string, name string) map[string]string {
	if _, ok := listed[name]; ok {
		listed[name] = ""
	}
	return listed
}

// TestWalkDestroyKilled does the same with a set that is deleted.
func TestWalkDestroyKilled(t *testing.T) {
	t.Parallel()
	for _, answered := range []bool{false, true} {
		for n := 1; n < 20; n++ {
			more := false
			t.Run(fmt.Sprintf("write %d, answered %t", n, answered), func(t *testing.T) {
				w := newWalk(t, sharedServer(t))
				w.apply(before)
				w.options.Destroy = true
				if more = w.kill(n, answered, func(e *engine.Engine) *engine.Planned { return w.plan(e, "") }); more {
					w.resume()
				}
				if got := w.listed(); got != nil {
					t.Errorf("the inventory is left: %v", got)
				}
				left, err := w.cluster.List(t.Context(), cluster.Kind{GroupVersionKind: object.ID{Kind: "ConfigMap"}.GroupKind().WithVersion("v1"), Resource: "configmaps", Namespaced: true}, w.namespace, cluster.ListOptions{})
				if err != nil {
					t.Fatal(err)
				}
				for _, u := range left {
					if u.GetName() != "kube-root-ca.crt" {
						t.Errorf("%s is left", u.GetName())
					}
				}
			})
			if !more {
				break
			}
		}
	}
}

// TestWalkStale asserts that what is gone, or belongs to others, leaves the
// inventory.
func TestWalkStale(t *testing.T) {
	t.Parallel()
	w := newWalk(t, sharedServer(t))
	w.apply(before)
	k := cluster.Kind{GroupVersionKind: object.ID{Kind: "ConfigMap"}.GroupKind().WithVersion("v1"), Resource: "configmaps", Namespaced: true}
	if err := w.cluster.Delete(t.Context(), k, w.namespace, "goes", cluster.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err := w.cluster.Patch(t.Context(), k, w.namespace, "changes", types.MergePatchType, []byte(`{"metadata":{"annotations":{"`+object.Owner+`":"other"}}}`), cluster.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stays, namespace: $NS}\n")
	same(t, map[string]string{"ConfigMap stays": ok}, w.listed())
	if _, err := w.cluster.Get(t.Context(), k, w.namespace, "changes"); err != nil {
		t.Errorf("what belongs to another inventory was deleted: %v", err)
	}
}

// TestWalkOtherGroup asserts that an object that the set names in another API
// group now is not deleted.
func TestWalkOtherGroup(t *testing.T) {
	t.Parallel()
	const rest = "reason: Test\naction: Test\ntype: Normal\neventTime: \"2026-01-01T00:00:00.000000Z\"\nreportingInstance: x\nmetadata: {name: e, namespace: $NS}\n"
	w := newWalk(t, sharedServer(t))
	w.apply("apiVersion: v1\nkind: Event\nreportingComponent: example.com/x\ninvolvedObject: {kind: ConfigMap, name: x, namespace: $NS}\n" + rest)
	k := cluster.Kind{GroupVersionKind: object.ID{Kind: "Event"}.GroupKind().WithVersion("v1"), Resource: "events", Namespaced: true}
	was, err := w.cluster.Get(t.Context(), k, w.namespace, "e")
	if err != nil {
		t.Fatal(err)
	}
	w.apply("apiVersion: events.k8s.io/v1\nkind: Event\nreportingController: example.com/x\nregarding: {kind: ConfigMap, name: x, namespace: $NS}\n" + rest)
	is, err := w.cluster.Get(t.Context(), k, w.namespace, "e")
	if err != nil || is.GetUID() != was.GetUID() {
		t.Errorf("the object was deleted: %v", err)
	}
	group, err := inventory.Load(t.Context(), w.cluster, w.namespace, "set")
	if err != nil || len(group.Entries) != 1 || group.Entries[0].Group != "events.k8s.io" {
		t.Errorf("the inventory lists %v, %v", group.Entries, err)
	}
}
