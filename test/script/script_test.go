// Package script runs whole commands, as people type them, against an embedded
// Konnect behind real HTTP.
//
// In: the scripts of this folder, a Konnect each. Out: failures with everything
// that the commands printed. It must never reach below the command line but to
// look at plans and at what Konnect holds.
package script

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kongctl/kongctl/internal/cli"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

var update = flag.Bool("update", false, "write what commands print into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(crowded{m}, map[string]func(){
		"kongctl": func() { os.Exit(cli.Main()) }, //nolint:forbidigo // it stands for main
		"krm":     krm,
	})
}

// crowded runs more scripts at once than there are processors: each waits for its
// commands.
type crowded struct{ m *testing.M }

func (c crowded) Run() int {
	testkit.Crowd()
	return c.m.Run()
}

func TestScripts(t *testing.T) {
	p := params(t)
	p.Dir, p.UpdateScripts = ".", *update
	testscript.Run(t, p)
}

// params are what every script finds: an embedded Konnect, keys, certificates
// and our own commands.
func params(t *testing.T) testscript.Params {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	witnessed, err := watch(t, cat)
	if err != nil {
		t.Fatal(err)
	}
	return testscript.Params{
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			for _, x := range []string{"DATA", "STATE", "CONFIG", "CACHE"} {
				env.Setenv("XDG_"+x+"_HOME", filepath.Join(env.WorkDir, ".xdg", strings.ToLower(x)))
			}
			if err := certificates(filepath.Join(env.WorkDir, "certs")); err != nil {
				return err
			}
			if err := signingKeys(filepath.Join(env.WorkDir, "keys")); err != nil {
				return err
			}
			return serve(t, cat, witnessed, env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"changes": changes,
			"writes":  writes,
			"konnect": konnect,
			"exits":   exits,
			"id":      id,
			"web":     web,
			"forge":   forge,
			"foreign": foreign,
			"appears": appears,
			"shows":   shows,
			"alone":   alone,
		},
	}
}

// serve starts an embedded Konnect for one script.
func serve(t *testing.T, cat *catalog.Catalog, witnessed func(http.Handler) http.Handler, env *testscript.Env) error {
	srv, err := emulator.New(cat, emulator.Options{
		Clock:  time.Now,
		Strict: func(op, problem string) { t.Errorf("%s: %s", op, problem) },
	})
	if err != nil {
		return err
	}
	ts := httptest.NewServer(witnessed(srv))
	env.Defer(ts.Close)
	env.Setenv("KONNECT", ts.URL)
	env.Setenv("KONGCTL_KONNECT_BASE_URL", ts.URL)
	env.Setenv("KONGCTL_KONNECT_PAT", "kpat_script")
	return nil
}

// certificates writes two certificates that end at different times, with keys.
func certificates(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i, year := range []int{2040, 2045, 2045} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return err
		}
		cert := &x509.Certificate{
			SerialNumber: big.NewInt(int64(i + 1)), Subject: pkix.Name{CommonName: "developers.example.com"},
			NotBefore: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC),
		}
		der, err := x509.CreateCertificate(rand.Reader, cert, cert, &key.PublicKey, key)
		if err != nil {
			return err
		}
		keyDER, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			return err
		}
		for name, block := range map[string]*pem.Block{
			fmt.Sprintf("cert%d.pem", i+1): {Type: "CERTIFICATE", Bytes: der},
			fmt.Sprintf("key%d.pem", i+1):  {Type: "PRIVATE KEY", Bytes: keyDER},
		} {
			if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// changes prints a plan's changes, a line each: action, type, ref, the fields
// sent and what it waits for.
func changes(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: changes PLAN")
	}
	p, err := plan.Parse([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	var b strings.Builder
	for _, c := range p.Changes {
		fmt.Fprintf(&b, "%s %s %s", c.Action, c.ResourceType, c.ResourceRef)
		var fields []string
		for k := range c.Fields {
			fields = append(fields, k)
		}
		sort.Strings(fields)
		if len(fields) > 0 {
			fmt.Fprintf(&b, " sends %s", strings.Join(fields, ","))
		}
		for _, d := range c.DependsOn {
			before := p.Change(d)
			fmt.Fprintf(&b, " after %s %s", before.Action, before.ResourceType)
		}
		b.WriteByte('\n')
	}
	_, err = io.WriteString(ts.Stdout(), b.String())
	ts.Check(err)
}

// writes N fails unless N requests that are not GETs came since the last time.
func writes(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: writes N")
	}
	var log struct {
		Writes int `json:"writes"`
	}
	ts.Check(json.Unmarshal(request(ts, http.MethodGet, "/__local/requests", ""), &log))
	request(ts, http.MethodDelete, "/__local/requests", "")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if (log.Writes == want) == neg {
		ts.Fatalf("%d requests were writes", log.Writes)
	}
}

// konnect METHOD PATH [BODY] asks the embedded Konnect directly.
func konnect(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: konnect METHOD PATH [BODY]")
	}
	body := ""
	if len(args) == 3 {
		body = args[2]
	}
	_, err := ts.Stdout().Write(request(ts, args[0], args[1], body))
	ts.Check(err)
}

func request(ts *testscript.TestScript, method, path, body string) []byte {
	req, err := http.NewRequest(method, ts.Getenv("KONNECT")+path, strings.NewReader(body))
	ts.Check(err)
	req.Header.Set("Authorization", "Bearer kpat_script")
	req.Header.Set(emulator.LocalHeader, "1")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	ts.Check(err)
	if res.StatusCode >= 300 {
		ts.Fatalf("%s %s: %s: %s", method, path, res.Status, raw)
	}
	return raw
}

// web serves the files of the script at $WEB.
func web(ts *testscript.TestScript, _ bool, _ []string) {
	server := httptest.NewServer(http.FileServer(http.Dir(ts.Getenv("WORK"))))
	ts.Defer(server.Close)
	ts.Setenv("WEB", server.URL)
}

// exits STATUS COMMAND… runs a command that must end with the status.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARGS…]")
	}
	err := ts.Exec(args[1], args[2:]...)
	status := "0"
	if err != nil {
		status = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if status != args[0] {
		ts.Fatalf("status %s, not %s", status, args[0])
	}
	typeable(ts)
}
