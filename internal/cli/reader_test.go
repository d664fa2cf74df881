package cli

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// readerLeaves lets whoever reads both streams leave after some writes.
func (c *console) readerLeaves(after int) {
	var writes atomic.Int64
	left := func() bool { return int(writes.Add(1)) > after }
	c.out.left, c.err.left = left, left
}

// TestRunOutlivesItsReader: whatever writes to Konnect does all of it, whenever the
// reader of its output leaves, and ends with the status of the run.
func TestRunOutlivesItsReader(t *testing.T) {
	for _, line := range []string{
		"apply -f a.yaml", "sync -f a.yaml", "sync -f a.yaml -o json", "sync -f a.yaml -o yaml", "sync -f a.yaml -o jsonl", "sync -f a.yaml --verify",
		"sync --plan plan.json", "delete -f was.yaml", "adopt -f foreign.yaml", "adopt portal foreign --namespace default", "resume",
	} {
		t.Run(line, func(t *testing.T) {
			for after := 0; ; after++ {
				if readerLeftAfter(t, line, after) {
					return
				}
			}
		})
	}
}

// readerLeftAfter runs a command whose reader leaves after some writes. It reports
// whether the reader stayed to the end.
func readerLeftAfter(t *testing.T, line string, after int) bool {
	c := newConsole(t).real()
	s := newService(t, c)
	c = s.console(c)
	c.write("was.yaml", "portals: [{name: old}]\n")
	c.write("a.yaml", "portals: [{name: old}, {name: dev, pages: [{slug: a, title: T, content: c}]}]\n")
	c.write("foreign.yaml", "portals: [{name: foreign}]\n")
	c.want(exitDone, "sync", "-f", "was.yaml", "--auto-approve")
	s.send("POST", "/v3/portals", `{"name":"foreign"}`)
	switch {
	case strings.HasPrefix(line, "resume"):
		s.send("PUT", "/__local/faults", `{"fault":"403:1","on":["POST /v3/portals"]}`)
		s.console(c).want(exitAuth, "sync", "-f", "a.yaml", "--auto-approve")
		s.send("PUT", "/__local/faults", `{}`)
	case strings.Contains(line, "plan.json"):
		s.console(c).want(exitDone, "plan", "-f", "a.yaml", "--output-file", "plan.json")
	}
	c = s.console(c)
	c.readerLeaves(after)
	s.counted()
	if status := c.run(append(strings.Fields(line), "--auto-approve", "--max-concurrency", "1", "--execution-report-file", c.dir+"/report.json")...); status != exitDone {
		t.Errorf("%s, left after %d: exit status %d\n%s\n%s", line, after, status, c.out, c.err)
	}
	_, writes := s.counted()
	want := 2
	if verb := strings.Fields(line)[0]; verb == "delete" || verb == "adopt" {
		want = 1
	}
	if writes != want || !strings.Contains(c.read("report.json"), `"status": "success"`) {
		t.Errorf("%s, left after %d: %d writes, want %d; report %s", line, after, writes, want, c.read("report.json"))
	}
	if left := c.journals(); len(left) > 0 {
		t.Errorf("%s, left after %d: journals %v", line, after, left)
	}
	return !c.out.left() // one more write than were made
}

// TestUnreadIsNoFailure: nobody reads what a command only prints, and that is all.
func TestUnreadIsNoFailure(t *testing.T) {
	for _, line := range []string{"plan", "plan --detailed-exitcode -o text", "sync --dry-run", "diff -o json", "diff --exit-codes simple", "help exit-codes", "explain portal"} {
		c := newConsole(t)
		c.env["GITHUB_ACTIONS"] = "true"
		c.out.left = func() bool { return true }
		c.want(exitUnread, strings.Fields(line)...)
		if text := c.err.String(); strings.Contains(text, "error") || strings.Contains(text, "interrupted") {
			t.Errorf("%s: standard error:\n%s", line, text)
		}
	}
	c := newConsole(t)
	c.engine.outcome = func(int, *plan.Change) error { return errors.New("no") }
	c.readerLeaves(0)
	c.want(exitFailed, "sync", "--auto-approve") // the run has a status of its own
}

// TestUnreadToken: a token that nobody has read is lost, and must be deleted.
func TestUnreadToken(t *testing.T) {
	for _, form := range []string{"text", "token", "json"} {
		c := newConsole(t).real()
		c.out.left = func() bool { return true }
		c.want(exitFailed, "create", "pat", "--name", "ci", "--expires-in", "24h", "--local", "-o", form)
		contains(t, "standard error", c.err, `personal access token "ci" was created, but the token is lost: write standard output: `, "delete it by its id, ")
	}
}
