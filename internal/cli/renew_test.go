package cli

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// longRun logs in and counts the refreshes of later commands; during is called before
// every create of a team.
func longRun(t *testing.T, during func(x *identityTest)) (x *identityTest, refreshes func() int) {
	t.Helper()
	x = newIdentityTest(t)
	x.console("approve").want(exitDone, "login")
	var n atomic.Int32
	x.before = func(r *http.Request) {
		switch {
		case r.URL.Path == "/kauth/api/v1/refresh":
			n.Add(1)
		case r.Method == http.MethodPost && r.URL.Path == "/v3/teams":
			during(x)
		}
	}
	x.first.write("a.yaml", fourTeams)
	return x, func() int { return int(n.Swap(0)) }
}

// TestRunOutlivesItsToken: the token of a login is refreshed before it expires.
func TestRunOutlivesItsToken(t *testing.T) {
	x, refreshes := longRun(t, func(x *identityTest) { x.advance(59*time.Minute + 20*time.Second) })
	c := x.console("")
	c.want(exitDone, "apply", "-f", "a.yaml", "--auto-approve", "--max-concurrency", "1", "--log-level", "trace")
	contains(t, "standard error", c.err, ": 4 created, 0 updated")
	if n := refreshes(); n < 3 || n > 5 {
		t.Errorf("%d refreshes", n)
	}
	if strings.Contains(c.err.String(), "status=401") {
		t.Errorf("a request was refused:\n%s", c.err)
	}
	x.hides(c)
}

// TestRefusedTokenIsRefreshedOnce: requests that are refused at the same time share
// one refresh, and are sent again.
func TestRefusedTokenIsRefreshedOnce(t *testing.T) {
	for name, args := range map[string][]string{"executing": {"apply", "-f", "a.yaml", "--auto-approve"}, "reading": {"get", "teams"}} {
		t.Run(name, func(t *testing.T) {
			x, refreshes := longRun(t, func(*identityTest) {})
			before, expire := x.before, sync.OnceFunc(func() { x.advance(2 * time.Hour) })
			x.before = func(r *http.Request) {
				if r.URL.Path == "/v3/teams" && (r.Method == http.MethodPost || args[0] == "get") {
					expire()
				}
				before(r)
			}
			former := x.tokens()
			c := x.console("")
			c.want(exitDone, append(args, "--log-level", "trace")...)
			if n := refreshes(); n != 1 {
				t.Errorf("%d refreshes\n%s", n, c.err)
			}
			contains(t, "standard error", c.err, "status=401")
			x.hides(c)
			for _, token := range former {
				if strings.Contains(c.out.String()+c.err.String(), token) {
					t.Error("a former token is shown")
				}
			}
		})
	}
}

// TestRunLosesItsLogin: a login that cannot be refreshed stops the run, which
// continues with another one.
func TestRunLosesItsLogin(t *testing.T) {
	x, refreshes := longRun(t, func(*identityTest) {})
	before, expire := x.before, sync.OnceFunc(func() { x.advance(40 * 24 * time.Hour) })
	created := atomic.Int32{}
	x.before = func(r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/v3/teams" && created.Add(1) == 2 {
			expire()
		}
		before(r)
	}
	c := x.console("")
	c.want(exitPartial, "apply", "-f", "a.yaml", "--auto-approve", "--max-concurrency", "1")
	contains(t, "standard error", c.err, "2 changes not started", ": the run stopped: the token is no longer accepted", "Konnect does not accept the login of profile default any more. Run `kongctl login`.", "Run `kongctl resume` to continue.")
	if n := refreshes(); n != 1 {
		t.Errorf("%d refreshes\n%s", n, c.err)
	}
	x.console("approve").want(exitDone, "login")
	c = x.console("")
	c.want(exitDone, "resume", "--auto-approve", "--max-age", "0")
	contains(t, "standard output", c.out, "Plan: 3 to create")
}

// TestRunLosesItsToken: so does a token that was given.
func TestRunLosesItsToken(t *testing.T) {
	c := newConsole(t).real()
	s := newService(t, c)
	c = s.console(c)
	c.write("a.yaml", halfEstate)
	s.send(http.MethodPut, "/__local/faults", `{"fault":"401:1","on":["POST /v3/portals/{portalId}/pages"]}`)
	c.want(exitPartial, "apply", "-f", "a.yaml", "--auto-approve", "--max-concurrency", "1")
	contains(t, "standard error", c.err, "Konnect does not accept the token from", "or pass another one with --pat.", "Run `kongctl resume` to continue.")
	s.send(http.MethodPut, "/__local/faults", `{}`)
	c = s.console(c)
	c.want(exitDone, "resume", "--auto-approve")
}
