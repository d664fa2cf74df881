package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/auth"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// identityTest is an embedded Konnect at an address, with a clock that both sides
// share, and somebody who answers logins in a browser.
type identityTest struct {
	t      *testing.T
	server *httptest.Server
	first  *console
	// before is called with every request before it is answered; nil is for nothing.
	before func(*http.Request)

	mutex sync.Mutex
	now   time.Time
}

func (x *identityTest) clock() time.Time {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	return x.now
}

func (x *identityTest) advance(d time.Duration) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.now = x.now.Add(d)
}

func newIdentityTest(t *testing.T) *identityTest {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	x := &identityTest{t: t, now: testTime}
	srv, err := emulator.New(cat, emulator.Options{Clock: x.clock})
	if err != nil {
		t.Fatal(err)
	}
	x.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if x.before != nil {
			x.before(r)
		}
		srv.ServeHTTP(w, r)
	}))
	t.Cleanup(x.server.Close)
	x.first = newConsole(t)
	x.first.env["KONGCTL_KONNECT_BASE_URL"] = x.server.URL
	return x
}

// console is a command line on a terminal whose user gives an answer to logins:
// approve or deny.
func (x *identityTest) console(answer string) *console {
	x.t.Helper()
	c := x.first.again().real()
	c.factory.world.now = x.clock
	c.factory.world.after = func(d time.Duration) <-chan time.Time {
		x.advance(d)
		return time.After(0)
	}
	c.factory.world.streams.errTerminal = true
	c.factory.world.browse = func(page string) error {
		u, err := url.Parse(page)
		if err != nil || !strings.HasPrefix(page, x.server.URL+"/") {
			x.t.Errorf("page %s: %v", page, err)
		}
		form := url.Values{"code": {u.Query().Get("code")}, "action": {answer}}
		req, err := http.NewRequest(http.MethodPost, x.server.URL+u.Path, strings.NewReader(form.Encode()))
		if err != nil {
			x.t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", x.server.URL)
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != http.StatusOK {
			x.t.Error(res, err)
			return err
		}
		return res.Body.Close()
	}
	return c
}

// tokens are all that the files of logins hold.
func (x *identityTest) tokens() (out []string) {
	x.t.Helper()
	files, _ := filepath.Glob(filepath.Join(x.first.dir, "home/.local/state/kongctl/login/*.json"))
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			x.t.Fatal(err)
		}
		var login struct{ Token map[string]string }
		if err := json.Unmarshal(raw, &login); err != nil {
			x.t.Fatal(err)
		}
		out = append(out, login.Token["access_token"], login.Token["refresh_token"])
	}
	return out
}

func (x *identityTest) hides(c *console) {
	x.t.Helper()
	for _, token := range x.tokens() {
		if token == "" || strings.Contains(c.out.String()+c.err.String(), token) {
			x.t.Errorf("the token %q is shown, or there is none:\n%s%s", token, c.out, c.err)
		}
	}
}

// TestLogin asserts the whole life of a login, over HTTP.
func TestLogin(t *testing.T) {
	x := newIdentityTest(t)
	c := x.console("approve")
	c.want(exitAuth, "get", "me")
	contains(t, "standard error", c.err, "no token: run `kongctl login`")
	c = x.console("")
	c.want(exitAuth, "get", "me", "-p", "other", "--base-url", x.server.URL)
	contains(t, "standard error", c.err, "no token: run `kongctl login -p other --base-url "+x.server.URL+"`")

	// An answer that ends at once sets nothing.
	c = x.console("")
	c.factory.world.streams.inTerminal = true
	c.factory.world.streams.hidden = func(context.Context) (string, error) { return "", fmt.Errorf("read the terminal: %w", io.EOF) }
	c.want(exitUsage, "profile", "set", "konnect.pat")
	contains(t, "standard error", c.err, "the input ended without a value: nothing was set")
	if _, err := os.Stat(filepath.Join(x.first.dir, "home/.config/kongctl/config.yaml")); err == nil {
		t.Error("a config file was written")
	}

	c = x.console("approve")
	c.want(exitDone, "login", "-o", "json", "--log-level", "trace")
	contains(t, "standard error", c.err, "  code  ", "  page  "+x.server.URL+"/__local/login?code=", "The page opens in your browser.", "Logged in as local@example.com. The token is kept in a file that only you can read.")
	contains(t, "standard output", c.out, `"stored_in": "file"`, `"user": "local@example.com"`, `"expires_at": "2026-11-15T11:30:0`)
	x.hides(c)

	c = x.console("")
	c.want(exitDone, "get", "me", "--log-level", "trace")
	contains(t, "standard output", c.out, "local@example.com")
	x.hides(c)

	// Another profile and another address have other logins.
	c = x.console("")
	c.want(exitAuth, "get", "me", "-p", "other")
	c = x.console("")
	c.want(exitAuth, "get", "me", "--base-url", strings.Replace(x.server.URL, "127.0.0.1", "localhost", 1))

	// A token that expires is refreshed, with nobody asked.
	before := x.tokens()
	x.advance(2 * time.Hour)
	c = x.console("")
	c.want(exitDone, "get", "me")
	if after := x.tokens(); after[0] == before[0] || after[1] == before[1] {
		t.Error("the token was not refreshed")
	}
	x.hides(c)

	// A login that is too old says so.
	x.advance(40 * 24 * time.Hour)
	c = x.console("")
	c.want(exitAuth, "get", "me")
	contains(t, "standard error", c.err, "error: the login of profile default at "+x.server.URL+" has expired: run `kongctl login`")
	c = x.console("")
	c.want(exitAuth, "get", "me", "-o", "json")
	contains(t, "standard output", c.out, `"exit_code": 3`)

	c = x.console("approve")
	c.want(exitDone, "login")
	c = x.console("")
	c.want(exitDone, "logout")
	contains(t, "standard error", c.err, "Logged out of "+x.server.URL+" (profile default).")
	if left := x.tokens(); len(left) != 0 {
		t.Errorf("%d tokens are left", len(left))
	}
	c = x.console("")
	c.want(exitDone, "logout")
	contains(t, "standard error", c.err, "Not logged in")
}

// TestLoginOfProfiles asserts that a login makes its profile, that logins leave
// with their profile, and that logout takes any name.
func TestLoginOfProfiles(t *testing.T) {
	x := newIdentityTest(t)
	x.console("").want(exitDone, "profile", "set", "log-level", "error", "-p", "one")
	c := x.console("approve")
	c.want(exitDone, "login", "-p", "two")
	contains(t, "standard error", c.err, "Added the profile two to ", "Logged in as local@example.com.")
	x.console("").want(exitDone, "get", "me", "-p", "two")
	c = x.console("")
	c.want(exitDone, "profile", "show", "two")
	contains(t, "standard output", c.out, "login (")
	c = x.console("")
	c.want(exitDone, "profile", "show", "one")
	if strings.Contains(c.out.String(), "login (") {
		t.Errorf("a profile without a login shows one:\n%s", c.out)
	}
	x.console("approve").want(exitDone, "login", "-p", "two", "--base-auth-url", x.server.URL, "--base-url", strings.Replace(x.server.URL, "127.0.0.1", "localhost", 1))
	x.console("approve").want(exitDone, "login", "-p", "one")
	if left := x.tokens(); len(left) != 6 {
		t.Fatalf("%d tokens, want 6", len(left))
	}

	c = x.console("")
	c.want(exitUsage, "profile", "delete", "two")
	contains(t, "standard error", c.err, "cannot prompt", "pass --auto-approve")
	c = x.console("")
	c.factory.world.streams.inTerminal, c.factory.world.streams.in = true, strings.NewReader("n\n")
	c.want(exitFailed, "profile", "delete", "two")
	contains(t, "standard error", c.err, "Do you want to delete the profile two with its login at "+x.server.URL)
	if left := x.tokens(); len(left) != 6 {
		t.Fatalf("%d tokens, want 6", len(left))
	}
	c = x.console("")
	c.want(exitDone, "profile", "delete", "two", "--auto-approve")
	contains(t, "standard error", c.err, "Deleted the profile two (", "Logged out of "+x.server.URL+" (profile two).")
	if left := x.tokens(); len(left) != 2 {
		t.Errorf("%d tokens are left, want those of the other profile", len(left))
	}
	c = x.console("")
	c.want(exitDone, "logout", "-p", "two")
	contains(t, "standard error", c.err, "Not logged in (profile two).")

	// Without its profile a login is forgotten as well.
	if err := os.WriteFile(filepath.Join(x.first.dir, "home/.config/kongctl/config.yaml"), []byte("three: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x.console("").want(exitUsage, "get", "me", "-p", "one")
	c = x.console("")
	c.want(exitDone, "logout", "-p", "one")
	contains(t, "standard error", c.err, "Logged out of "+x.server.URL+" (profile one).")
	if left := x.tokens(); len(left) != 0 {
		t.Errorf("%d tokens are left", len(left))
	}
}

// TestLoginRefused asserts how a login ends that nobody approves.
func TestLoginRefused(t *testing.T) {
	x := newIdentityTest(t)
	c := x.console("deny")
	c.want(exitAuth, "login")
	contains(t, "standard error", c.err, "error: the login was denied")

	c = x.console("")
	c.factory.world.browse = func(string) error { return errNoBrowser }
	c.want(exitAuth, "login")
	contains(t, "standard error", c.err, "Open the page. Check", "error: the code has expired: nobody approved the login in time: run the command again")

	// Without a terminal, or where it is not wanted, no browser is opened.
	for _, args := range [][]string{{"login", "--no-browser"}, {"login"}} {
		c = x.console("approve")
		c.factory.world.streams.errTerminal = len(args) > 1
		c.factory.world.browse = func(string) error { t.Error("a browser was opened"); return nil }
		c.want(exitAuth, args...)
	}
	c = x.console("")
	c.want(exitUsage, "login", "--local")
	c = x.console("")
	c.want(exitUsage, "logout", "--local")
	contains(t, "standard error", c.err, "--local needs no login")
	c = x.console("")
	c.want(exitUsage, "login", "--base-url", "http://example.com")
	contains(t, "standard error", c.err, "plain http is only allowed for loopback addresses")
	c = x.console("")
	c.want(exitUsage, "login", "--token-path", "https://example.com")
	contains(t, "standard error", c.err, "use a path that begins with /")
	c = x.console("")
	c.want(exitAuth, "login", "--auth-path", "/nowhere")
	contains(t, "standard error", c.err, "is that the right address?")
	if left := x.tokens(); len(left) != 0 {
		t.Errorf("%d tokens are left", len(left))
	}
}

// TestTokenOrder asserts which token is used: the flag, the environment, the
// profile, the login.
func TestTokenOrder(t *testing.T) {
	x := newIdentityTest(t)
	x.console("approve").want(exitDone, "login")
	var used string
	gate := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		used = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		x.server.Config.Handler.ServeHTTP(w, r)
	}))
	defer gate.Close()
	x.first.env["KONGCTL_KONNECT_BASE_URL"] = gate.URL
	file := x.first.write("home/.config/kongctl/config.yaml", "default: {konnect: {pat: of-profile}}\n")
	want := func(token string, args ...string) {
		t.Helper()
		x.console("approve").want(exitDone, append([]string{"get", "me"}, args...)...)
		if used != token {
			t.Errorf("used %q, want %q", used, token)
		}
	}
	want("of-profile")
	x.first.env["KONGCTL_KONNECT_PAT"] = "of-environment"
	want("of-environment")
	want("of-flag", "--pat", "of-flag")
	delete(x.first.env, "KONGCTL_KONNECT_PAT")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	// The login of one address is no login at another.
	x.console("").want(exitAuth, "get", "me")
	c := x.console("")
	c.env["KONGCTL_KONNECT_PAT"] = "x"
	c.want(exitDone, "logout")
	contains(t, "standard error", c.err, "note: commands still use the setting konnect.pat (environment variable KONGCTL_KONNECT_PAT).")
}

// ring is a keyring.
type ring map[string]string

func (r ring) Set(_, user, secret string) error   { r[user] = secret; return nil }
func (r ring) Get(_, user string) (string, error) { return r[user], nil }
func (r ring) Delete(_, user string) error        { delete(r, user); return nil }

// A login in a keyring that cannot be reached any more, as over ssh, can be replaced.
func TestLoginInKeyring(t *testing.T) {
	x := newIdentityTest(t)
	c := x.console("approve")
	c.factory.world.keyring = func() auth.Keyring { return ring{} }
	c.want(exitDone, "login")
	contains(t, "standard error", c.err, "The token is kept in the keyring of this machine.")
	c = x.console("")
	c.want(exitAuth, "get", "me")
	contains(t, "standard error", c.err, "the token is in the keyring of this machine, which cannot be read; unlock the keyring, or run `kongctl login --login-store file`")
	x.console("approve").want(exitDone, "login", "--login-store", "file")
	x.console("").want(exitDone, "get", "me")
}
