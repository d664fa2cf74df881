//go:build real

package kube

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/test/kubetest"
)

const many = 60

var unreachable = regexp.MustCompile(`cannot reach 127\.0\.0\.1|connection refused`)

// TestKilledServer kills the API server at several points of a run: before the
// inventory is there, in the middle of the objects, among the prunes. What
// exists is always in the inventory, and the next run ends the work.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		first  int    // objects of the run before, 0 for none
		then   int    // objects of the run that is disturbed
		text   string // and what they say
		writes int64  // how many it gets through
	}{
		{"at the first write", 0, many, "first", 1},
		{"in the middle of the creates", 0, many, "first", many / 2},
		{"among the prunes", many, many / 4, "first", many / 3},
		{"in the middle of the updates", many, many, "then", many / 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			server := ownServer(t, kubetest.Options{})
			m := newTestMachine(t, server, map[string]string{"pkg/group.yaml": groupFile("app")})
			if row.first > 0 {
				m.write(t, map[string]string{"pkg/objects.yaml": configMaps(row.first, "first")})
				m.run(t, "kongctl", "live", "apply", "pkg")
			}
			m.write(t, map[string]string{"pkg/objects.yaml": configMaps(row.then, row.text)})
			m.gate.Watch(afterWrites(row.writes, m.kill))
			out, code := m.try(t, "kongctl", "live", "apply", "--reconcile-timeout", "20s", "pkg")
			if code == 0 || !unreachable.MatchString(out) {
				t.Fatalf("exit status %d; want another, and why:\n%s", code, end(out))
			}
			m.revive(t)
			m.assertListed(t, "app")

			m.run(t, "kongctl", "live", "apply", "pkg")
			m.assertHolds(t, "app", row.then)
			m.gate.Take()
			m.run(t, "kongctl", "live", "apply", "pkg")
			m.assertNoWrites(t)
		})
	}
}

// TestResumedAfterKill asserts that resume ends what a killed server left.
func TestResumedAfterKill(t *testing.T) {
	t.Parallel()
	server := ownServer(t, kubetest.Options{})
	m := newTestMachine(t, server, map[string]string{"pkg/group.yaml": groupFile("app"), "pkg/objects.yaml": configMaps(many, "first")})
	m.gate.Watch(afterWrites(many/2, m.kill))
	if out, code := m.try(t, "kongctl", "live", "apply", "pkg"); code == 0 {
		t.Fatalf("the run succeeds:\n%s", end(out))
	}
	m.revive(t)
	m.run(t, "kongctl", "resume", "--auto-approve")
	m.assertHolds(t, "app", many)
}

// TestDeletedMeanwhile asserts that objects which vanish in the middle of a run
// do not stop it, and that the next run brings them back.
func TestDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	server := sharedServer(t)
	m := newTestMachine(t, server, map[string]string{"pkg/group.yaml": groupFile("app"), "pkg/objects.yaml": configMaps(many, "first")})
	m.run(t, "kongctl", "live", "apply", "pkg")
	m.write(t, map[string]string{"pkg/objects.yaml": configMaps(many/2, "then")})
	m.gate.Watch(afterWrites(2, func() {
		// One that is updated, and one that is pruned.
		for _, name := range []string{"cm-003", fmt.Sprintf("cm-%03d", many-1)} {
			if _, err := server.Do(http.MethodDelete, m.path("configmaps", name), nil); err != nil {
				t.Errorf("delete %s: %v", name, err)
			}
		}
	}))
	out, code := m.try(t, "kongctl", "live", "apply", "pkg")
	t.Logf("exit status %d\n%s", code, end(out))
	m.gate.Watch(nil)
	m.assertListed(t, "app")
	m.run(t, "kongctl", "live", "apply", "pkg")
	m.assertHolds(t, "app", many/2)
}

// TestConcurrent runs two applies of one inventory at once, on two machines:
// nothing that exists is lost from the inventory.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	server := sharedServer(t)
	a := newTestMachine(t, server, map[string]string{"pkg/group.yaml": groupFile("app"), "pkg/objects.yaml": configMaps(many, "a")})
	b, err := newMachine(server, t.TempDir(), a.namespace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.gate.Close)
	b.write(t, map[string]string{"pkg/group.yaml": groupFile("app"), "pkg/objects.yaml": configMaps(many+many/2, "a")})
	var both sync.WaitGroup
	for _, m := range []*machine{a, b} {
		both.Go(func() {
			out, err := m.command(t.Context(), "kongctl", "live", "apply", "--no-prune", "pkg").CombinedOutput()
			t.Logf("%v\n%s", err, end(string(out)))
		})
	}
	both.Wait()
	a.assertListed(t, "app")
	b.run(t, "kongctl", "live", "apply", "pkg")
	b.assertHolds(t, "app", many+many/2)
}

// kill ends the API server, and the gate in front of it.
func (m *machine) kill() {
	m.server.KillAPI()
	m.gate.Cut()
}

// revive starts both again.
func (m *machine) revive(t *testing.T) {
	t.Helper()
	m.gate.Watch(nil)
	if err := errors.Join(m.server.StartAPI(), m.gate.Open()); err != nil {
		t.Fatal(err)
	}
}

// afterWrites calls f once, when the nth request that writes an object comes.
func afterWrites(n int64, f func()) func(kubetest.Request) {
	var seen atomic.Int64
	return func(r kubetest.Request) {
		if r.Write() && r.Agent != "kubectl" && seen.Add(1) == n {
			f()
		}
	}
}

func groupFile(name string) string {
	return "apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata: {name: " + name + ", namespace: $NS}\n"
}

func configMaps(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: cm-%03d}, data: {text: %s}}\n", i, text)
	}
	return b.String()
}

func (m *machine) path(resource, name string) string {
	return "/api/v1/namespaces/" + m.namespace + "/" + resource + "/" + name
}

// existing are the names of the ConfigMaps that the inventory owns.
func (m *machine) existing(t *testing.T, group string) []string {
	t.Helper()
	items, err := m.server.Items("/api/v1/namespaces/" + m.namespace + "/configmaps")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, o := range items {
		meta, _ := o["metadata"].(kubetest.Object)
		annotations, _ := meta["annotations"].(kubetest.Object)
		if annotations["config.k8s.io/owning-inventory"] == group+"-"+m.namespace {
			out = append(out, meta["name"].(string))
		}
	}
	sort.Strings(out)
	return out
}

// listed are the names in the inventory in the cluster.
func (m *machine) listed(t *testing.T, group string) []string {
	t.Helper()
	o, err := m.server.Do(http.MethodGet, "/apis/kpt.dev/v1alpha1/namespaces/"+m.namespace+"/resourcegroups/"+group, nil)
	var status *kubetest.StatusError
	if errors.As(err, &status) && status.Code == http.StatusNotFound {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := o["spec"].(kubetest.Object)
	entries, _ := spec["resources"].([]any)
	var out []string
	for _, e := range entries {
		out = append(out, e.(kubetest.Object)["name"].(string))
	}
	sort.Strings(out)
	return out
}

// assertListed asserts that the inventory has lost nothing that exists.
func (m *machine) assertListed(t *testing.T, group string) {
	t.Helper()
	listed := m.listed(t, group)
	for _, name := range m.existing(t, group) {
		if !slices.Contains(listed, name) {
			t.Errorf("%s exists and is not in the inventory", name)
		}
	}
}

// assertHolds asserts that exactly n objects exist and are listed.
func (m *machine) assertHolds(t *testing.T, group string, n int) {
	t.Helper()
	existing := m.existing(t, group)
	if len(existing) != n {
		t.Errorf("%d objects exist, want %d", len(existing), n)
	}
	if diff := cmp.Diff(existing, m.listed(t, group)); diff != "" {
		t.Errorf("inventory (-existing +listed):\n%s", diff)
	}
}

func (m *machine) assertNoWrites(t *testing.T) {
	t.Helper()
	for _, r := range m.gate.Take() {
		if r.Write() {
			t.Errorf("an unchanged set sends %s %s", r.Method, r.Path)
		}
	}
}
