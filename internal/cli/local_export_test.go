package cli

import (
	"context"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
)

// post sends a body to the server of a data folder, as if to a host of Konnect.
func (m *machine) post(t *testing.T, data, host, path, body string) {
	t.Helper()
	s, err := local.Find(t.Context(), filepath.Join(m.console.dir, data))
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	req.Header.Set("Authorization", "Bearer x")
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusCreated {
		t.Fatalf("POST %s answered %d", path, res.StatusCode)
	}
}

// What a state cannot hold is told, and the status says so.
func TestLocalExportThatIsNotWhole(t *testing.T) {
	for _, tt := range []struct {
		name  string
		hosts []string
		body  []string
		want  string
	}{
		{"two APIs of one name and version", []string{"", ""}, []string{`{"name":"a","version":"1"}`, `{"name":"a","version":"1"}`}, "EXP005"},
	} {
		m := newMachine(t)
		m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "d", "--fault", "no-unique")
		for i, host := range tt.hosts {
			m.post(t, "d", host, "/v3/apis", tt.body[i])
		}
		c := m.command()
		c.want(exitPartial, "local", "export", "--data", "d")
		contains(t, tt.name, c.err, tt.want, "the state is not whole: 1 resource was left out")
		contains(t, tt.name, c.out, "_state:")
		m.command().want(exitDone, "local", "stop", "--data", "d")
	}
}

// A state has every region, and what belongs to the whole organization once; a seed
// makes all of it again, and nothing where one region fails.
func TestLocalExportOfRegions(t *testing.T) {
	m := newMachine(t)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "one")
	m.post(t, "one", "", "/v3/apis", `{"name":"here"}`)
	m.post(t, "one", "eu.api.konghq.com", "/v3/apis", `{"name":"there","labels":{"KONGCTL-namespace":"air"}}`)
	m.post(t, "one", "au.api.konghq.com", "/v3/portals", `{"name":"far"}`)
	m.post(t, "one", "", "/v3/teams", `{"name":"crew","description":"Flies"}`)
	c := m.command()
	c.want(exitDone, "local", "export", "--data", "one", "--output-file", "state.yaml")
	state := c.read("state.yaml")
	for text, n := range map[string]int{"region: ": 2, "region: eu": 1, "region: au": 1, "name: crew": 1, "name: there": 1, "name: here": 1, " name: far": 1} {
		if got := strings.Count(state, text); got != n {
			t.Errorf("%q is there %d times, want %d:\n%s", text, got, n, state)
		}
	}
	m.command().want(exitDone, "local", "stop", "--data", "one")
	m.later(t)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "two", "--seed", "state.yaml")
	c = m.command()
	c.want(exitDone, "local", "export", "--data", "two")
	if diff := cmp.Diff(state, c.out.String()); diff != "" {
		t.Errorf("the state (-was +is):\n%s", diff)
	}
	m.command().want(exitDone, "local", "stop", "--data", "two")

	m.console.write("wrong.yaml", state+"---\n_state: {region: sg}\n---\nportals: [{name: lost, colour: red}]\n")
	m.command().want(exitFailed, "local", "start", "--addr", "127.0.0.1:0", "--data", "three", "--seed", "wrong.yaml")
	c = m.command()
	c.want(exitDone, "local", "status", "--data", "three")
	if strings.Contains(c.out.String(), "api") {
		t.Errorf("something of a seed that failed is kept:\n%s", c.out)
	}
}

// What local export writes, local start --seed reads, beyond the size of what people write.
func TestSeedOfALargeState(t *testing.T) {
	m := newMachine(t)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "one")
	content := strings.Repeat("All about flights. ", 6<<20/19)
	for _, name := range []string{"a", "b"} {
		m.post(t, "one", "", "/v3/apis", `{"name":"`+name+`","description":"`+content+`"}`)
	}
	c := m.command()
	c.want(exitDone, "local", "export", "--data", "one", "--output-file", "state.yaml")
	if c.err.String() != "2 resources written to state.yaml.\n" || len(c.read("state.yaml")) < 10<<20 {
		t.Errorf("%d bytes are written, and it says:\n%s", len(c.read("state.yaml")), c.err)
	}
	m.command().want(exitDone, "local", "stop", "--data", "one")
	m.later(t)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "two", "--seed", "state.yaml")
	m.command().want(exitDone, "local", "stop", "--data", "two")
}

// Whatever an export warns of: the flags in its fixes are those of the command.
func TestFixesOfExports(t *testing.T) {
	m := newMachine(t)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "d", "--fault", "404:1",
		"--fault-on", "GET /v2/control-planes/{controlPlaneId}/core-entities/services")
	m.post(t, "d", "", "/v2/control-planes", `{"name":"cp"}`)
	flag := regexp.MustCompile(`--[a-z][a-z-]+`)
	for _, line := range []string{"local export", "export --local", "export --local --state", "dump declarative --local --include-child-resources"} {
		c := m.command()
		c.want(exitPartial, append(strings.Fields(line), "--data", "d")...)
		contains(t, line, c.err, "EXP007", "What decK manages")
		cmd, _, err := newRootCmd(c.factory).Find(strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range strings.Split(c.err.String(), "\n") {
			_, fix, isFix := strings.Cut(said, "fix: ")
			for _, name := range flag.FindAllString(fix, -1) {
				if isFix && cmd.Flag(strings.TrimPrefix(name, "--")) == nil {
					t.Errorf("kongctl %s has no %s: %s", line, name, fix)
				}
			}
		}
	}
	m.command().want(exitDone, "local", "stop", "--data", "d")
}

// Siblings stand where they stood: a state has them in their order, and a seed
// makes them in it.
func TestLocalExportKeepsTheOrderOfPages(t *testing.T) {
	m := newMachine(t)
	var b strings.Builder
	b.WriteString("portals:\n- ref: dev\n  name: dev\n  pages:\n")
	var want []string
	for _, slug := range strings.Fields("zebra mango apple quince banana cherry") {
		b.WriteString("  - {slug: " + slug + ", content: x, children: [{slug: " + slug + "-z, content: x}, {slug: " + slug + "-a, content: x}]}\n")
		want = append(want, slug, slug+"-z", slug+"-a")
	}
	m.console.write("seed.yaml", b.String())
	slugs := regexp.MustCompile(`slug: (\S+)`)
	for _, data := range []string{"one", "two"} {
		m.later(t)
		m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", data, "--seed", "seed.yaml")
		m.command().want(exitUsage, "local", "export", "--data", data, "--output-file", "seed.yaml")
		m.command().want(exitDone, "local", "export", "--data", data, "--output-file", "seed.yaml", "--overwrite")
		m.command().want(exitDone, "local", "stop", "--data", data)
		var got []string
		for _, found := range slugs.FindAllStringSubmatch(m.console.read("seed.yaml"), -1) {
			got = append(got, found[1])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pages (-want +got):\n%s", diff)
		}
	}
}
