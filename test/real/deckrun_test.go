//go:build real

package real

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// deckPatience bounds a run of decK: it reads one thing after the other.
const deckPatience = 3 * time.Minute

// realDeck is the real decK, led to an embedded Konnect.
type realDeck struct {
	bin, dir  string
	env       []string
	address   string
	variables map[string]string
}

func newDeck(t *testing.T) *realDeck {
	t.Helper()
	bin, err := filepath.Abs(filepath.Join("..", "..", ".cache", "deck", "deck"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(bin); err != nil {
		t.Fatalf("%v; build it: make deck", err)
	}
	m := newMachine(t)
	d := &realDeck{bin: bin, dir: t.TempDir(), variables: m.intercepting(t)}
	d.address = d.variables["HTTPS_PROXY"]
	d.env = append(m.env, "DECK_ANALYTICS=off", "DECK_KONNECT_TOKEN=kpat_real", "DECK_KONNECT_ADDR=https://us.api.konghq.com")
	for name, value := range d.variables {
		d.env = append(d.env, name+"="+value)
	}
	return d
}

// try runs decK and returns all that it printed, and its exit status.
func (d *realDeck) try(t *testing.T, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deckPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, d.bin, append([]string{"--no-color"}, args...)...)
	cmd.Dir, cmd.Env = d.dir, d.env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return string(out), exit.ExitCode()
	case err != nil:
		t.Fatalf("deck %s: %v", strings.Join(args, " "), err)
	}
	return string(out), 0
}

func (d *realDeck) run(t *testing.T, args ...string) string {
	t.Helper()
	out, code := d.try(t, args...)
	if code != 0 {
		t.Fatalf("deck %s: exit status %d\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

// send makes a request to the embedded Konnect itself.
func (d *realDeck) send(t *testing.T, method, path, body string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, d.address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer kpat_real")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Kongctl-Local", "1")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%s %s: %d %v %s", method, path, resp.StatusCode, err, raw)
	}
	return raw
}

// plane is a control plane that decK works on.
type plane struct {
	*realDeck
	name string
}

func (d *realDeck) plane(t *testing.T, name string) plane {
	t.Helper()
	d.send(t, http.MethodPost, "/v2/control-planes", fmt.Sprintf(`{"name":%q}`, name))
	return plane{d, name}
}

// gateway runs a command of decK on the control plane.
func (p plane) gateway(t *testing.T, verb string, args ...string) string {
	t.Helper()
	return p.run(t, append([]string{"gateway", verb, "--konnect-control-plane-name", p.name}, args...)...)
}

// dump is what decK reads, without the name of the control plane.
func (p plane) dump(t *testing.T, args ...string) map[string]any {
	t.Helper()
	file := filepath.Join(t.TempDir(), "dump.yaml")
	p.gateway(t, "dump", append([]string{"--yes", "-o", file}, args...)...)
	out := readYAML(t, file)
	delete(out, "_konnect")
	return out
}

func (p plane) write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func readYAML(t *testing.T, file string) map[string]any {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := yaml.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return out
}

// changed is what a summary of decK counts.
type changed struct{ Created, Updated, Deleted int }

func counted(t *testing.T, out string) changed {
	t.Helper()
	var c changed
	for name, to := range map[string]*int{"Created": &c.Created, "Updated": &c.Updated, "Deleted": &c.Deleted} {
		found := regexp.MustCompile(name + `:\s+(\d+)`).FindStringSubmatch(out)
		if found == nil {
			t.Fatalf("no summary in\n%s", out)
		}
		*to, _ = strconv.Atoi(found[1]) // digits by the pattern
	}
	return c
}

// expect runs a command that writes, or would, and compares its summary.
func (p plane) expect(t *testing.T, want changed, verb string, args ...string) {
	t.Helper()
	out := p.gateway(t, verb, args...)
	if got := counted(t, out); got != want {
		t.Errorf("deck gateway %s: %+v, want %+v\n%s", verb, got, want, out)
	}
}

// within tells where a dump lacks something of a file. Lists of mappings are
// compared by name.
func within(path string, file, dump any) []string {
	switch want := file.(type) {
	case map[string]any:
		got, _ := dump.(map[string]any)
		var out []string
		for k, v := range want {
			if k != "url" && k != "password" { // short for others; hashed
				out = append(out, within(path+"."+k, v, got[k])...)
			}
		}
		return out
	case []any:
		got, _ := dump.([]any)
		if len(got) != len(want) {
			return []string{fmt.Sprintf("%s: %d of %d", path, len(got), len(want))}
		}
		var out []string
		for i, v := range want {
			out = append(out, within(fmt.Sprintf("%s[%d]", path, i), v, twin(v, i, got))...)
		}
		return out
	default:
		if !cmp.Equal(file, dump) {
			return []string{fmt.Sprintf("%s: %v, the file has %v", path, dump, file)}
		}
		return nil
	}
}

func twin(v any, i int, list []any) any {
	item, ok := v.(map[string]any)
	if !ok {
		return list[i]
	}
	for _, key := range []string{"name", "username", "key", "group", "target", "id", "kid", "prefix"} {
		for _, e := range list {
			if other, _ := e.(map[string]any); item[key] != nil && other[key] == item[key] {
				return e
			}
		}
	}
	return list[i]
}

// withoutIDs copies a dump without what differs from one control plane to the
// next: ids, hashes that are made with them, and the order of entities.
func withoutIDs(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			if k != "id" && k != "password" {
				out[k] = withoutIDs(e)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = withoutIDs(e)
		}
		if len(out) > 0 {
			if _, entities := out[0].(map[string]any); entities {
				slices.SortFunc(out, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
		}
		return out
	default:
		return v
	}
}

// tagged copies a file and gives every entity that can have tags another one.
func tagged(v any, below string) any {
	untagged := map[string]bool{"client_jwk": true, "custom_entities": true, "groups": true, "mtls_auth_credentials": true}
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			out[k] = tagged(e, k)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = tagged(e, "")
			if entity, ok := out[i].(map[string]any); ok && !untagged[below] && entity["path"] == nil {
				tags, _ := entity["tags"].([]any)
				entity["tags"] = append([]any{"changed"}, tags...)
			}
		}
		return out
	default:
		return v
	}
}

// secrets makes what files name as ${CERT}, ${KEY} and ${PUBLIC}.
func secrets(t *testing.T) *strings.Replacer {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a.example"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	text := func(kind string, der []byte) string {
		return strconv.Quote(strings.TrimSpace(string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))))
	}
	return strings.NewReplacer("${CERT}", text("CERTIFICATE", cert), "${KEY}", text("PRIVATE KEY", key), "${PUBLIC}", text("PUBLIC KEY", public))
}
