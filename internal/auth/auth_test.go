package auth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/auth"
	"github.com/kongctl/kongctl/internal/resource"
)

var start = time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC)

// clock moves when somebody sleeps.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.slept = c.now.Add(d), append(c.slept, d)
	return ctx.Err()
}

// server is a service that gives the answers of a list to polls, one after another;
// the last one again and again.
func server(t *testing.T, polls ...string) (*auth.Server, *clock) {
	t.Helper()
	polled := 0
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/authorize" {
			_, _ = fmt.Fprint(w, `{"device_code":"dev","user_code":"AB-CD","verification_uri":"https://k.example.com/d","expires_in":60,"interval":2}`)
			return
		}
		if r.PostFormValue("device_code") != "dev" || r.PostFormValue("client_id") != "me" || r.PostFormValue("grant_type") != "urn:ietf:params:oauth:grant-type:device_code" {
			t.Errorf("polled with %v", r.PostForm)
		}
		answer := polls[min(polled, len(polls)-1)]
		polled++
		status, body, _ := strings.Cut(answer, " ")
		code := 0
		_, _ = fmt.Sscan(status, &code)
		if code == 0 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(code)
		_, _ = fmt.Fprint(w, body)
	}))
	t.Cleanup(ts.Close)
	c := &clock{now: start}
	return &auth.Server{URL: ts.URL, ClientID: "me", AuthorizePath: "/authorize", TokenPath: "/token", RefreshPath: "/refresh", Now: c.Now, Sleep: c.Sleep}, c
}

func TestDevice(t *testing.T) {
	const (
		pending = `400 {"error":"authorization_pending"}`
		granted = `200 {"access_token":"a","refresh_token":"r","expires_in":100}`
	)
	for _, row := range []struct {
		name  string
		polls []string
		err   error
		text  string
		slept []int // seconds
	}{
		{"approved at once", []string{granted}, nil, "", []int{2}},
		{"approved later", []string{pending, pending, granted}, nil, "", []int{2, 2, 2}},
		{"asked too often", []string{pending, `400 {"error":"slow_down"}`, pending, granted}, nil, "", []int{2, 2, 7, 7}},
		{"no answer for a while", []string{"0", `503 gone`, granted}, nil, "", []int{2, 7, 12}},
		{"denied", []string{pending, `400 {"error":"access_denied"}`}, auth.ErrDenied, "", []int{2, 2}},
		{"expired, says the service", []string{`400 {"error":"expired_token"}`}, auth.ErrTooLate, "", []int{2}},
		{"expired, says the clock", []string{`400 {"error":"slow_down"}`}, auth.ErrTooLate, "", []int{2, 7, 12, 17, 22}},
		{"a wrong program", []string{`401 {"error":"invalid_client"}`}, nil, "401 invalid_client", []int{2}},
		{"a word that nobody knows", []string{`200 {"error":"<b>"}`}, nil, "login: the service refused it: ", []int{2}},
		{"an answer without token", []string{`200 {}`}, nil, "without a token", []int{2}},
		{"a page instead of an answer", []string{`200 <html>`}, nil, "200 OK", []int{2}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, c := server(t, row.polls...)
			g, err := s.Begin(t.Context())
			if err != nil || g.UserCode != "AB-CD" || g.Page() != "https://k.example.com/d" {
				t.Fatal(g, err)
			}
			token, err := s.Wait(t.Context(), g)
			switch {
			case row.err != nil && !errors.Is(err, row.err), row.text != "" && (err == nil || !strings.Contains(err.Error(), row.text)):
				t.Errorf("%v, want %v%s", err, row.err, row.text)
			case row.err == nil && row.text == "":
				if err != nil || token.Access != "a" || token.Refresh != "r" || !token.Expires.Equal(c.now.Add(100*time.Second)) {
					t.Error(token, err)
				}
			}
			var slept []int
			for _, d := range c.slept {
				slept = append(slept, int(d.Seconds()))
			}
			if !slices.Equal(slept, row.slept) {
				t.Errorf("slept %v, want %v", slept, row.slept)
			}
			if text := fmt.Sprintf("%v %+v %#v", token, token, &token); strings.Contains(text, `"a"`) {
				t.Error(text)
			}
		})
	}
}

// TestBeginIsRepeated: a service that is busy is asked again, one that refuses is not.
func TestBeginIsRepeated(t *testing.T) {
	for _, row := range []struct {
		answers  []int
		attempts int
		status   int // of the error, 0 for none
		asked    int
	}{
		{[]int{503, 429, 200}, 0, 0, 3},
		{[]int{500}, 0, 500, 6},
		{[]int{503}, 2, 503, 2},
		{[]int{400}, 0, 400, 1},
		{[]int{404}, 0, 404, 1},
	} {
		asked := 0
		ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(row.answers[min(asked, len(row.answers)-1)])
			asked++
			_, _ = fmt.Fprint(w, `{"device_code":"d","user_code":"u","verification_uri":"https://k.example.com/d"}`)
		}))
		c := &clock{now: start}
		s := &auth.Server{URL: ts.URL, AuthorizePath: "/a", Now: c.Now, Sleep: c.Sleep, Attempts: row.attempts}
		_, err := s.Begin(t.Context())
		var refused *auth.StatusError
		if errors.As(err, &refused); (refused == nil) != (row.status == 0) || refused != nil && refused.Status != row.status || asked != row.asked {
			t.Errorf("%v: %v after %d requests", row.answers, err, asked)
		}
		ts.Close()
	}
}

// TestPages asserts that a browser is sent to pages alone.
func TestPages(t *testing.T) {
	for _, page := range []string{"", "file:///etc/passwd", "javascript:alert(1)", "-flag", "https://user:pass@k.example.com/"} {
		ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"device_code":"d","user_code":"u","verification_uri":%q}`, page)
		}))
		s := &auth.Server{URL: ts.URL, AuthorizePath: "/a", Now: time.Now}
		if g, err := s.Begin(t.Context()); err == nil {
			t.Errorf("%q: %v", page, g.Page())
		}
		ts.Close()
	}
}

// TestInterrupt asserts that waiting ends with its context.
func TestInterrupt(t *testing.T) {
	s, _ := server(t, `400 {"error":"authorization_pending"}`)
	g, err := s.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Wait(ctx, g); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestOneHost asserts that no redirect is followed: neither codes nor tokens reach
// another host.
func TestOneHost(t *testing.T) {
	var reached atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer other.Close()
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer ts.Close()
	c := &clock{now: start}
	s := &auth.Server{URL: ts.URL, AuthorizePath: "/a", TokenPath: "/t", RefreshPath: "/r", Now: c.Now, Sleep: c.Sleep}
	if _, err := s.Begin(t.Context()); err == nil {
		t.Error("a redirect was followed")
	}
	if _, err := s.Refresh(t.Context(), auth.Token{Refresh: "secret"}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	s.AuthorizePath = "//" + strings.TrimPrefix(other.URL, "http://") + "/a"
	if _, err := s.Begin(t.Context()); err == nil {
		t.Error("a path led to another host")
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d requests reached another host", n)
	}
	ts.Close()
	s.AuthorizePath = "/a"
	_, err := s.Begin(t.Context())
	if _, silent := resource.Unreachable(err); !silent {
		t.Errorf("%v does not say that there was no answer", err)
	}
}

func TestRefresh(t *testing.T) {
	var cookies []*http.Cookie
	body, status := "", http.StatusOK
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("konnectrefreshtoken"); err != nil || c.Value != "r" {
			t.Error(c, err)
		}
		for _, c := range cookies {
			http.SetCookie(w, c)
		}
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}))
	defer ts.Close()
	c := &clock{now: start}
	s := &auth.Server{URL: ts.URL, RefreshPath: "/refresh", Now: c.Now, Sleep: c.Sleep}
	refresh := func() (auth.Token, error) { return s.Refresh(t.Context(), auth.Token{Access: "a", Refresh: "r"}) }

	cookies = []*http.Cookie{
		{Name: "konnectrefreshtoken", Value: "r2", Path: "/refresh"},
		{Name: "konnectrefreshtoken", Value: "wrong", Path: "/"},
		{Name: "konnectaccesstoken", Value: "a2", Path: "/", MaxAge: 60},
	}
	if got, err := refresh(); err != nil || got.Access != "a2" || got.Refresh != "r2" || !got.Expires.Equal(start.Add(time.Minute)) {
		t.Error(got.Access, got.Refresh, got, err)
	}
	cookies, body = nil, `{"access_token":"a3","expires_in":30}`
	if got, err := refresh(); err != nil || got.Access != "a3" || got.Refresh != "r" || !got.Expires.Equal(start.Add(30*time.Second)) {
		t.Error(got.Access, got.Refresh, got, err)
	}
	body = `{}`
	if _, err := refresh(); err == nil {
		t.Error("a token came of nothing")
	}
	for _, status = range []int{400, 401, 403} {
		if _, err := refresh(); !errors.Is(err, auth.ErrExpired) {
			t.Error(status, err)
		}
	}
	status = 500
	if _, err := refresh(); err == nil || errors.Is(err, auth.ErrExpired) {
		t.Error(err)
	}
}

// memory is a keyring that may refuse.
type memory struct {
	mu      sync.Mutex
	entries map[string]string
	refuses error
}

func (m *memory) Set(service, user, secret string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuses == nil {
		m.entries[service+" "+user] = secret
	}
	return m.refuses
}

func (m *memory) Get(service, user string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuses != nil {
		return "", m.refuses
	}
	if secret, ok := m.entries[service+" "+user]; ok {
		return secret, nil
	}
	return "", auth.ErrNoEntry
}

func (m *memory) Delete(service, user string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, service+" "+user)
	return nil
}

func TestStore(t *testing.T) {
	place := auth.Place{Profile: "default", URL: "https://global.example.com"}
	for _, row := range []struct {
		name     string
		keyring  auth.Keyring
		in, want string
		fails    bool
	}{
		{"a keyring", &memory{entries: map[string]string{}}, "", auth.InKeyring, false},
		{"no keyring", nil, "", auth.InFile, false},
		{"a keyring that takes nothing", &memory{refuses: errors.New("locked")}, "", auth.InFile, false},
		{"a file, although there is a keyring", &memory{entries: map[string]string{}}, auth.InFile, auth.InFile, false},
		{"a keyring that is not there", nil, auth.InKeyring, "", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := &auth.Store{Dir: filepath.Join(t.TempDir(), "login"), Keyring: row.keyring, After: time.After}
			if l, err := s.Load(place); l != nil || err != nil {
				t.Fatal(l, err)
			}
			l := &auth.Login{Place: place, In: row.in, ClientID: "c", RefreshPath: "/r", Token: auth.Token{Access: "access-canary", Refresh: "refresh-canary", Expires: start}}
			if err := s.Save(l); (err != nil) != row.fails {
				t.Fatal(err)
			}
			if row.fails {
				return
			}
			files, err := filepath.Glob(filepath.Join(s.Dir, "*.json"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
				t.Error(info.Mode(), err)
			}
			raw, err := os.ReadFile(files[0])
			if err != nil || strings.Contains(string(raw), "canary") != (row.want == auth.InFile) {
				t.Errorf("%s %v", raw, err)
			}
			got, err := s.Load(place)
			if err != nil || got.In != row.want || got.Token.Access != "access-canary" || got.RefreshPath != "/r" {
				t.Fatal(got, err)
			}
			for _, other := range []auth.Place{{Profile: "b", URL: place.URL}, {Profile: "default", URL: "https://evil.example.com"}, {Profile: "default", URL: place.URL, BaseURL: "https://evil.example.com"}} {
				if l, err := s.Load(other); l != nil || err != nil {
					t.Errorf("%v is let in with the login of another place: %v", other, err)
				}
			}
			if err := os.Chmod(files[0], 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Load(place); err == nil || !strings.Contains(err.Error(), "chmod 600") {
				t.Error(err)
			}
			if row.want == auth.InKeyring {
				if err := os.Chmod(files[0], 0o600); err != nil {
					t.Fatal(err)
				}
				for _, other := range []auth.Keyring{nil, &memory{}, &memory{refuses: errors.New("locked")}} {
					away := &auth.Store{Dir: s.Dir, Keyring: other, After: time.After}
					if _, err := away.Load(place); !errors.Is(err, auth.ErrKeyring) {
						t.Errorf("a keyring that cannot be read: %v", err)
					}
				}
				if _, err := (&auth.Store{Dir: s.Dir, After: time.After}).Remove(place); !errors.Is(err, auth.ErrKeyring) {
					t.Errorf("log out without the keyring: %v", err)
				}
			}
			if found, err := s.Remove(place); !found || err != nil {
				t.Error(found, err)
			}
			if found, err := s.Remove(place); found || err != nil {
				t.Error(found, err)
			}
			if m, ok := row.keyring.(*memory); ok && len(m.entries) != 0 {
				t.Error(m.entries)
			}
		})
	}
}

// TestCurrent asserts that a token is refreshed before it expires, once, however
// many processes ask.
func TestCurrent(t *testing.T) {
	var refreshed atomic.Int64
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("konnectrefreshtoken"); err != nil || c.Value != fmt.Sprintf("r%d", refreshed.Load()) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		n := refreshed.Add(1)
		_, _ = fmt.Fprintf(w, `{"access_token":"a%d","refresh_token":"r%d","expires_in":3600}`, n, n)
	}))
	defer ts.Close()
	c := &clock{now: start}
	s := &auth.Server{URL: ts.URL, RefreshPath: "/wrong", Now: c.Now, Sleep: c.Sleep}
	store := &auth.Store{Dir: t.TempDir(), After: time.After}
	place := auth.Place{Profile: "default", URL: ts.URL}
	if l, err := auth.Current(t.Context(), store, s, place); l != nil || err != nil {
		t.Fatal(l, err)
	}
	if err := store.Save(&auth.Login{Place: place, RefreshPath: "/refresh", Token: auth.Token{Access: "a0", Refresh: "r0", Expires: start.Add(time.Hour)}}); err != nil {
		t.Fatal(err)
	}
	want := func(access string, times int64) {
		t.Helper()
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				l, err := auth.Current(t.Context(), store, s, place)
				if err != nil || l.Token.Access != access {
					t.Errorf("%v, %v; want %s", l, err, access)
				}
			})
		}
		group.Wait()
		if n := refreshed.Load(); n != times {
			t.Errorf("refreshed %d times, want %d", n, times)
		}
	}
	want("a0", 0)
	c.now = start.Add(55 * time.Minute)
	want("a1", 1)
	want("a1", 1)
	// A service that is not there does not matter as long as the token is good.
	ts.Close()
	c.now = start.Add(110 * time.Minute)
	want("a1", 1)
	c.now = start.Add(120 * time.Minute)
	if _, err := auth.Current(t.Context(), store, s, place); err == nil || errors.Is(err, auth.ErrExpired) {
		t.Error(err)
	}
}

// TestTokenText asserts which texts may be tokens.
func TestTokenText(t *testing.T) {
	for text, want := range map[string]bool{"kpat_Ab-1.~+/=": true, "": false, "a b": false, "a\nb": false, "a\rb": false, "a\x00": false, "\x1b[2J": false, "a\u00a0b": false} {
		if auth.IsTokenText(text) != want {
			t.Errorf("%q: want %t", text, want)
		}
	}
}
