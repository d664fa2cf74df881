package cluster

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/resource"
)

// TestRedirect asserts that the token goes to the configured host alone.
func TestRedirect(t *testing.T) {
	elsewhere := newAnswers(t, answer(200, oneConfigMap))
	server := newAnswers(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
	})
	_, err := server.open(t).Get(t.Context(), configMaps, "n", "a")
	if err == nil || !strings.Contains(err.Error(), "redirect to another host") {
		t.Errorf("%v", err)
	}
	if elsewhere.count() != 0 {
		t.Errorf("the other host was asked, with %q", elsewhere.tokens)
	}
	if server.count() != 1 {
		t.Errorf("%d requests", server.count())
	}
}

// TestLog asserts that the log names each request and nothing that it carries.
func TestLog(t *testing.T) {
	server := newAnswers(t, answer(200, oneConfigMap))
	var log strings.Builder
	c := server.open(t, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	if _, err := c.Get(t.Context(), configMaps, "n", "a"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "method=GET") || !strings.Contains(log.String(), "path=/api/v1/namespaces/n/configmaps/a") || !strings.Contains(log.String(), "status=200") {
		t.Errorf("the request is missing:\n%s", log.String())
	}
	for _, token := range server.tokens {
		if token == "" || strings.Contains(log.String(), strings.TrimPrefix(token, "Bearer ")) {
			t.Errorf("the log holds the token %q:\n%s", token, log.String())
		}
	}
}

func TestWarnings(t *testing.T) {
	server := newAnswers(t, answer(200, oneConfigMap, "Warning", `299 - "this API is old"`, "Warning", `299 - "and \"odd\""`))
	var got []string
	c := server.open(t, func(c *Config) { c.Warn = func(text string) { got = append(got, text) } })
	for range 2 {
		if _, err := c.Get(t.Context(), configMaps, "n", "a"); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"this API is old", `and "odd"`}, got); diff != "" {
		t.Error(diff)
	}
}

// TestPlugin asserts that a program can supply the credentials, is asked again
// when they have expired, and that its failure is reported as such.
func TestPlugin(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "plugin")
	script := `#!/bin/sh
echo x >> ` + folder + `/calls
n=$(wc -l < ` + folder + `/calls)
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"hush-'$n'"}}'
`
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	user := func(command string) string {
		return `{exec: {apiVersion: client.authentication.k8s.io/v1, command: "` + command + `", interactiveMode: Never}}`
	}
	server := newAnswers(t, answer(200, oneConfigMap), failure(401, "Unauthorized", "expired"), answer(200, oneConfigMap))
	c := server.open(t, func(c *Config) { c.Kubeconfig = server.kubeconfig(t, user(program)) })
	for range 2 {
		if _, err := c.Get(t.Context(), configMaps, "n", "a"); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"Bearer hush-1", "Bearer hush-1", "Bearer hush-2"}, server.tokens); diff != "" {
		t.Error(diff)
	}

	for _, command := range []string{filepath.Join(folder, "missing"), "/bin/false"} {
		c := server.open(t, func(c *Config) { c.Kubeconfig = server.kubeconfig(t, user(command)) })
		_, err := c.Get(t.Context(), configMaps, "n", "a")
		if !resource.Unauthorized(err) || !resource.Fatal(err) || !resource.Unsent(err) || !strings.HasPrefix(err.Error(), "get ConfigMap n/a: credentials of the kubeconfig: ") {
			t.Errorf("%s: %v", command, err)
		}
		if _, unreachable := resource.Unreachable(err); unreachable {
			t.Errorf("%v counts as unreachable", err)
		}
		t.Log(err)
	}
}

// TestProxy asserts that the proxy of the kubeconfig is used.
func TestProxy(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.Host)
		w.WriteHeader(http.StatusForbidden)
	}))
	defer proxy.Close()
	server := newAnswers(t, answer(200, oneConfigMap))
	file := server.kubeconfig(t, "{token: hush-hush}")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(raw), "cluster: {server", `cluster: {proxy-url: "`+proxy.URL+`", server`, 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = server.open(t, func(c *Config) { c.Kubeconfig = file }).Get(t.Context(), configMaps, "n", "a")
	var failed *Error
	if !errors.As(err, &failed) || !failed.Unsent() || server.count() != 0 {
		t.Errorf("%v", err)
	}
	if want := "CONNECT " + strings.TrimPrefix(server.URL, "https://"); len(asked) == 0 || asked[0] != want {
		t.Errorf("the proxy was asked for %q, want %s", asked, want)
	}
}
