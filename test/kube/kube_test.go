//go:build real

// Package kube tests the built program against a real Kubernetes API server.
//
// In: the sources of this module, the scripts of testdata, and the programs that
// `make kube` builds. Out: test failures with everything that the commands
// printed. What is about the command line must never reach below it.
package kube

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kongctl/kongctl/test/kubetest"
)

// shared is what all tests of a run have in common: one cluster and one build
// of the program, each made when first asked for.
type shared struct {
	dir     string
	server  func() (*kubetest.Server, error)
	program func() (string, error)

	starts sync.RWMutex // held to write once nothing may start any more

	mu      sync.Mutex
	running []*kubetest.Server
}

// patience bounds every wait for something that happens in the cluster.
const patience = 30 * time.Second

var run = &shared{}

func TestMain(m *testing.M) {
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		_ = parallel.Value.Set("4") // most of the time a test waits
	}
	os.Exit(run.main(m)) //nolint:forbidigo // it stands for main
}

func (s *shared) main(m *testing.M) int {
	dir, err := os.MkdirTemp("", "kongctl-kube-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s.dir = dir
	s.program = sync.OnceValues(func() (string, error) { return kubetest.Build(dir) })
	s.server = sync.OnceValues(func() (*kubetest.Server, error) {
		return s.start(kubetest.Options{Controllers: true, Kubelet: true})
	})
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupts
		signal.Stop(interrupts) // a second one ends the run at once
		s.end(false)
		os.Exit(130) //nolint:forbidigo // the tests are over
	}()
	status := m.Run()
	s.end(status != 0)
	return status
}

// start starts a cluster that ends with the run at the latest.
func (s *shared) start(o kubetest.Options) (*kubetest.Server, error) {
	s.starts.RLock()
	defer s.starts.RUnlock()
	server, err := kubetest.Start(o)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = append(s.running, server)
	return server, nil
}

// stop ends a cluster, if it has not ended yet.
func (s *shared) stop(server *kubetest.Server, keep bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.Index(s.running, server)
	if at < 0 {
		return nil
	}
	s.running = slices.Delete(s.running, at, at+1)
	return server.Stop(keep)
}

// end stops all clusters, also those that are about to start.
func (s *shared) end(keep bool) {
	s.starts.Lock()
	s.mu.Lock()
	running := slices.Clone(s.running)
	s.mu.Unlock()
	for _, server := range running {
		if err := s.stop(server, keep); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if err := os.RemoveAll(s.dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// sharedServer is the cluster that all tests use that do not disturb it.
func sharedServer(t testing.TB) *kubetest.Server {
	t.Helper()
	server, err := run.server()
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// ownServer is a cluster that a test may disturb; its logs are shown when the
// test fails.
func ownServer(t testing.TB, o kubetest.Options) *kubetest.Server {
	t.Helper()
	server, err := run.start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run.stop(server, t.Failed()); err != nil {
			t.Log(err)
		}
	})
	return server
}

// machine is a computer with the program, a kubeconfig for a namespace of its
// own, and an empty home.
type machine struct {
	server    *kubetest.Server
	gate      *kubetest.Gate
	dir       string
	namespace string
	env       []string
}

// newMachine prepares dir for commands against a cluster.
func newMachine(server *kubetest.Server, dir, namespace string) (*machine, error) {
	program, err := run.program()
	if err != nil {
		return nil, err
	}
	kube, err := kubetest.Program("kubectl")
	if err != nil {
		return nil, err
	}
	home := filepath.Join(dir, ".home")
	if err := os.MkdirAll(filepath.Join(home, "tmp"), 0o755); err != nil {
		return nil, err
	}
	gate, err := server.Gate(filepath.Join(home, "gate.crt"))
	if err != nil {
		return nil, err
	}
	config := filepath.Join(home, "kubeconfig")
	if err := server.Kubeconfig(config, gate.URL(), gate.CA(), namespace); err != nil {
		gate.Close()
		return nil, err
	}
	path := filepath.Dir(program) + string(filepath.ListSeparator) + filepath.Dir(kube) + string(filepath.ListSeparator) + os.Getenv("PATH")
	return &machine{server: server, gate: gate, dir: dir, namespace: namespace, env: []string{
		"HOME=" + home,
		"PATH=" + path,
		"TMPDIR=" + filepath.Join(home, "tmp"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_DATA_HOME=" + filepath.Join(home, "data"),
		"XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"),
		"KUBECONFIG=" + config,
		"KUBECACHEDIR=" + filepath.Join(home, "kube-cache"),
		"NS=" + namespace,
	}}, nil
}
