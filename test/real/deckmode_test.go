//go:build real

package real

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kongctl/kongctl/internal/gateway"
	deckcli "github.com/kongctl/kongctl/internal/gateway/deck"
	"github.com/kongctl/kongctl/internal/gateway/native"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/intercept"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

const deckAddress = "https://us.api.konghq.com"

// deckBinary is what `make test-real` built.
func deckBinary(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", ".cache", "deck", "deck"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v; make test-real builds it", err)
	}
	return path
}

// ways are both ways to do decK's part, against one embedded Konnect.
type ways struct {
	t      *testing.T
	url    string
	binary string
	env    []string // leads the binary here
	by     map[string]gateway.Reconciler
	planes map[string]gateway.ControlPlane
	// created is the plan of the first step, when it was a sync of everything.
	created []plan.Part
	// values are those of the variables in templates.
	values map[string]string
}

func newWays(t *testing.T, faults emulator.Faults) *ways {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	server, err := emulator.New(cat, emulator.Options{Faults: faults})
	if err != nil {
		t.Fatal(err)
	}
	authority, err := intercept.OpenAuthority(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- intercept.Serve(ctx, ln, server, authority) }()
	t.Cleanup(func() { stop(); <-ended })
	w := &ways{t: t, url: "http://" + ln.Addr().String(), binary: deckBinary(t), planes: map[string]gateway.ControlPlane{}}
	cert, key := selfSigned(t)
	ca, _ := selfSigned(t)
	w.values = map[string]string{"DECK_HOST": "hunter2.example", "DECK_CERT": cert, "DECK_KEY": key, "DECK_CA": ca}
	w.env = []string{"HTTPS_PROXY=" + w.url, "SSL_CERT_FILE=" + authority.File()}
	conn, err := client.New(client.Config{BaseURL: w.url, Token: "kpat_real"})
	if err != nil {
		t.Fatal(err)
	}
	w.by = map[string]gateway.Reconciler{
		"native": native.New(conn),
		"cli":    deckcli.New(deckcli.Options{Path: w.binary, Address: deckAddress, Token: func(context.Context) string { return "kpat_real" }, Extra: w.env, Check: native.Check}),
	}
	for way := range w.by {
		w.planes[way] = gateway.ControlPlane{ID: w.make("/v2/control-planes", `{"name":"`+way+`"}`), Name: way}
	}
	return w
}

func (w *ways) make(path, body string) (id string) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer kpat_real")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	var made struct{ ID string }
	if err != nil || json.Unmarshal(raw, &made) != nil || made.ID == "" {
		w.t.Fatalf("POST %s: %s %s (%v)", path, resp.Status, raw, err)
	}
	return made.ID
}

// dump is what the real binary reads back.
func (w *ways) dump(way string) string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.binary, "gateway", "dump", "--konnect-control-plane-name", way, "--konnect-addr", deckAddress, "--analytics=false", "-o", "-")
	cmd.Env = append([]string{"HOME=" + w.t.TempDir(), "DECK_KONNECT_TOKEN=kpat_real"}, w.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		w.t.Fatalf("deck gateway dump: %v\n%s", err, stderr.String())
	}
	root, err := gateway.Parse(gateway.File{Name: "dump", Content: stdout.Bytes()})
	if err != nil {
		w.t.Fatal(err)
	}
	delete(root, "_konnect") // the name of the control plane
	out, err := json.MarshalIndent(settled(root), "", "  ")
	if err != nil {
		w.t.Fatal(err)
	}
	return string(out)
}

// settled is a dump without what differs from run to run: ids, hashes that are
// made of ids, and the order of entities.
func settled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "id")
		if _, login := v["username"]; login {
			delete(v, "password")
		}
		for k, x := range v {
			v[k] = settled(x)
		}
	case []any:
		for i, x := range v {
			v[i] = settled(x)
		}
		slices.SortFunc(v, func(a, b any) int { return bytes.Compare(value.Canonical(a), value.Canonical(b)) })
	}
	return v
}

// outcome is what both ways must agree on, each on a control plane of its own.
type outcome struct {
	Plan, Done, Left []plan.Part
	Failed           bool
	Dump             string
}

func (w *ways) step(way string, q gateway.Request) outcome {
	w.t.Helper()
	q.ControlPlane = w.planes[way]
	r := w.by[way]
	var o outcome
	var err error
	plan, err := r.Diff(w.t.Context(), q)
	if err != nil {
		w.t.Errorf("%s: %v", way, err)
		o.Failed = true
		return o
	}
	w.printed(way, q, plan)
	// Fingerprints hold ids of the control plane.
	o.Plan = gateway.Done(plan)
	if o.Done, err = r.Run(w.t.Context(), q); err != nil {
		w.t.Errorf("%s: %v", way, err)
		o.Failed = true
	}
	if o.Left, err = r.Diff(w.t.Context(), q); err != nil {
		w.t.Errorf("%s: %v", way, err)
		o.Failed = true
	}
	o.Dump = w.dump(way)
	return o
}

// TestBothWaysAgree brings each file of testdata/deck about in process and with
// the real binary: same plan, same result, nothing left, and the binary reads
// the same back. The files of an archive are steps on one control plane: the
// name begins with what is done (apply, sync, delete).
func TestBothWaysAgree(t *testing.T) {
	rows, err := filepath.Glob("testdata/deck/*.txtar")
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows (%v)", len(rows), err)
	}
	for _, path := range rows {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			w := newWays(t, emulator.Faults{})
			for _, f := range a.Files {
				w.agree(f)
			}
		})
	}
}

// printed compares plans of one control plane: there the fingerprints are the
// same, too.
func (w *ways) printed(way string, q gateway.Request, plan []plan.Part) {
	w.t.Helper()
	if way != "native" {
		return
	}
	other, err := w.by["cli"].Diff(w.t.Context(), q)
	if err != nil {
		w.t.Errorf("cli on native's: %v", err)
	}
	if diff := cmp.Diff(plan, other); diff != "" {
		w.t.Errorf("plans of one control plane (-native +cli):\n%s", diff)
	}
}

func (w *ways) agree(f txtar.File) {
	w.t.Helper()
	mode, _, _ := strings.Cut(f.Name, "-")
	d, diags := gateway.Read(f.Name, f.Data, func(name string) (string, bool) { v, ok := w.values[name]; return v, ok })
	if len(diags) > 0 {
		w.t.Fatal(diags.Err())
	}
	q := gateway.Request{
		Mode: gateway.Mode(mode), Files: []gateway.File{d.File()}, Secrets: d.Secrets,
		Flags: gateway.Flags{SelectTags: d.SelectTags, SkipConsumers: strings.Contains(f.Name, "skip-consumers")},
	}
	inProcess, binary := w.step("native", q), w.step("cli", q)
	if diff := cmp.Diff(inProcess, binary); diff != "" {
		w.t.Errorf("%s (-native +cli):\n%s", f.Name, diff)
	}
	if len(inProcess.Plan) == 0 {
		w.t.Errorf("%s changes nothing, so it shows nothing", f.Name)
	}
	if len(inProcess.Left)+len(binary.Left) > 0 {
		w.t.Errorf("%s: a second run would change %v and %v", f.Name, inProcess.Left, binary.Left)
	}
	for _, o := range []outcome{inProcess, binary} {
		if shown, err := json.Marshal([]any{o.Plan, o.Done}); err != nil || bytes.Contains(shown, []byte("hunter2")) {
			w.t.Errorf("%s: a secret is shown: %s (%v)", f.Name, shown, err)
		}
	}
	if q.Mode == gateway.Sync && len(q.Flags.SelectTags) == 0 && len(w.created) == 0 {
		w.created = inProcess.Plan
		entities, err := q.Entities()
		if err != nil {
			w.t.Fatal(err)
		}
		if diff := cmp.Diff(entities, inProcess.Plan); diff != "" {
			w.t.Errorf("%s: what the file holds is not what is made of it (-file +plan):\n%s", f.Name, diff)
		}
	}
}

// TestAFailedWriteIsAFailure lets the gateway refuse every route: the binary's
// own exit status says that all is well.
func TestAFailedWriteIsAFailure(t *testing.T) {
	w := newWays(t, emulator.Faults{Fault: "403:1", On: []string{"PUT /v2/control-planes/{controlPlaneId}/core-entities/routes/{RouteId}"}})
	file := gateway.File{Name: "kong.yaml", Content: []byte(`{"_format_version":"3.0","services":[{"name":"users","host":"u","routes":[{"name":"list","paths":["/"]}]}]}`)}
	want := []plan.Part{{Kind: "service", Name: "users", Action: plan.Create}}
	for way, r := range w.by {
		for _, mode := range []gateway.Mode{gateway.Sync, gateway.Apply} {
			done, err := r.Run(t.Context(), gateway.Request{ControlPlane: w.planes[way], Mode: mode, Files: []gateway.File{file}})
			var failed *gateway.Error
			if !errors.As(err, &failed) || failed.Op != string(mode) || !strings.Contains(failed.Message, "route list") || !strings.Contains(failed.Message, "403") {
				t.Errorf("%s %s: %v", way, mode, err)
			}
			if !client.IsAuth(err) {
				t.Errorf("%s %s: nobody can tell that it is not allowed: %v", way, mode, err)
			}
			if diff := cmp.Diff(want, done); diff != "" {
				t.Errorf("%s %s: %s", way, mode, diff)
			}
			want = nil
		}
		want = []plan.Part{{Kind: "service", Name: "users", Action: plan.Create}}
	}
}

// TestBothTellWhoIsAtFault has files that are wrong by themselves, and one that
// the service does not want.
func TestBothTellWhoIsAtFault(t *testing.T) {
	w := newWays(t, emulator.Faults{Fault: "403:1", On: []string{"PUT /v2/control-planes/{controlPlaneId}/core-entities/routes/{RouteId}"}})
	rows := map[string]bool{
		`"servicez":[]`: true,
		`"services":[{"name":"a","retries":"many"}]`:                    true,
		`"services":[{"name":"a","host":"h"},{"name":"a","host":"i"}]`:  true,
		`"plugins":[{"name":"cors","service":"nope"}]`:                  true,
		`"routes":[{"name":"list","paths":["/"],"protocols":["http"]}]`: false,
	}
	for text, file := range rows {
		for way, r := range w.by {
			q := gateway.Request{ControlPlane: w.planes[way], Mode: gateway.Sync, Files: []gateway.File{{Name: "kong.yaml", Content: []byte(`{"_format_version":"3.0",` + text + `}`)}}}
			_, err := r.Run(t.Context(), q)
			var failed *gateway.Error
			if !errors.As(err, &failed) || failed.File != file {
				t.Errorf("%s of %s: %+v", way, text, failed)
			}
		}
	}
}

// TestAKeyIsNotTold lets the gateway refuse a key, of which decK tells the end.
func TestAKeyIsNotTold(t *testing.T) {
	w := newWays(t, emulator.Faults{Fault: "403:1", On: []string{"PUT /v2/control-planes/{controlPlaneId}/core-entities/consumers/{ConsumerIdForNestedEntities}/key-auth/{KeyAuthId}"}})
	file := gateway.File{Name: "kong.yaml", Content: []byte(`{"_format_version":"3.0","consumers":[{"username":"alice","keyauth_credentials":[{"key":"CANKEY"}]}]}`)}
	for way, r := range w.by {
		for _, mode := range []gateway.Mode{gateway.Sync, gateway.Apply} {
			_, err := r.Run(t.Context(), gateway.Request{ControlPlane: w.planes[way], Mode: mode, Files: []gateway.File{file}})
			if err == nil || strings.Contains(err.Error(), "ANKEY") || !strings.Contains(err.Error(), "key-auth key for consumer alice") {
				t.Errorf("%s %s: %v", way, mode, err)
			}
		}
	}
}

// TestAControlPlaneThatWasJustMade has reads that are behind writes: neither way
// sees the control plane at once, nor what it wrote.
func TestAControlPlaneThatWasJustMade(t *testing.T) {
	w := newWays(t, emulator.Faults{Lag: "700ms"})
	file := gateway.File{Name: "kong.yaml", Content: []byte(`{"_format_version":"3.0","services":[{"name":"users","host":"u","routes":[{"name":"list","paths":["/"]}]}]}`)}
	want := []plan.Part{{Kind: "service", Name: "users", Action: plan.Create}, {Kind: "route", Name: "list", Action: plan.Create}}
	for way, r := range w.by {
		plane := gateway.ControlPlane{ID: w.make("/v2/control-planes", `{"name":"new-`+way+`"}`), Name: "new-" + way}
		done, err := r.Run(t.Context(), gateway.Request{ControlPlane: plane, Mode: gateway.Sync, Files: []gateway.File{file}})
		if err != nil {
			t.Errorf("%s: %v", way, err)
		}
		if diff := cmp.Diff(want, done); diff != "" {
			t.Errorf("%s: %s", way, diff)
		}
	}
}

// TestFilesAreCheckedAlike has files that are wrong by themselves, for a control
// plane to come and for one that exists: both ways refuse them, in the same words,
// and whoever asks is told that the file is at fault.
func TestFilesAreCheckedAlike(t *testing.T) {
	w := newWays(t, emulator.Faults{})
	rows := map[string]string{
		`"services":[{"name":"users","retries":"many"}]`: "deck diff failed for kong.yaml: services.0.retries: Invalid type. Expected: integer, given: string",

		`"servicez":[]`:                     "deck diff failed for kong.yaml: Additional property servicez is not allowed",
		`"rbac_roles":[{"name":"admin"}]`:   "deck diff failed for kong.yaml: rbac_roles cannot be part of a control plane in Konnect: remove them from the file",
		`"service_packages":[{"name":"p"}]`: "deck diff failed for kong.yaml: service_packages cannot be part of a control plane in Konnect: remove them from the file",

		`"_transform":false,"services":[{"name":"users","host":"users"}]`: "deck diff failed for kong.yaml: _transform: false is not supported: remove it from the file",
	}
	for text, want := range rows {
		file := gateway.File{Name: "kong.yaml", Content: []byte(`{"_format_version":"3.0",` + text + `}`)}
		for way, r := range w.by {
			for _, plane := range []gateway.ControlPlane{{Name: "new"}, w.planes[way]} {
				_, err := r.Diff(t.Context(), gateway.Request{ControlPlane: plane, Mode: gateway.Sync, Files: []gateway.File{file}})
				var failed *gateway.Error
				if !errors.As(err, &failed) || !failed.File || err.Error() != want {
					t.Errorf("%s of %s on %q: %v, want %s", way, text, plane.Name, err, want)
				}
			}
		}
	}
}

// TestWhatGatewaysRefuse holds what a plan refuses against what the gateway says
// when the real binary asks it to validate the same file, and the other way round.
func TestWhatGatewaysRefuse(t *testing.T) {
	w := newWays(t, emulator.Faults{})
	takes, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		text    string
		refused bool
	}{
		{`"services":[{"name":"a","host":"h","routes":[{"name":"r","paths":["/x"]}]}]`, false},
		{`"services":[{"name":"a","host":"h","routes":[{"name":"r","paths":["x"]}]}]`, true},
		{`"services":[{"name":"a","host":"h","routes":[{"name":"r"}]}]`, true},
		{`"services":[{"name":"a","host":"h","routes":[{"name":"r","paths":["/x"],"protocols":["http","tcp"]}]}]`, true},
		{`"services":[{"name":"a","host":"h","path":"x"}]`, true},
		{`"services":[{"name":"a","host":"h","protocol":"ftp"}]`, true},
		{`"services":[{"name":"a b","host":"h"}]`, true},
		{`"plugins":[{"name":"rate-limiting","config":{"minute":5}}]`, false},
		{`"plugins":[{"name":"rate-limiting","config":{"minuet":5}}]`, true},
		{`"plugins":[{"name":"rate-limiting","config":{"minute":"5"}}]`, true},
		{`"plugins":[{"name":"rate-limiting","config":{"minute":5,"policy":"global"}}]`, true},
		{`"plugins":[{"name":"rate-limiting","config":{"minute":5,"redis":{"port":70000}}}]`, true},
		{`"plugins":[{"name":"rate-limiting","config":{"minute":"{vault://env/minute}"}}]`, false},
		{`"plugins":[{"name":"openid-connect"}]`, true},
		{`"plugins":[{"name":"openid-connect","config":{"issuer":"https://idp.example"}}]`, false},
		{`"plugins":[{"name":"acl","config":{"allow":["a"],"deny":["b"]}}]`, true},
		{`"plugins":[{"name":"nonesuch"}]`, true},
		{`"upstreams":[{"name":"10.0.0.1"}]`, true},
		{`"upstreams":[{"name":"up","targets":[{"target":"h:80"}]}]`, false},
		{`"consumers":[{"username":"alice","tags":["a,b"]}]`, true},
		{`"consumers":[{"username":"alice","jwt_secrets":[{"key":"k","algorithm":"FOO","secret":"s"}]}]`, true},
		{`"consumers":[{"username":"alice","jwt_secrets":[{"key":"k","algorithm":"HS512","secret":"s"}]}]`, false},
		{`"upstreams":[{"name":"up","healthchecks":{"active":{"healthy":{"interval":-1}}}}]`, true},
		{`"services":[{"name":"a","url":"tcp://h:1","path":"/x"}]`, true},
		{`"services":[{"name":"a","url":"http://h","tls_verify":true}]`, true},
		{`"services":[{"name":"a","url":"https://h","tls_verify":true}]`, false},
		{`"services":[{"name":"a","url":"http://h","id":"notauuid"}]`, true},
		{`"vaults":[{"name":"env","prefix":"A B","config":{"prefix":"X_"}}]`, true},
		{`"vaults":[{"name":"hcv","prefix":"hcv","config":{"host":"h"}}]`, true},
		{`"vaults":[{"name":"env","prefix":"my-env","config":{"prefix":"X_"}}]`, false},
	}
	for _, row := range rows {
		content := `{"_format_version":"3.0",` + row.text + `}`
		q := gateway.Request{ControlPlane: w.planes["native"], Mode: gateway.Sync, Files: []gateway.File{{Name: "kong.yaml", Content: []byte(content)}}}
		served := func(ctx context.Context, of gateway.SchemasOf, name string) (map[string]any, error) {
			return w.by["native"].(gateway.SchemaSource).Schema(ctx, q.ControlPlane.ID, of, name)
		}
		diags, err := gateway.Validate(t.Context(), q, gateway.Facts{Contract: takes, Served: served})
		if err != nil || diags.HasErrors() != row.refused {
			t.Errorf("%s: refused %t, want %t (%v)", row.text, diags.HasErrors(), row.refused, err)
		}
		if said := w.validate(content); (said != "") != row.refused {
			t.Errorf("%s: deck gateway validate says %q", row.text, said)
		}
	}
}

// validate is what the real binary says of a file; "" for nothing.
func (w *ways) validate(content string) string {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.binary, "gateway", "validate", "--konnect-control-plane-name", "cli", "--konnect-addr", deckAddress, "--analytics=false", "-")
	cmd.Env = append([]string{"HOME=" + w.t.TempDir(), "DECK_KONNECT_TOKEN=kpat_real"}, w.env...)
	cmd.Stdin = strings.NewReader(content)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	return string(out) + err.Error()
}

// selfSigned makes a certificate and its key.
func selfSigned(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(now.UnixNano()), NotBefore: now, NotAfter: now.AddDate(1, 0, 0), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}
