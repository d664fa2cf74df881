//go:build real

package real

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const portalsAddress = "https://us.api.konghq.com/v3/portals"

// tool finds another program, or says how to get it.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%v; install it: apt-get install %s", err, name)
	}
	return path
}

// intercepting starts a server in the background and returns the variables that
// it printed.
func (m *machine) intercepting(t *testing.T) map[string]string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	t.Cleanup(func() {
		if out, err := m.command(context.Background(), "local", "stop", "--data", data).CombinedOutput(); err != nil {
			t.Errorf("local stop: %v\n%s", err, out)
		}
	})
	cmd := m.command(t.Context(), "local", "start", "--intercept", "--addr", "127.0.0.1:0", "--data", data)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("local start --intercept: %v", err)
	}
	variables := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "unset ") {
			continue // nothing of that name is in the environment here
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if !ok {
			t.Fatalf("standard output has the line %q", line)
		}
		variables[name] = value
	}
	if variables["HTTPS_PROXY"] == "" || variables["SSL_CERT_FILE"] == "" {
		t.Fatalf("standard output lacks a variable:\n%s", out)
	}
	return variables
}

// TestCurl is a client that knows nothing of the embedded Konnect.
func TestCurl(t *testing.T) {
	curl := tool(t, "curl")
	m := newMachine(t)
	variables := m.intercepting(t)
	run := func(args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		cmd := exec.CommandContext(ctx, curl, append([]string{"-sS", "-H", "Authorization: Bearer kpat_real"}, args...)...)
		cmd.Env = m.env
		for name, value := range variables {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, region := range []string{"us", "eu"} {
		body := `{"name":"of-` + region + `"}`
		if out, err := run("-f", "-H", "Content-Type: application/json", "-d", body, "https://"+region+".api.konghq.com/v3/portals"); err != nil {
			t.Fatalf("create: %v\n%s", err, out)
		}
	}
	out, err := run("-f", portalsAddress)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if names := portalNames(t, out); strings.Join(names, " ") != "of-us" {
		t.Errorf("%s has %v", portalsAddress, names)
	}
	if out, err := run("https://example.com/"); err == nil || !strings.Contains(out, "403") {
		t.Errorf("another host: %v\n%s", err, out)
	}
}

func portalNames(t *testing.T, text string) []string {
	t.Helper()
	var list struct{ Data []struct{ Name string } }
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var names []string
	for _, portal := range list.Data {
		names = append(names, portal.Name)
	}
	return names
}

// TestChromium is a browser that is reported of the proxy and of the authority's
// key, and of nothing else.
func TestChromium(t *testing.T) {
	chromium := tool(t, "chromium")
	m := newMachine(t)
	variables := m.intercepting(t)
	m.env = append(m.env, "KONGCTL_KONNECT_BASE_URL="+variables["HTTPS_PROXY"])
	m.run(t, "sync", "-f", example, "--auto-approve")

	b := m.browse(t, chromium,
		"--proxy-server="+variables["HTTPS_PROXY"],
		"--ignore-certificate-errors-spki-list="+keyHash(t, variables["SSL_CERT_FILE"]),
	)
	b.send("Network.enable", nil)
	b.send("Network.setExtraHTTPHeaders", map[string]any{"headers": map[string]string{"Authorization": "Bearer kpat_real"}})

	page := b.visit(portalsAddress)
	if page.Status != 200 || len(portalNames(t, page.Text)) == 0 {
		t.Errorf("%s: %d %s", portalsAddress, page.Status, page.Text)
	}
	if page.Issuer != "kongctl local authority" {
		t.Errorf("the certificate is from %q", page.Issuer)
	}
	if page := b.visit("https://example.com/"); !strings.Contains(page.Error, "ERR_TUNNEL_CONNECTION_FAILED") {
		t.Errorf("another host: %+v", page)
	}
}

// keyHash is how browsers name a public key.
func keyHash(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(bytes.TrimSpace(raw))
	if block == nil {
		t.Fatalf("%s is not in PEM form", file)
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(cert.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(sum[:])
}
