package cli

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
)

// exports reads lines that a shell would evaluate; anything else fails.
func exports(t *testing.T, text string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if line == "unset SSL_CERT_DIR\n" {
			continue
		}
		assignment, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "export ")
		name, value, set := strings.Cut(assignment, "=")
		if !ok || !set {
			t.Fatalf("a shell cannot evaluate %q", line)
		}
		out[name] = value
	}
	return out
}

func TestIntercept(t *testing.T) {
	m := newMachine(t)
	start := []string{"local", "start", "--intercept", "--addr", "127.0.0.1:0", "--data", "d"}
	c := m.command()
	c.want(exitDone, start...)
	variables := exports(t, c.out.String())
	contains(t, "standard error", c.err, "Konnect is running at")
	if want := filepath.Join(c.dir, "d", "ca.pem"); variables["SSL_CERT_FILE"] != want {
		t.Errorf("SSL_CERT_FILE is %q, want %q", variables["SSL_CERT_FILE"], want)
	}
	none := ""
	for name, want := range map[string]string{
		"https_proxy": variables["HTTPS_PROXY"], "CURL_CA_BUNDLE": variables["SSL_CERT_FILE"], "NO_PROXY": none, "no_proxy": none,
	} {
		if got, set := variables[name]; !set || got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	contains(t, "standard output", c.out, "unset SSL_CERT_DIR")
	if status := ask(t, variables, "https://eu.api.konghq.com/v3/portals"); status != http.StatusUnauthorized {
		t.Errorf("a client with these variables and no token gets %d", status)
	}

	c = m.command()
	c.want(exitDone, start...)
	if diff := cmp.Diff(variables, exports(t, c.out.String())); diff != "" {
		t.Errorf("of a server that runs (-first +now):\n%s", diff)
	}
	c = m.command()
	c.want(exitDone, "local", "status", "--data", "d")
	contains(t, "status", c.out, "HTTPS_PROXY="+variables["HTTPS_PROXY"], "SSL_CERT_FILE="+variables["SSL_CERT_FILE"])
	var recorded local.Server
	if err := json.Unmarshal([]byte(c.read(filepath.Join("d", local.ServerFile))), &recorded); err != nil {
		t.Fatal(err)
	}
	if recorded.Intercept == nil || recorded.Intercept.Proxy != variables["HTTPS_PROXY"] || recorded.Intercept.Certificate != variables["SSL_CERT_FILE"] {
		t.Errorf("on record: %+v", recorded.Intercept)
	}
	m.command().want(exitDone, "local", "stop", "--data", "d")
}

// What a shell evaluates fails where nothing was started.
func TestInterceptThatDoesNotStart(t *testing.T) {
	m := newMachine(t)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "d")
	for _, row := range []struct {
		name, line, want string
		status           int
	}{
		{"a server without it runs", "local start --intercept --data d", "false\n", exitFailed},
		{"a seed that is not there", "local start --addr 127.0.0.1:0 --data e --seed none.yaml --intercept", "false\n", exitFailed},
		{"a flag that does not exist", "local start --adr x --intercept", "false\n", exitUsage},
		{"a flag with a wrong value", "local start --intercept --latency soon", "false\n", exitUsage},
		{"nothing to evaluate", "local start --latency soon", "", exitUsage},
	} {
		c := m.command()
		c.want(row.status, strings.Fields(row.line)...)
		if got := c.out.String(); got != row.want {
			t.Errorf("%s: standard output has %q, want %q", row.name, got, row.want)
		}
		if strings.Contains(c.err.String(), "false") {
			t.Errorf("%s: standard error has %s", row.name, c.err)
		}
	}
	m.command().want(exitDone, "local", "stop", "--data", "d")
}

// ask sends a request the way a client with these variables would.
func ask(t *testing.T, variables map[string]string, address string) int {
	t.Helper()
	proxy, err := url.Parse(variables["HTTPS_PROXY"])
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(variables["SSL_CERT_FILE"])
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(raw)
	transport := &http.Transport{
		Proxy:           http.ProxyURL(proxy),
		TLSClientConfig: &tls.Config{RootCAs: pool, Time: func() time.Time { return testTime }},
	}
	defer transport.CloseIdleConnections()
	res, err := (&http.Client{Transport: transport}).Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

func TestInterceptNeedsAServerThatDoes(t *testing.T) {
	m := newMachine(t)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "d")
	c := m.command()
	c.want(exitFailed, "local", "start", "--intercept", "--data", "d")
	contains(t, "standard error", c.err, "a server without --intercept runs on it", "kongctl local stop")
	m.command().want(exitDone, "local", "stop", "--data", "d")
}
