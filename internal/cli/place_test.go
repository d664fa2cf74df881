package cli

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// TestWhere: plans, prompts and reports say where, and the organization is asked
// for once.
func TestWhere(t *testing.T) {
	c := newConsole(t).real()
	s := newService(t, c)
	asked := 0
	s.before = func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/organizations/me") {
			asked++
		}
	}
	c.env["KONGCTL_PROFILE"] = "prod"
	c.write("home/.config/kongctl/config.yaml", "prod: {log-level: warn}\n")
	c.write("a.yaml", "portals: [{name: dev}]\n")
	c = s.console(c)
	c.atTerminal("y\n")
	c.want(exitDone, "sync", "-f", "a.yaml")
	where := `organization "local" (`
	contains(t, "standard output", c.out, "Target: "+where, s.url+", profile prod")
	contains(t, "standard error", c.err, "carry out this change in "+where, "Target: "+where)
	if asked != 1 {
		t.Errorf("the organization was asked for %d times", asked)
	}

	c = s.console(c)
	c.want(exitDone, "plan", "-f", "a.yaml", "-o", "json", "--output-file", "plan.json")
	p, err := plan.Parse([]byte(c.read("plan.json")))
	if err != nil {
		t.Fatal(err)
	}
	if o := p.Metadata.Organization; o.Name != "local" || o.Profile != "prod" || o.ID == "" {
		t.Errorf("the plan is for %+v", o)
	}
	c = s.console(c)
	c.want(exitDone, "sync", "--plan", "plan.json", "-o", "json")
	contains(t, "standard output", c.out, `"organization": {`, `"name": "local"`, `"profile": "prod"`)
}

// TestOlderPlan: a plan that does not name its organization runs all the same.
func TestOlderPlan(t *testing.T) {
	c := newConsole(t).real()
	s := newService(t, c)
	c = s.console(c)
	c.write("a.yaml", "portals: [{name: dev}]\n")
	c.want(exitDone, "plan", "-f", "a.yaml", "--output-file", "plan.json")
	p, err := plan.Parse([]byte(c.read("plan.json")))
	if err != nil {
		t.Fatal(err)
	}
	p.Metadata.Organization.Name, p.Metadata.Organization.Profile = "", ""
	raw, err := p.WriteSigned(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.dir+"/plan.json", raw, 0o600); err != nil {
		t.Fatal(err)
	}
	c = s.console(c)
	c.want(exitDone, "sync", "--plan", "plan.json", "--auto-approve")
	contains(t, "standard output", c.out, "Target: organization "+p.Metadata.Organization.ID+", "+s.url+", profile default")
}
