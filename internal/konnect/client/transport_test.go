package client

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func newTLSServer(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func redirect(code int, to string) step {
	return status(code, "Location", to)
}

func TestRedirectToAnotherHostIsRefused(t *testing.T) {
	elsewhere := newScript(t, status(200))
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			server := newScript(t, redirect(code, elsewhere.URL+"/?token="+canary))
			c, clock := newClient(t, server.URL, nil)
			_, err := c.Do(t.Context(), Request{Method: method, Path: "/x", Body: map[string]any{}})
			if err == nil || !strings.Contains(err.Error(), "redirect to another host") || strings.Contains(err.Error(), canary) {
				t.Errorf("%s %d: error %v", method, code, err)
			}
			if len(clock.slept) != 0 {
				t.Errorf("%s %d: was repeated", method, code)
			}
		}
	}
	for _, r := range elsewhere.requests() {
		t.Errorf("the other host saw %s %s %v", r.Method, r.RequestURI, r.Header)
	}
}

func TestRedirectToAPlaceThatIsNone(t *testing.T) {
	server := newScript(t, redirect(302, "http://["+canary))
	c, _ := newClient(t, server.URL, nil)
	_, err := c.Do(t.Context(), Request{Method: "POST", Path: "/x"})
	if err == nil || strings.Contains(err.Error(), canary) {
		t.Errorf("error %v", err)
	}
}

func TestRedirectsWithinTheConfiguredHosts(t *testing.T) {
	rows := map[string]struct {
		method string
		steps  []step
		ok     bool
	}{
		"GET on the same host":           {"GET", []step{redirect(302, "/y"), status(204)}, true},
		"POST that stays a POST":         {"POST", []step{redirect(308, "/y"), status(204)}, true},
		"POST that would become a GET":   {"POST", []step{redirect(303, "/y"), status(204)}, false},
		"DELETE that would become a GET": {"DELETE", []step{redirect(302, "/y"), status(204)}, false},
		"a circle":                       {"GET", []step{redirect(302, "/x")}, false},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			server := newScript(t, row.steps...)
			c, _ := newClient(t, server.URL, nil)
			_, err := c.Do(t.Context(), Request{Method: row.method, Path: "/x", Body: map[string]any{}})
			if (err == nil) != row.ok {
				t.Errorf("error %v", err)
			}
			for _, r := range server.requests() {
				if r.Header.Get("Authorization") != "Bearer "+canary || r.Method != row.method {
					t.Errorf("%s %s with %q", r.Method, r.RequestURI, r.Header.Get("Authorization"))
				}
			}
		})
	}
}

func TestRedirectToTheIdentityHost(t *testing.T) {
	global := newScript(t, answer(200, "application/json", `{"ok":true}`))
	server := newScript(t, redirect(301, global.URL+"/me"))
	c, _ := newClient(t, server.URL, func(cfg *Config) { cfg.GlobalURL = global.URL })
	if _, err := c.Do(t.Context(), Request{Method: "GET", Path: "/x"}); err != nil {
		t.Fatal(err)
	}
	if got := global.requests()[0].Header.Get("Authorization"); got != "Bearer "+canary {
		t.Errorf("the identity host got %q", got)
	}
}

func TestGuardLetsNothingOutToAnotherHost(t *testing.T) {
	g := &guard{
		next:    roundTrip(func(r *http.Request) (*http.Response, error) { return emptyAnswer(r, 200), nil }),
		allowed: map[string]bool{"https://us.api.konghq.com:443": true},
		tokens:  newTokens(canary, nil),
	}
	for target, ok := range map[string]bool{
		"https://us.api.konghq.com/x":          true,
		"https://US.api.konghq.com:443/x":      true,
		"http://us.api.konghq.com/x":           false,
		"https://us.api.konghq.com:8443/x":     false,
		"https://us.api.konghq.com.evil.com/x": false,
		"https://x.us.api.konghq.com/x":        false,
	} {
		req, err := http.NewRequestWithContext(t.Context(), "POST", target, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := g.RoundTrip(req)
		if err == nil {
			_ = res.Body.Close()
		}
		if (err == nil) != ok {
			t.Errorf("%s: %v", target, err)
		}
		if req.Header.Get("Authorization") != "" {
			t.Errorf("%s: the caller's request was changed", target)
		}
	}
}

// TestProxyOfTheEnvironment runs itself again, because a process reads its
// proxy variables once.
func TestProxyOfTheEnvironment(t *testing.T) {
	const role = "KONGCTL_TEST_PROXY_CHILD"
	if os.Getenv(role) != "" {
		c, err := New(Config{BaseURL: "https://us.api.konghq.com", Token: canary, Retry: Retry{MaxAttempts: 1}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Do(context.Background(), Request{Method: "POST", Path: "/v3/portals"})
		var te *TransportError
		if !errors.As(err, &te) || te.Sent {
			t.Errorf("error %#v, want one that says unsent", err)
		}
		return
	}
	proxy := newScript(t, status(502))
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProxyOfTheEnvironment$", "-test.v")
	cmd.Env = append(os.Environ(), role+"=1", "GORACE=atexit_sleep_ms=0",
		"HTTPS_PROXY="+proxy.URL, "https_proxy="+proxy.URL, "NO_PROXY=", "no_proxy=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	seen := proxy.requests()
	if len(seen) != 1 || seen[0].Method != "CONNECT" || seen[0].Host != "us.api.konghq.com:443" || seen[0].Header.Get("Authorization") != "" {
		t.Errorf("the proxy saw %v", seen)
	}
}
