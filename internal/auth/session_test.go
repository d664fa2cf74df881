package auth_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/auth"
)

// TestSessionThatCannotBeRefreshed asserts that a refresh which fails is made once for
// all requests that are refused, and never again with what the service refused.
func TestSessionThatCannotBeRefreshed(t *testing.T) {
	for name, row := range map[string]struct {
		status int
		later  int64 // refreshes after a while
	}{
		"refused": {http.StatusUnauthorized, 1},
		"failed":  {http.StatusInternalServerError, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			status := row.status
			ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				if c, err := r.Cookie("konnectrefreshtoken"); err == nil && c.Value == "r9" {
					_, _ = fmt.Fprint(w, `{"access_token":"a9","refresh_token":"r9","expires_in":3600}`)
					return
				}
				w.WriteHeader(status)
			}))
			defer ts.Close()
			c, store, login := loggedIn(t, ts.URL)
			session := login.Session(store, c.server(ts.URL))
			refused := func(times int64) {
				t.Helper()
				var group sync.WaitGroup
				for range 16 {
					group.Go(func() {
						if got, err := session.Token(t.Context(), "a0"); err == nil {
							t.Errorf("got %q", got)
						}
					})
				}
				group.Wait()
				if n := asked.Load(); n != times {
					t.Errorf("%d refreshes, want %d", n, times)
				}
			}
			refused(1)
			c.now = start.Add(time.Minute)
			refused(row.later)

			// Another login in the meantime helps.
			login.Token = auth.Token{Access: "a8", Refresh: "r9", Expires: start.Add(2 * time.Hour)}
			if err := store.Save(login); err != nil {
				t.Fatal(err)
			}
			c.now = start.Add(2 * time.Minute)
			if got, err := session.Token(t.Context(), "a0"); err != nil || got != "a8" {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// TestSession asserts that a token in use is refreshed shortly before it expires, or
// when it is refused, once for all that ask.
func TestSession(t *testing.T) {
	var refreshed atomic.Int64
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := refreshed.Add(1)
		_, _ = fmt.Fprintf(w, `{"access_token":"a%d","refresh_token":"r%d","expires_in":20}`, n, n)
	}))
	defer ts.Close()
	c, store, login := loggedIn(t, ts.URL)
	session := login.Session(store, c.server(ts.URL))
	want := func(refused, access string, times int64) {
		t.Helper()
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if got, err := session.Token(t.Context(), refused); err != nil || got != access {
					t.Errorf("%q, %v; want %s", got, err, access)
				}
			})
		}
		group.Wait()
		if n := refreshed.Load(); n != times {
			t.Errorf("refreshed %d times, want %d", n, times)
		}
	}
	want("", "a0", 0)
	c.now = start.Add(58 * time.Minute)
	want("", "a0", 0)
	c.now = start.Add(59*time.Minute + 30*time.Second)
	want("", "a1", 1)
	want("a0", "a1", 1) // refused before it was refreshed
	want("a1", "a2", 2)
	want("", "a2", 2) // its life is short, and has just begun
	c.now = c.now.Add(19 * time.Second)
	want("", "a3", 3)

	// Another process may have been first.
	kept, err := store.Load(login.Place)
	if err != nil {
		t.Fatal(err)
	}
	kept.Token.Access = "other"
	if err := store.Save(kept); err != nil {
		t.Fatal(err)
	}
	want("a3", "other", 3)

	// A service that is not there does not matter until the token is refused.
	ts.Close()
	c.now = c.now.Add(time.Minute)
	want("", "other", 3)
	if got, err := session.Token(t.Context(), "other"); err == nil {
		t.Errorf("got %q", got)
	}
}

// loggedIn is a login at a server that was made at the start of the clock.
func loggedIn(t *testing.T, url string) (*clock, *auth.Store, *auth.Login) {
	t.Helper()
	store := &auth.Store{Dir: t.TempDir(), After: time.After}
	login := &auth.Login{Place: auth.Place{Profile: "default", URL: url}, RefreshPath: "/refresh", Token: auth.Token{Access: "a0", Refresh: "r0", Expires: start.Add(time.Hour)}}
	if err := store.Save(login); err != nil {
		t.Fatal(err)
	}
	return &clock{now: start}, store, login
}

func (c *clock) server(url string) *auth.Server {
	return &auth.Server{URL: url, RefreshPath: "/refresh", Now: c.Now, Sleep: c.Sleep}
}
