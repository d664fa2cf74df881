package chaos

import (
	"errors"
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A service that fails in every way that the embedded Konnect can delays a sync,
// and may let a run fail; but runs come to the same end as on one that works,
// with nothing made twice.
func TestSyncSettlesInSpiteOfFaults(t *testing.T) {
	example, err := filepath.Abs("../../examples/kong-airlines")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	want := counts(t, home, example, "", 1)
	end := time.Now().Add(patience(t))
	seed := 1
	for ; seed == 1 || time.Now().Before(end); seed++ {
		got := counts(t, home, example, "429:0.02,500:0.03,503:0.03,cut-before:0.03,cut-after:0.03", seed)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: resources by kind (-without faults +with faults):\n%s", seed, diff)
		}
	}
	t.Logf("%d worlds settled", seed-1)
}

// counts syncs a configuration with faults until nothing is left to do, and
// counts what is there then.
func counts(t *testing.T, home, config, faults string, seed int) map[string]int {
	t.Helper()
	p := start(t, home, "--data", t.TempDir(), "--fault", faults, "--fault-seed", strconv.Itoa(seed))
	defer p.kill()
	kongctl := func(args ...string) (string, int) {
		cmd := command(t, home, append(args, "-f", config, "--base-url", p.url, "--pat", "x")...)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	var told []string
	for run := 0; ; run++ {
		out, code := kongctl("sync", "--auto-approve")
		told = append(told, out)
		if code == 0 {
			break
		}
		if run == 10 {
			t.Fatalf("seed %d: it does not settle:\n%s", seed, strings.Join(told, "\n---\n"))
		}
	}
	if err := call(http.DefaultClient, http.StatusOK, http.MethodPut, p.url+"/__local/faults", map[string]any{}, nil); err != nil {
		t.Fatal(err)
	}
	if out, code := kongctl("plan", "--detailed-exitcode", "-o", "text"); code != 0 {
		t.Errorf("seed %d: after %d runs something is left to do (%d):\n%s\n%s", seed, len(told), code, out, strings.Join(told, "\n---\n"))
	}
	out := map[string]int{}
	state := p.state(t)
	for _, kind := range slices.Sorted(maps.Keys(state)) {
		out[kind] = len(state[kind])
	}
	return out
}
