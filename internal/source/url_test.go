package source

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
)

func TestURLs(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/a.yaml", func(w http.ResponseWriter, r *http.Request) {
		for _, h := range []string{"Authorization", "Cookie", "Referer"} {
			if r.Header.Get(h) != "" {
				t.Errorf("the request has the header %s", h)
			}
		}
		_, _ = w.Write([]byte("a: 1\n"))
	})
	mux.HandleFunc("/file.yaml", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("a: !file x.txt\nb: !secret {source: !file x.txt}\nc: {_deck: {files: [x.txt]}}\n"))
	})
	mux.HandleFunc("/env.yaml", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("a: !env HOME\nb: !secret {source: !env HOME}\nc: {_deck: {state: {x: !env HOME}}}\nd: !lookup {name: !env HOME}\ne: !secret {parts: [x, !env HOME]}\nf: !env {var: HOME, extract: x}\n"))
	})
	mux.HandleFunc("/large.yaml", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.Repeat("#", maxFileSize+1)))
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<html>"))
	})
	mux.HandleFunc("/cut.yaml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("a: 1"))
	})
	mux.Handle("/moved", http.RedirectHandler("/a.yaml", http.StatusFound))
	mux.Handle("/away", http.RedirectHandler("http://192.0.2.1/a.yaml", http.StatusFound))
	mux.Handle("/loop", http.RedirectHandler("/loop", http.StatusFound))
	mux.HandleFunc("/private", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	server := httptest.NewServer(mux)
	defer server.Close()

	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	here, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	jar.SetCookies(here, []*http.Cookie{{Name: "session", Value: "x"}})
	client := &http.Client{Jar: jar, Transport: loopbackOnly{server.Client().Transport}}

	work := folder(t, "-- x.txt --\nx\n")
	for _, tc := range []struct {
		name, url string
		want      []string
		says      string
	}{
		{name: "a document", url: "/a.yaml"},
		{name: "a document with a signature in its query", url: "/a.yaml?sig=hunter2"},
		{name: "a redirect on the same machine", url: "/moved?sig=hunter2"},
		{name: "a redirect to plain http elsewhere", url: "/away?sig=hunter2", want: []string{"SRC017"}, says: "not allowed"},
		{name: "a redirect without end", url: "/loop", want: []string{"SRC017"}, says: "too many redirects"},
		{name: "not found", url: "/gone?sig=hunter2", want: []string{"SRC017"}, says: "404"},
		{name: "a login", url: "/private", want: []string{"SRC017"}, says: "401"},
		{name: "a web page", url: "/page", want: []string{"SRC017"}, says: "raw"},
		{name: "an answer that breaks off", url: "/cut.yaml", want: []string{"SRC017"}, says: "broke off"},
		{name: "a large document", url: "/large.yaml", want: []string{"SRC004"}},
		{name: "a document that names files", url: "/file.yaml", want: []string{"SRC006", "SRC006", "SRC006"}, says: "may not read files"},
		{name: "a document that names variables", url: "/env.yaml", want: []string{"CFG015", "CFG015", "CFG015", "CFG015", "CFG015", "CFG015"}, says: "may not read environment variables"},
		{name: "a password", url: strings.Replace(server.URL, "//", "//me:hunter2@", 1) + "/a.yaml", want: []string{"SRC017"}, says: "none is ever sent"},
		{name: "plain http elsewhere", url: "http://192.0.2.1/a.yaml", want: []string{"SRC017"}, says: "https"},
		{name: "another scheme", url: "ftp://localhost/a.yaml", want: []string{"SRC017"}, says: "https"},
		{name: "no host", url: "https:///a.yaml", want: []string{"SRC017"}, says: "malformed"},
		{name: "no URL at all", url: "http://[::1/hunter2", want: []string{"SRC017"}, says: "malformed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if strings.HasPrefix(tc.url, "/") {
				tc.url = server.URL + tc.url
			}
			r, diags := load(context.Background(), Options{Files: []string{tc.url}, WorkDir: work, HTTP: client})
			var got []string
			for _, d := range diags {
				got = append(got, string(d.Code))
				if strings.Contains(d.String(), "hunter2") {
					t.Errorf("a secret is told: %v", d)
				}
			}
			if strings.Join(got, " ") != strings.Join(tc.want, " ") {
				t.Fatalf("got %v, want %v: %v", got, tc.want, diags)
			}
			if len(tc.want) > 0 {
				if text := diags[0].Detail + diags[0].Fix; !strings.Contains(text, tc.says) {
					t.Errorf("%q does not say %q", text, tc.says)
				}
				return
			}
			d := r.Documents[0]
			if strings.Contains(d.File, "?") || !strings.HasPrefix(d.File, server.URL) || d.Walked || d.Base != work {
				t.Errorf("document is %+v", d)
			}
			if len(r.Inputs) > 0 {
				t.Errorf("inputs are %v", r.Inputs)
			}
		})
	}
}

func TestARedirectFromElsewhereToThisMachine(t *testing.T) {
	client := &http.Client{Transport: answer(func(r *http.Request) *http.Response {
		w := httptest.NewRecorder()
		http.Redirect(w, r, "http://127.0.0.1:1/a.yaml", http.StatusFound)
		return w.Result()
	})}
	_, diags := load(context.Background(), Options{Files: []string{"https://example.com/a.yaml"}, WorkDir: t.TempDir(), HTTP: client})
	if len(diags) != 1 || diags[0].Code != diag.SrcURL || !strings.Contains(diags[0].Detail, "this machine") {
		t.Errorf("got %v", diags)
	}
}

type answer func(*http.Request) *http.Response

func (a answer) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// loopbackOnly fails a test's request that would leave the machine.
type loopbackOnly struct{ next http.RoundTripper }

func (l loopbackOnly) RoundTrip(r *http.Request) (*http.Response, error) {
	if !isLoopback(r.URL) {
		panic("a request to " + r.URL.Host)
	}
	return l.next.RoundTrip(r)
}

// What is kept of different URLs is kept apart, under the same names each time.
func TestFetchedAreKeptApart(t *testing.T) {
	server := func() *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, "a: %q\n", r.Host+r.RequestURI)
		}))
		t.Cleanup(s.Close)
		return s
	}
	long := "/" + strings.Repeat("x", 210)
	one, other := server(), server()
	var files []string
	for _, path := range []string{"/a/b.yaml", "/a_b.yaml", "/a%2Fb.yaml", "/A_b.yaml", "/a_b.yaml/", "/a_b.yaml?v=1", "/a_b.yaml?v=2", "/p" + long, "/q" + long} {
		files = append(files, one.URL+path, other.URL+path)
	}
	work := t.TempDir()
	for range 2 {
		r, diags := load(t.Context(), Options{Files: files, WorkDir: work, HTTP: one.Client(), SaveDir: "kept"})
		if len(diags) > 0 || len(r.Documents) != len(files) {
			t.Fatal(len(r.Documents), diags)
		}
		entries, err := os.ReadDir(filepath.Join(work, "kept"))
		if err != nil || len(entries) != len(files) {
			t.Fatalf("%d files of %d are kept: %v", len(entries), len(files), err)
		}
		names, texts := map[string]bool{}, map[string]bool{}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(work, "kept", e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			names[strings.ToLower(e.Name())], texts[string(data)] = true, true
		}
		if len(names) != len(files) || len(texts) != len(files) {
			t.Errorf("%d names and %d documents of %d", len(names), len(texts), len(files))
		}
	}
}
