package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kongctl/kongctl/test/kubetest"
)

var kubeObjects = flag.Int("kube-objects", 500, "how many ConfigMaps the benchmarks of Kubernetes apply")

// workplace is a namespace with a folder of objects.
type workplace struct {
	b         *testing.B
	server    *kubetest.Server
	dir       string
	namespace string
	env       []string
	gate      *kubetest.Gate
}

// rival is what kubectl does for the same work, without an inventory. Where it
// is too slow to wait for, it gets a part of the objects, and its time counts as
// often.
type rival struct {
	metric string
	args   []string
	parts  int
}

// ConfigMaps from nothing, unchanged, and all but one pruned, by the built
// program against a real API server. The floor is one write for each object and
// two for the inventory, or the list of the objects where nothing changes;
// kubectl does the same work in the same run.
func BenchmarkKubernetes(b *testing.B) {
	server, program := kubeServer(b)
	kubectl, err := kubetest.Program("kubectl")
	if err != nil {
		b.Fatal(err)
	}
	n := *kubeObjects
	ours := []string{program, "live", "apply", "--reconcile-timeout", "5m"}
	if n >= 5000 {
		ours = append(ours, "--inventory-split")
	}
	ours = append(ours, "pkg")
	apply := []string{kubectl, "apply", "-f", "pkg/objects.yaml"}
	serverSide := []string{kubectl, "apply", "--server-side", "-f", "pkg/objects.yaml"}
	prune := []string{kubectl, "apply", "-f", "pkg/objects.yaml", "--prune", "-l", "bench=yes", "--prune-allowlist", "core/v1/ConfigMap"}

	for _, row := range []struct {
		name          string
		before, after int // objects that are there, and that the run asks for
		rivals        []rival
		floor         func(*workplace)
	}{
		{"apply", 0, n, []rival{{"of_kubectl", apply, 1}, {"of_kubectl_server_side", serverSide, 1}}, func(w *workplace) { w.each(n, w.put); w.inventory() }},
		{"unchanged", n, n, []rival{{"of_kubectl", apply, 20}, {"of_kubectl_server_side", serverSide, 1}}, func(w *workplace) { w.list() }},
		{"prune", n, 1, []rival{{"of_kubectl", prune, 20}}, func(w *workplace) { w.each(n-1, w.remove); w.inventory() }},
	} {
		b.Run(row.name, func(b *testing.B) {
			var floor, us time.Duration
			others := make([]time.Duration, len(row.rivals))
			for b.Loop() {
				floor += measure(b, server, row.before, row.after, apply, row.floor)
				us += measure(b, server, row.before, row.after, ours, func(w *workplace) { w.run(ours...) })
				for i, r := range row.rivals {
					first := apply
					if r.parts == 1 {
						first = r.args
					}
					took := measure(b, server, row.before/r.parts, max(1, row.after/r.parts), first, func(w *workplace) { w.run(r.args...) })
					others[i] += took * time.Duration(r.parts)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(us.Seconds()/float64(b.N), "s")
			b.ReportMetric(float64(floor)/float64(us), "of_floor")
			for i, r := range row.rivals {
				b.ReportMetric(float64(us)/float64(others[i]), r.metric)
			}
			requests, writes := count(b, server, row.before, row.after, ours)
			b.ReportMetric(float64(requests), "requests")
			b.ReportMetric(float64(writes), "writes")
		})
	}
}

// count is what a run sends, and how much of it changes something.
func count(b *testing.B, server *kubetest.Server, before, after int, ours []string) (requests, writes int) {
	b.Helper()
	w := newWorkplace(b, server)
	w.prepare(before, after, ours)
	w.gate.Take()
	w.run(ours...)
	for _, r := range w.gate.Take() {
		requests++
		if r.Write() {
			writes++
		}
	}
	return requests, writes
}

// kubeServer starts a cluster that ends with the benchmark and knows inventories,
// and builds the program.
func kubeServer(b *testing.B) (*kubetest.Server, string) {
	b.Helper()
	program, err := kubetest.Build(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	server, err := kubetest.Start(kubetest.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := server.Stop(false); err != nil {
			b.Error(err)
		}
	})
	newWorkplace(b, server).run(program, "live", "install-resource-group")
	return server, program
}

// measure times one piece of work in a namespace of its own, in which a command
// has made the objects that come before.
func measure(b *testing.B, server *kubetest.Server, before, after int, first []string, work func(*workplace)) time.Duration {
	b.Helper()
	w := newWorkplace(b, server)
	w.prepare(before, after, first)
	w.direct()
	begin := time.Now()
	work(w)
	return time.Since(begin)
}

func newWorkplace(b *testing.B, server *kubetest.Server) *workplace {
	b.Helper()
	w := &workplace{b: b, server: server, dir: b.TempDir()}
	var err error
	if w.namespace, err = server.Namespace("bench"); err != nil {
		b.Fatal(err)
	}
	if w.gate, err = server.Gate(filepath.Join(w.dir, "gate.crt")); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(w.gate.Close)
	w.connect(w.gate.URL(), w.gate.CA())
	w.env = append(os.Environ(), "HOME="+w.dir, "XDG_DATA_HOME="+w.dir, "XDG_STATE_HOME="+w.dir, "XDG_CONFIG_HOME="+w.dir, "XDG_CACHE_HOME="+w.dir,
		"KUBECONFIG="+filepath.Join(w.dir, "kubeconfig"), "KUBECACHEDIR="+filepath.Join(w.dir, "cache"))
	w.write("pkg/group.yaml", fmt.Sprintf("{apiVersion: kpt.dev/v1alpha1, kind: ResourceGroup, metadata: {name: bench, namespace: %s}}\n", w.namespace))
	return w
}

// direct leads past the gate, which takes time.
func (w *workplace) direct() { w.connect(w.server.URL(), w.server.CA()) }

func (w *workplace) connect(url, ca string) {
	w.b.Helper()
	if err := w.server.Kubeconfig(filepath.Join(w.dir, "kubeconfig"), url, ca, w.namespace); err != nil {
		w.b.Fatal(err)
	}
}

// prepare makes the objects that come before, and the file of those that are
// asked for.
func (w *workplace) prepare(before, after int, first []string) {
	w.b.Helper()
	if before > 0 {
		w.write("pkg/objects.yaml", benchMaps(before))
		w.run(first...)
	}
	w.write("pkg/objects.yaml", benchMaps(after))
}

func (w *workplace) write(name, text string) {
	w.b.Helper()
	file := filepath.Join(w.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		w.b.Fatal(err)
	}
}

func (w *workplace) run(args ...string) {
	w.b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = w.dir, w.env
	if out, err := cmd.CombinedOutput(); err != nil {
		w.b.Fatalf("%s: %v\n%.2000s", strings.Join(args, " "), err, out)
	}
}

// each does something for the names of n objects, several at a time.
func (w *workplace) each(n int, do func(name string) error) {
	w.b.Helper()
	names, failed := make(chan string), make(chan error, clients)
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			var err error
			for name := range names {
				err = errors.Join(err, do(name))
			}
			failed <- err
		})
	}
	for i := range n {
		names <- benchName(i + 1)
	}
	close(names)
	group.Wait()
	close(failed)
	for err := range failed {
		if err != nil {
			w.b.Fatal(err)
		}
	}
}

func (w *workplace) configMaps() string { return "/api/v1/namespaces/" + w.namespace + "/configmaps" }

// put writes one object as the program does.
func (w *workplace) put(name string) error {
	_, err := w.server.Apply(w.configMaps()+"/"+name, kubetest.Object{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": kubetest.Object{"name": name, "labels": kubetest.Object{"bench": "yes"}},
		"data": kubetest.Object{"key": "value"},
	})
	return err
}

func (w *workplace) remove(name string) error {
	_, err := w.server.Do(http.MethodDelete, w.configMaps()+"/"+name, nil)
	return err
}

func (w *workplace) list() {
	w.b.Helper()
	if _, err := w.server.Items(w.configMaps()); err != nil {
		w.b.Fatal(err)
	}
}

// inventory writes twice an object that is as large as the names of all objects.
func (w *workplace) inventory() {
	w.b.Helper()
	for i := range 2 {
		_, err := w.server.Apply(w.configMaps()+"/inventory", kubetest.Object{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": kubetest.Object{"name": "inventory"},
			"data": kubetest.Object{"names": strings.Repeat(fmt.Sprint(i), 100**kubeObjects)},
		})
		if err != nil {
			w.b.Fatal(err)
		}
	}
}

func benchName(i int) string { return fmt.Sprintf("cm-%05d", i) }

func benchMaps(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, labels: {bench: \"yes\"}}, data: {key: value}}\n", benchName(i))
	}
	return out.String()
}
