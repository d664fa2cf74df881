package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/plan"
)

func TestNoTokenNoCall(t *testing.T) {
	c := newConsole(t).real()
	c.write("portals.yaml", portals)
	c.want(exitAuth, "plan", "-f", "portals.yaml")
	contains(t, "standard error", c.err, "--pat", "KONGCTL_KONNECT_PAT", "profile", "--local needs none")
}

// TestWrongConfigurationComesFirst: people without a token may check files too.
func TestWrongConfigurationComesFirst(t *testing.T) {
	c := newConsole(t).real()
	c.write("bad.yaml", "portals:\n- name: dev\n  colour: x\napis:\n- name: a\n  publications: {portal: none}\n")
	c.want(exitInvalid, "plan", "-f", "bad.yaml")
	contains(t, "standard error", c.err, "bad.yaml:3:3", "bad.yaml:6:26", "2 errors\n")
}

func TestWrongSettings(t *testing.T) {
	for name, tt := range map[string]struct {
		env  map[string]string
		args []string
		want int
		say  string
	}{
		"a region that does not exist":  {nil, []string{"--region", "zz", "--pat", "x"}, exitUsage, "not a region"},
		"plain http elsewhere":          {nil, []string{"--base-url", "http://konnect.test", "--pat", "x"}, exitUsage, "use https"},
		"a way to prune that is none":   {map[string]string{"KONGCTL_KONNECT_DECLARATIVE_PRUNE": "most"}, []string{"--local"}, exitUsage, "use full, declared or none"},
		"a setting that is no number":   {map[string]string{"KONGCTL_MAX_CONCURRENCY": "many"}, []string{"--local"}, exitUsage, "KONGCTL_MAX_CONCURRENCY"},
		"a profile that does not exist": {nil, []string{"--local", "-p", "mine", "--config-file", "config.yaml"}, exitUsage, "profile mine: not in config.yaml"},
		"a config file that is missing": {nil, []string{"--local", "--config-file", "none.yaml"}, exitFailed, "none.yaml"},
		"a token that no header takes":  {nil, []string{"--pat", "a\nb"}, exitUsage, "token:"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t).real()
			t.Chdir(c.dir) // the config file is the profile's to find
			c.write("config.yaml", "default: {}\n")
			c.write("portals.yaml", portals)
			if tt.env != nil {
				c.env = tt.env
			}
			c.want(tt.want, append([]string{"plan", "-f", "portals.yaml"}, tt.args...)...)
			contains(t, "standard error", c.err, tt.say)
		})
	}
}

// refusing is a Konnect that answers every request with one status.
func refusing(t *testing.T, status int) (address string, tokens *atomic.Value) {
	t.Helper()
	tokens = &atomic.Value{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tokens.Store(r.Header.Get("Authorization"))
		w.WriteHeader(status)
	}))
	t.Cleanup(s.Close)
	return s.URL, tokens
}

func TestRefusals(t *testing.T) {
	for status, want := range map[int]int{http.StatusUnauthorized: exitAuth, http.StatusForbidden: exitAuth, http.StatusTeapot: exitFailed} {
		c := newConsole(t).real()
		c.write("portals.yaml", portals)
		c.env["KONGCTL_KONNECT_PAT"] = "kpat_canary"
		url, tokens := refusing(t, status)
		c.want(want, "plan", "-f", "portals.yaml", "--base-url", url, "--log-level", "trace")
		if tokens.Load() != "Bearer kpat_canary" {
			t.Errorf("the token arrived as %v", tokens.Load())
		}
		if strings.Contains(c.err.String()+c.out.String(), "kpat_canary") {
			t.Errorf("the token is shown:\n%s", c.err)
		}
	}
}

// TestUnknownOwner: a token may be good for resources and not for telling whose
// it is; a wrong token is good for nothing. Where the organization could not be read,
// no plan is made: nobody could carry it out.
func TestUnknownOwner(t *testing.T) {
	for answer, want := range map[struct {
		status int
		body   string
	}]int{
		{http.StatusForbidden, ""}: exitDone, {http.StatusNotFound, ""}: exitDone, {http.StatusUnauthorized, ""}: exitAuth, {http.StatusInternalServerError, ""}: exitFailed,
		// An answer that is no organization: it could not be read.
		{http.StatusOK, "{}"}: exitFailed, {http.StatusOK, "null"}: exitFailed, {http.StatusOK, `{"data": null}`}: exitFailed, {http.StatusOK, `{"id": "", "name": "acme"}`}: exitFailed,
	} {
		c := newConsole(t).real()
		c.write("portals.yaml", portals)
		cat, err := c.factory.catalog()
		if err != nil {
			t.Fatal(err)
		}
		konnect, err := emulator.New(cat, emulator.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/organizations/me") {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(answer.status)
				_, _ = w.Write([]byte(answer.body))
				return
			}
			konnect.ServeHTTP(w, r)
		}))
		t.Cleanup(s.Close)
		c.want(want, "plan", "-f", "portals.yaml", "--base-url", s.URL, "--pat", "x", "--http-retry-max-attempts", "1")
		if want == exitFailed {
			contains(t, "standard error", c.err, "GET /v3/organizations/me: ")
		}
	}
}

// TestPathsOfSavedPlans: a plan names files by their way from its own folder,
// so that it can be carried out from any other.
func TestPathsOfSavedPlans(t *testing.T) {
	c := newConsole(t).real()
	c.write("conf/portals.yaml", portals+"  pages:\n  - slug: home\n    title: Home\n    content: !file home.md\n")
	c.write("conf/home.md", "# Home\n")
	if err := os.MkdirAll(filepath.Join(c.dir, "out/plans"), 0o755); err != nil {
		t.Fatal(err)
	}
	c.want(exitDone, "plan", "-f", "conf/portals.yaml", "--local", "--output-file", "out/plans/p.json")
	p, err := plan.Parse([]byte(c.read("out/plans/p.json")))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, in := range p.Metadata.Inputs {
		files = append(files, in.File)
	}
	for _, change := range p.Changes {
		files = append(files, change.Source.File)
	}
	if len(files) != 4 {
		t.Errorf("files %v, want two inputs and two sources", files)
	}
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(c.dir, "out/plans", f)); err != nil {
			t.Errorf("the plan names %s: %v", f, err)
		}
	}

	c = c.again().real()
	c.want(exitDone, "sync", "--plan", "out/plans/p.json", "--local", "--auto-approve")
	contains(t, "standard error", c.err, "Done: 2 created")
	c = c.again().real()
	c.want(exitDone, "plan", "-f", "conf/portals.yaml", "--local", "-o", "text", "--detailed-exitcode")
	contains(t, "standard output", c.out, "No changes. Konnect already matches the configuration. 2 resources compared.")
}

func TestConfigurationFromStandardInput(t *testing.T) {
	c := newConsole(t).real()
	c.factory.world.streams.in = strings.NewReader(portals)
	c.want(exitDone, "plan", "-f", "-", "--local", "-o", "json")
	var p plan.Plan
	if err := json.Unmarshal([]byte(c.out.String()), &p); err != nil || len(p.Changes) != 1 {
		t.Fatalf("%v: %s", err, c.out)
	}
	if p.Metadata.GeneratedBy != "kongctl "+version || p.Metadata.GeneratedAt != "2026-11-15T10:30:00Z" || p.Metadata.Organization.ID == "" {
		t.Errorf("metadata %+v", p.Metadata)
	}
}

func TestSkippedFilesAreLogged(t *testing.T) {
	c := newConsole(t).real()
	c.write("conf/portals.yaml", portals)
	c.write("conf/kustomization.yaml", "resources: []\n")
	c.want(exitDone, "plan", "--dir", "conf", "--local", "-o", "text", "--log-level", "info")
	contains(t, "standard error", c.err, "file is not read as configuration", "kustomization.yaml")
}
