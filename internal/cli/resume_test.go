package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
)

const (
	halfPages  = `{"fault":"403:1","on":["POST /v3/portals/{portalId}/pages"]}`
	halfEstate = "portals: [{name: dev, pages: [{slug: home, content: Home}]}]\nteams: [{name: t}]\n"
)

// half runs an apply that fails half way.
func half(t *testing.T) (*console, *service) {
	t.Helper()
	c := newConsole(t).real()
	s := newService(t, c)
	c = s.console(c)
	c.write("a.yaml", halfEstate)
	s.send(http.MethodPut, "/__local/faults", halfPages)
	c.want(exitPartial, "apply", "-f", "a.yaml", "--auto-approve")
	s.send(http.MethodPut, "/__local/faults", `{}`)
	s.counted()
	return c, s
}

func (c *console) journals() []string {
	c.t.Helper()
	names, err := c.factory.host().Journals()
	if err != nil {
		c.t.Fatal(err)
	}
	return names
}

// TestResumeOfWhatIsGone: what a run created and somebody deleted is not done.
func TestResumeOfWhatIsGone(t *testing.T) {
	c, s := half(t)
	s.send(http.MethodDelete, "/v3/teams/"+s.id("/v3/teams?filter[name][eq]=t"), "")
	c = s.console(c)
	c.want(exitMoved, "resume", "--auto-approve")
	contains(t, "standard error", c.err, `team "t": this run created it (id `, "and it no longer exists", "kongctl resume --discard")
	if strings.Contains(c.err.String(), "up to date") {
		t.Errorf("it says that something is up to date:\n%s", c.err)
	}
	if _, writes := s.counted(); writes > 0 {
		t.Errorf("%d writes", writes)
	}
	c = s.console(c)
	c.want(exitPartial, "resume", "--auto-approve", "--on-drift=skip")
	contains(t, "standard error", c.err, `created portal_page "dev-home"`)
	if left := c.journals(); len(left) > 0 {
		t.Errorf("nothing is left to resume, but %v", left)
	}
}

// TestResumeOfAnUpdateThatIsGone: the same holds for updates and deletes.
func TestResumeOfAnUpdateThatIsGone(t *testing.T) {
	c := newConsole(t).real()
	s := newService(t, c)
	c.write("was.yaml", "portals: [{name: dev, description: a}]\nteams: [{name: t, description: a}]\n")
	c.write("want.yaml", "portals: [{name: dev, description: b}]\nteams: [{name: t, description: b}]\n")
	c.want(exitDone, "sync", "-f", "was.yaml", "--auto-approve")
	s.send(http.MethodPut, "/__local/faults", `{"fault":"403:1","on":["PATCH /v3/portals/{portalId}"]}`)
	c = s.console(c)
	c.want(exitPartial, "sync", "-f", "want.yaml", "--auto-approve")
	s.send(http.MethodPut, "/__local/faults", `{}`)
	team := s.id("/v3/teams?filter[name][eq]=t")
	// Back at what it was: the change is carried out again.
	s.send(http.MethodPatch, "/v3/teams/"+team, `{"description":"a"}`)
	c = s.console(c)
	c.want(exitDone, "resume", "--auto-approve")
	contains(t, "standard error", c.err, `updated organization_team "t"`, `updated portal "dev"`)
	if got := s.send(http.MethodGet, "/v3/teams/"+team, ""); !strings.Contains(got, `"description":"b"`) {
		t.Error(got)
	}
}

// TestSyncAfterAKilledRun: what a run created is not created again although
// lists do not show it yet.
func TestSyncAfterAKilledRun(t *testing.T) {
	for _, verb := range []string{"sync", "apply"} {
		c := newConsole(t).real()
		s := newService(t, c)
		c = s.console(c)
		c.write("a.yaml", halfEstate)
		s.send(http.MethodPut, "/__local/faults", `{"lag":"5s","fault":"403:1","on":["POST /v3/portals/{portalId}/pages"]}`)
		c.want(exitPartial, "apply", "-f", "a.yaml", "--auto-approve")
		s.send(http.MethodPut, "/__local/faults", `{"lag":"5s","fault":"no-unique"}`)
		s.counted()
		c = s.console(c)
		c.want(exitDone, verb, "-f", "a.yaml", "--auto-approve")
		contains(t, "standard output", c.out, "Plan: 1 to create")
		contains(t, "standard error", c.err, `created portal_page "dev-home"`, "Discarded the journal of the unfinished run")
		if _, writes := s.counted(); writes != 1 {
			t.Errorf("%d writes, want that of the page\n%s", writes, c.err)
		}
	}
}

// TestJournalThatGoesAway: nothing new starts once nothing can be recorded.
func TestJournalThatGoesAway(t *testing.T) {
	c := newConsole(t).real()
	s := newService(t, c)
	c = s.console(c)
	c.write("a.yaml", "teams: [{name: a}, {name: b}, {name: c}]\n")
	folder, err := c.factory.host().JournalFolder()
	if err != nil {
		t.Fatal(err)
	}
	s.before = func(r *http.Request) {
		if r.Method == http.MethodPost {
			_ = os.RemoveAll(folder) // a test that cannot remove it fails below
		}
	}
	c.want(exitPartial, "apply", "-f", "a.yaml", "--auto-approve", "--max-concurrency", "1")
	contains(t, "standard error", c.err, "2 changes not started: the run stopped: write journal: ", ".journal was removed", "1 of 3 changes done")
	if strings.Contains(c.err.String(), "Run `kongctl resume`") {
		t.Errorf("there is nothing to resume:\n%s", c.err)
	}
	if _, writes := s.counted(); writes != 1 {
		t.Errorf("%d writes", writes)
	}
}

// TestTornLine: a line that was cut off is removed before the next is written.
func TestTornLine(t *testing.T) {
	c, _ := half(t)
	name := c.journals()[0]
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(whole, `{"result":{"change_id":"1:c:tea`...), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := execute.Reopen(name, func() time.Time { return testTime })
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Record(&execute.Result{ChangeID: "x", Status: execute.Succeeded}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(false); err != nil {
		t.Fatal(err)
	}
	u, err := execute.ReadJournal(name)
	if err != nil {
		t.Fatal(err)
	}
	if u.Results["x"] == nil || u.Done() != 3 {
		t.Errorf("results %v", u.Results)
	}
	if entries, err := filepath.Glob(filepath.Join(filepath.Dir(name), ".new-*")); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}
