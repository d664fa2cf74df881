package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
)

func TestFaultFlags(t *testing.T) {
	flags := []string{
		"--latency", "1ms±1ms", "--fault", "500:0.5,cut-after:0.1", "--rate", "50/s", "--lag", "2ms",
		"--fault-seed", "7", "--fault-on", "POST /v3/apis", "--fault-on", "GET /v3/portals/{portalId}",
	}
	m := newMachine(t)
	start := append([]string{"local", "start", "--addr", "127.0.0.1:0", "--data", "d"}, flags...)
	m.command().want(exitDone, start...)
	if got := strings.Join(m.spawned[0], " "); !strings.Contains(got, strings.Join(flags, " ")) {
		t.Errorf("the server was started with %s", got)
	}
	s, err := local.Find(t.Context(), filepath.Join(m.console.dir, "d"))
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	var got emulator.Faults
	if err := local.Listening(s.URL()).Get(t.Context(), "/__local/faults", &got); err != nil {
		t.Fatal(err)
	}
	want := emulator.Faults{
		Latency: "1ms±1ms", Fault: "500:0.5,cut-after:0.1", Rate: "50/s", Lag: "2ms",
		Seed: 7, On: []string{"POST /v3/apis", "GET /v3/portals/{portalId}"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	c := m.command()
	c.want(exitFailed, start...)
	contains(t, "standard output", c.out, "running already")
	contains(t, "standard error", c.err, "error: the faults were not set", "kongctl local stop --data")
	m.command().want(exitDone, "local", "stop", "--data", "d")
}

// What cannot be understood is reported before a process is started.
func TestFaultFlagsThatAreWrong(t *testing.T) {
	for _, wrong := range [][]string{
		{"--latency", "soon"}, {"--fault", "500"}, {"--rate", "many"}, {"--lag", "1"}, {"--fault-on", "POST /v9/nothing"}, {"--fault-seed", "x"}, {"--fault-seed", "0"},
	} {
		c := newConsole(t)
		c.factory.world.spawn = func([]string, *os.File) (local.Process, error) { t.Error("started"); return nil, errors.New("no") }
		c.want(exitUsage, slices.Concat([]string{"local", "start"}, wrong)...)
		contains(t, strings.Join(wrong, " "), c.err, strings.TrimPrefix(wrong[0], "--"))
	}
}

// Faults do not reach the seed.
func TestFaultsBeginAfterTheSeed(t *testing.T) {
	m := newMachine(t)
	m.console.write("portals.yaml", portals)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--seed", "portals.yaml", "--fault", "500:1")
	c := m.command()
	c.want(exitDone, "local", "status")
	contains(t, "status", c.out, "1  portal")
	m.command().want(exitDone, "local", "stop")
}
