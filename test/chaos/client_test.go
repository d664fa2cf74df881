package chaos

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What goes wrong while clients work: names may be taken twice, reads are
// behind, answers are lost and lists are cut.
const (
	roughFaults = "no-unique,cut-after:0.04,503-after:0.04,500-after:0.02,429:0.02,503:0.005,cut-before:0.005,cut-page:0.02,null-data:0.01,repeat-page:0.02"
	roughLag    = "800ms"
)

// field is where clients of several namespaces work at once.
type field struct {
	t    *testing.T
	home string
	data string
	rand *rand.Rand
	// the server, which is killed and started again at its address
	mu     sync.Mutex
	server *process
	addr   string
	plane  string // the id of the control plane that all share
	killed int    // clients
	downs  int    // of the server
	runs   int
}

func newField(t *testing.T, seed uint64) *field {
	t.Helper()
	f := &field{t: t, home: t.TempDir(), rand: rand.New(rand.NewPCG(seed, 1))}
	f.data = filepath.Join(f.home, "data")
	f.server = start(t, f.home, "--data", f.data)
	f.addr = strings.TrimPrefix(f.server.url, "http://")
	return f
}

// post creates something directly and returns its id.
func (f *field) post(path string, body map[string]any) string {
	f.t.Helper()
	var made resource
	if err := call(http.DefaultClient, http.StatusCreated, http.MethodPost, f.server.url+path, body, &made); err != nil {
		f.t.Fatal(err)
	}
	return made.ID
}

// foreign puts there what belongs to others: a control plane of the platform with
// implementations of several namespaces, protected and unmanaged resources.
func (f *field) foreign() {
	labels := func(namespace string, more ...string) map[string]any {
		out := map[string]any{"KONGCTL-namespace": namespace}
		for _, k := range more {
			out[k] = "true"
		}
		return out
	}
	f.plane = f.post("/v2/control-planes", map[string]any{"name": "shared", "labels": labels("platform")})
	for name, l := range map[string]map[string]any{
		"theirs":    labels("team-b", "KONGCTL-protected"),
		"other":     labels("team-c"),
		"unmanaged": {"by": "hand"},
	} {
		api := f.post("/v3/apis", map[string]any{"name": name, "labels": l})
		f.post("/v3/apis/"+api+"/implementations", map[string]any{"control_plane": map[string]any{"control_plane_id": f.plane}})
		portal := f.post("/v3/portals", map[string]any{"name": name, "labels": l})
		f.post("/v3/portals/"+portal+"/pages", map[string]any{"slug": "home", "content": "Home"})
	}
	f.post("/v3/portals", map[string]any{"name": "kept", "labels": labels("app", "KONGCTL-protected")})
}

// write writes a configuration of a namespace with a choice of resources.
func (f *field) write(namespace string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "_defaults: {kongctl: {namespace: %s}}\ncontrol_planes:\n  - {ref: shared, _external: {id: %s}}\n", namespace, f.plane)
	b.WriteString("portals:\n")
	if namespace == "app" {
		b.WriteString("  - {ref: kept, name: kept, kongctl: {protected: true}}\n")
	}
	var portals []string
	for i := range 4 {
		if name := fmt.Sprintf("%s-portal-%d", namespace, i); i == 0 || f.rand.IntN(3) > 0 {
			portals = append(portals, name)
			fmt.Fprintf(&b, "  - {ref: %s, name: %s, description: v%d, pages: [{slug: one, content: One}, {slug: two, content: Two}], snippets: [{name: s, content: S}]}\n", name, name, f.rand.IntN(3))
		}
	}
	b.WriteString("apis:\n")
	for i := range 6 {
		if name := fmt.Sprintf("%s-api-%d", namespace, i); i == 0 || f.rand.IntN(3) > 0 {
			fmt.Fprintf(&b, "  - {ref: %s, name: %s, documents: [{slug: d, content: D}], publications: [{portal: %s}], implementations: [{ref: %s-i, control_plane: {control_plane_id: shared}}]}\n",
				name, name, portals[f.rand.IntN(len(portals))], name)
		}
	}
	b.WriteString("teams:\n")
	for i := range 4 {
		if name := fmt.Sprintf("%s-team-%d", namespace, i); i == 0 || f.rand.IntN(3) > 0 {
			fmt.Fprintf(&b, "  - {name: %s}\n", name)
		}
	}
	file := filepath.Join(f.home, namespace+".yaml")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		f.t.Fatal(err)
	}
	return file
}

// client runs kongctl; after a while it is killed, if that is not 0.
func (f *field) client(after time.Duration, args ...string) (string, int) {
	var log strings.Builder
	cmd := command(f.t, f.home, append(args, "--base-url", "http://"+f.addr, "--pat", "x")...)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		f.t.Error(err)
		return "", -1
	}
	if after > 0 {
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	_ = cmd.Wait() // the status says it
	code := cmd.ProcessState.ExitCode()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runs++
	if code == -1 {
		f.killed++
	}
	return log.String(), code
}

// restart kills the server and starts it again at its address, with faults.
func (f *field) restart(faults, lag string) {
	f.t.Helper()
	f.server.kill()
	f.downs++
	args := []string{"--data", f.data, "--addr", f.addr}
	if faults != "" {
		args = append(args, "--fault", faults, "--lag", lag)
	}
	f.server = start(f.t, f.home, args...)
}

// fire lets clients work while the server fails, and kills them all.
func (f *field) fire(app, web, platform string, serverToo bool) {
	run := func(file string) []string { return []string{"sync", "--auto-approve", "-f", file} }
	moment := func() time.Duration {
		if f.rand.IntN(2) == 0 {
			return 0 // to its end
		}
		return 100*time.Millisecond + time.Duration(f.rand.IntN(2500))*time.Millisecond
	}
	var wg sync.WaitGroup
	for _, args := range [][]string{run(app), run(app), run(web), {"apply", "--auto-approve", "-f", web}} {
		after := moment()
		wg.Go(func() { f.client(after, args...) })
	}
	wg.Go(func() {
		// The control plane stays: what others have on it would go with it.
		if out, code := f.client(0, run(platform)...); code == 0 {
			f.t.Errorf("the control plane that others use was deleted:\n%s", out)
		}
	})
	if serverToo {
		time.Sleep(300*time.Millisecond + time.Duration(f.rand.IntN(700))*time.Millisecond) // any moment will do
		f.restart(roughFaults, roughLag)
	}
	wg.Wait()
}

// settle runs the configurations without faults until nothing is left to do.
func (f *field) settle(files ...string) {
	f.t.Helper()
	if err := call(http.DefaultClient, http.StatusOK, http.MethodPut, f.server.url+"/__local/faults", map[string]any{}, nil); err != nil {
		f.t.Fatal(err)
	}
	for _, file := range files {
		var told []string
		for run := 0; ; run++ {
			out, code := f.client(0, "sync", "--auto-approve", "-f", file)
			if told = append(told, out); code == 0 {
				break
			}
			if run == 3 {
				f.t.Fatalf("%s does not settle:\n%s", file, strings.Join(told, "\n---\n"))
			}
		}
		if out, code := f.client(0, "plan", "--detailed-exitcode", "-o", "text", "-f", file); code != 0 {
			f.t.Errorf("%s: something is left to do (%d):\n%s", file, code, out)
		}
	}
}

// objects is all that the server holds, by kind.
func (f *field) objects() map[string][]map[string]any {
	f.t.Helper()
	var out map[string][]map[string]any
	if err := call(http.DefaultClient, http.StatusOK, http.MethodGet, f.server.url+"/__local/state", nil, &out); err != nil {
		f.t.Fatal(err)
	}
	return out
}

// twice lists what has the same name, key and parent as another.
func twice(objects map[string][]map[string]any) []string {
	var out []string
	for kind, list := range objects {
		seen := map[string]bool{}
		for _, o := range list {
			key := kind
			for _, field := range []string{"parent", "api_id", "name", "slug", "version", "parent_page_id", "portal_id", "control_plane", "service", "event_id"} {
				if v := o[field]; v != nil {
					key += fmt.Sprintf(" %s=%v", field, v)
				}
			}
			if seen[key] {
				out = append(out, key)
			}
			seen[key] = true
		}
	}
	slices.Sort(out)
	return out
}

// others are the objects that no client may touch, as they are.
func others(objects map[string][]map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	ours := map[string]bool{}
	owned := func(o map[string]any) bool {
		labels, _ := o["labels"].(map[string]any)
		ns, protected := labels["KONGCTL-namespace"], labels["KONGCTL-protected"] == "true"
		return (ns == "app" || ns == "web") && !protected
	}
	for _, kind := range []string{"portal", "api", "control_plane", "organization_team"} {
		for _, o := range objects[kind] {
			if id := fmt.Sprint(o["id"]); owned(o) {
				ours[id] = true
			} else {
				out[kind+" "+id] = o
			}
		}
	}
	for kind, list := range objects {
		for _, o := range list {
			parent := o["parent"]
			if parent == nil {
				parent = o["api_id"]
			}
			if parent != nil && !ours[fmt.Sprint(parent)] && !ours[fmt.Sprint(o["portal_id"])] {
				out[fmt.Sprintf("%s %v", kind, o["id"])] = o
			}
		}
	}
	return out
}

// Clients of several namespaces work at once on a service that fails, is behind
// and does not keep names unique; they are killed, and so is the server. Nothing
// is lost, nothing is there twice, and nothing of others is touched.
func TestClientsUnderFire(t *testing.T) {
	seed := rand.Uint64()
	f := newField(t, seed)
	f.foreign()
	before := others(f.objects())
	platform := filepath.Join(f.home, "platform.yaml")
	if err := os.WriteFile(platform, []byte("_defaults: {kongctl: {namespace: platform}}\ncontrol_planes: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	end := time.Now().Add(patience(t))
	rounds := 0
	for ; rounds == 0 || time.Now().Before(end) && !t.Failed(); rounds++ {
		app, web := f.write("app"), f.write("web")
		f.restart(roughFaults, roughLag)
		f.fire(app, web, platform, rounds%2 == 1)
		f.settle(app, web)
		now := f.objects()
		if again := twice(now); len(again) > 0 {
			t.Errorf("%d resources are there twice:\n%s", len(again), strings.Join(again, "\n"))
		}
		if diff := cmp.Diff(before, others(now)); diff != "" {
			t.Errorf("resources of others (-before +after):\n%s", diff)
		}
	}
	t.Logf("seed %d: %d rounds, %d runs, %d clients killed, server killed %d times, %d resources of others untouched", seed, rounds, f.runs, f.killed, f.downs, len(before))
}
