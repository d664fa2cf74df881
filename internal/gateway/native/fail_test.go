//go:build !nonative

package native_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kong/go-database-reconciler/pkg/file"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/resource"
)

// failed is the error as a gateway.Error.
func failed(t *testing.T, err error) *gateway.Error {
	t.Helper()
	var e *gateway.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T)", err, err)
	}
	return e
}

func refuse(status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)),
	}
}

func TestWrongFiles(t *testing.T) {
	rows := map[string]struct{ text, want string }{
		"other version": {"_format_version: '1.1'\nservices: []", `_format_version must be "3.0" for Konnect, and is "1.1"`},
		"workspace":     {"_format_version: '3.0'\n_workspace: w", `_workspace is "w": Konnect has no workspaces`},
		"unknown field": {
			"_format_version: '3.0'\nconsumers: [{username: a, keyauth_credentials: [{key: canary-key, oops: 1}]}]",
			"consumers.0.keyauth_credentials.0: Additional property oops is not allowed",
		},
		"no YAML": {
			"_format_version: '3.0'\nservices: [",
			"line 2: did not find expected node content",
		},
		"empty":          {"", "it seems like you are trying to sync an empty configuration file or directory"},
		"not transform":  {"_format_version: '3.0'\n_transform: false", "_transform: false is not supported"},
		"unknown parent": {"_format_version: '3.0'\nplugins: [{name: cors, service: nowhere}]", "service nowhere for plugin cors is not there"},
		"roles":          {"_format_version: '3.0'\nrbac_roles: [{name: r}]", "rbac_roles cannot be part of a control plane in Konnect: remove them from the file"},
		"unknown plugin": {"_format_version: '3.0'\nplugins: [{name: no-such}]", `plugin "no-such" is not known to Konnect`},
		"what makes the library panic": {
			"_format_version: '3.0'\nvaults: [{name: env}]",
			"decK's library cannot work with this: runtime error: invalid memory address or nil pointer dereference",
		},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			p := newPlane(t)
			r := p.ask(gateway.Sync, "")
			r.Files[0].Content = []byte(row.text)
			changes, err := p.Diff(t.Context(), r)
			e := failed(t, err)
			if e.Op != "diff" || !strings.HasPrefix(e.Message, row.want) || len(changes) > 0 {
				t.Errorf("%s: %q\nwant %q, %v", e.Op, e.Message, row.want, changes)
			}
			if strings.Contains(err.Error(), "canary") {
				t.Errorf("a secret was told: %v", err)
			}
		})
	}
}

// A list of decK's format is carried out or refused: nothing that a file says is
// left out without a word.
func TestEveryListOfTheFormat(t *testing.T) {
	items := map[string]string{
		"services": "{name: s, host: h}", "routes": "{name: r, paths: [/r]}", "consumers": "{username: u}", "consumer_groups": "{name: g}",
		"plugins": "{name: cors}", "filter_chains": "{name: f, filters: [{name: x}], service: {name: s}}", "upstreams": "{name: u.internal}",
		"certificates": "{cert: c, key: k, id: 7a1d0f9e-0000-4000-8000-000000000001}", "ca_certificates": "{cert: c, id: 7a1d0f9e-0000-4000-8000-000000000002}",
		"rbac_roles": "{name: r}", "service_packages": "{name: p}", "licenses": "{payload: x}", "vaults": "{name: env, prefix: v, config: {prefix: V}}", "ai_models": "{name: m}",
		"custom_entities": "{type: degraphql_routes, fields: {uri: /x, query: q, service: {name: s}}}",
		"partials":        "{name: p, type: redis-ce, config: {host: h}}", "keys": "{name: k, kid: k, jwk: '{}'}", "key_sets": "{name: k}",
		"cloned_plugins": "{name: c, ref: {name: cors}}", "custom_plugins": "{name: c, schema: s, handler: h}",
	}
	content := reflect.TypeFor[file.Content]()
	for i := range content.NumField() {
		key, _, _ := strings.Cut(content.Field(i).Tag.Get("json"), ",")
		if strings.HasPrefix(key, "_") {
			continue
		}
		for _, item := range []string{items[key], "{}"} {
			t.Run(key+" "+item, func(t *testing.T) {
				if item == "" {
					t.Fatal("the test knows no item of it")
				}
				p := newPlane(t)
				r := p.ask(gateway.Sync, "")
				r.Files[0].Content = []byte("_format_version: '3.0'\n" + key + ": [" + item + "]")
				changes, err := p.Diff(t.Context(), r)
				if len(changes) == 0 && err == nil {
					t.Error("it is ignored")
				}
			})
		}
	}
}

// A write that fails is a failure with the entity and the service's words, and
// what was done before it is told. Secrets that the service quotes are not.
func TestRefusedWrite(t *testing.T) {
	p := newPlane(t)
	r := p.ask(gateway.Sync, `
services: [{name: shop, host: env-canary.internal}]
consumers:
- username: alice
  keyauth_credentials: [{key: file-canary}]
`)
	r.Secrets = []string{"env-canary"}
	p.recorder.intercept = func(req *http.Request) *http.Response {
		if req.Method == http.MethodPut && strings.Contains(req.URL.Path, "/key-auth/") {
			return refuse(400, `{"message":"key 'file-canary' at env-canary is too short"}`)
		}
		return nil
	}
	p.diff(r)
	changes, err := p.Run(t.Context(), r)
	e := failed(t, err)
	want := gateway.Error{
		Op: "sync", Files: []string{"kong.yaml"},
		Message: "create key-auth key for consumer alice: 400 key '[hidden]' at [hidden] is too short",
	}
	if e.Op != want.Op || e.Message != want.Message || !cmp.Equal(e.Files, want.Files) {
		t.Errorf("error %+v", *e)
	}
	var refused *client.APIError
	if !errors.As(err, &refused) || refused.Status != 400 {
		t.Errorf("cause %v", e.Err)
	}
	if d := cmp.Diff([]string{"CREATE service shop", "CREATE consumer alice"}, short(changes)); d != "" {
		t.Errorf("done before: %s", d)
	}
	for _, told := range []string{err.Error(), refused.Error(), p.log.String(), strings.Join(short(changes), "\n")} {
		if strings.Contains(told, "canary") {
			t.Errorf("a secret was told: %s", told)
		}
	}
	p.recorder.intercept = nil
	if d := cmp.Diff([]string{"CREATE key-auth key for consumer alice"}, short(p.diff(r))); d != "" {
		t.Error(d)
	}
}

// Texts that were named secret are hidden wherever they are.
func TestNamedSecrets(t *testing.T) {
	p := newPlane(t)
	r := p.ask(gateway.Sync, "services: [{name: shop-canary-one, host: canary-one.internal}]")
	r.Secrets = []string{"canary-one", "canary-two"}
	got := short(p.run(r))
	r.Files[0].Content = []byte(strings.Replace(string(r.Files[0].Content), "canary-one.internal", "canary-two.internal", 1))
	got = append(got, short(p.diff(r))...)
	want := []string{
		"CREATE service shop-[hidden]",
		`UPDATE service shop-[hidden] {"host":{"old":"[hidden].internal","new":"[hidden].internal"}}`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Short values of variables stand in ordinary words, too.
func TestShortSecretsStayInWords(t *testing.T) {
	p := newPlane(t)
	r := p.ask(gateway.Sync, "upstreams: [{name: up-a}]\nroutes: [{name: r-prod, paths: [/a]}]\nservices: [{name: a, host: a, connect_timeout: 80}]")
	r.Secrets = []string{"a", "80", "prod"}
	p.recorder.intercept = func(req *http.Request) *http.Response {
		if req.Method == http.MethodPut && strings.Contains(req.URL.Path, "/upstreams/") {
			return refuse(400, `{"message":"80 slots are too many for a pool in prod"}`)
		}
		return nil
	}
	if d := cmp.Diff([]string{"CREATE service a", "CREATE route r-prod", "CREATE upstream up-a"}, short(p.diff(r))); d != "" {
		t.Error(d)
	}
	_, err := p.Run(t.Context(), r)
	if e := failed(t, err); e.Message != "create upstream up-a: 400 80 slots are too many for a pool in prod" {
		t.Error(e.Message)
	}
}

func TestAuthErrors(t *testing.T) {
	rows := map[string]struct {
		status     int
		on, method string
		want       string
	}{
		"401 of a list":   {401, "/services", "GET", "read services: 401 no"},
		"403 of a list":   {403, "/services", "GET", "read services: 403 no"},
		"403 of a write":  {403, "/services/", "PUT", "create service shop: 403 no"},
		"403 of a schema": {403, "/v1/schemas/json/service", "GET", "read v1/schemas/json/service: 403 no"},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			p := newPlane(t)
			p.recorder.intercept = func(req *http.Request) *http.Response {
				_, path, _ := strings.Cut(req.URL.Path, "/core-entities")
				if req.Method == row.method && strings.HasPrefix(path, row.on) {
					return refuse(row.status, `{"message":"no"}`)
				}
				return nil
			}
			_, err := p.Run(t.Context(), p.ask(gateway.Sync, "services: [{name: shop, host: h}]"))
			if e := failed(t, err); !client.IsAuth(err) || e.Message != row.want {
				t.Errorf("auth %v, message %q, want %q", client.IsAuth(err), e.Message, row.want)
			}
		})
	}
}

// Of several lists that are refused the one that matters is named.
func TestTheFatalRefusalIsTold(t *testing.T) {
	for range 5 {
		p := newPlane(t)
		p.recorder.intercept = func(req *http.Request) *http.Response {
			for _, list := range []string{"services", "ai-models", "keys", "vaults", "degraphql_routes"} {
				if strings.HasSuffix(req.URL.Path, "/"+list) {
					return refuse(404, `{"message":"no `+list+`"}`)
				}
			}
			return nil
		}
		_, err := p.Diff(t.Context(), p.ask(gateway.Sync, "services: [{name: shop, host: h}]"))
		if e := failed(t, err); e.Message != "read services: 404 no services" {
			t.Fatal(e.Message)
		}
	}
}

// A service that is down is asked as often as our client asks, and not again by
// the library.
func TestDownForGood(t *testing.T) {
	p := newPlane(t)
	attempts := 0
	p.recorder.intercept = func(req *http.Request) *http.Response {
		if req.Method != http.MethodPut {
			return nil
		}
		attempts++
		return refuse(500, `{"message":"down"}`)
	}
	_, err := p.Run(t.Context(), p.ask(gateway.Sync, "services: [{name: shop, host: h}]"))
	if e := failed(t, err); attempts != 6 || e.Message != "create service shop: 500 down (6 attempts)" {
		t.Errorf("%d attempts, message %q", attempts, e.Message)
	}
}

// Refusals, failures and cut connections that pass are survived.
func TestFaults(t *testing.T) {
	for _, fault := range []string{"429:0.2", "503:0.2", "500:0.2", "cut-before:0.2", "cut-after:0.2"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			p := newPlane(t)
			s := stories["plugins of everything"]
			if err := p.server.SetFaults(emulator.Faults{Fault: fault, Seed: 7}); err != nil {
				t.Fatal(err)
			}
			p.Reconciler = newPlaneOn(t, p)
			r := p.ask(gateway.Sync, s.text)
			if d := cmp.Diff(s.creates, short(p.run(r))); d != "" {
				t.Error(d)
			}
			if left := p.diff(r); len(left) > 0 {
				t.Errorf("not settled: %v", short(left))
			}
			less := p.ask(gateway.Sync, s.less)
			p.run(less)
			if left := p.diff(less); len(left) > 0 {
				t.Errorf("not settled: %v", short(left))
			}
		})
	}
}

// Who gives up is obeyed: nothing new starts, and what was done is told.
func TestCancel(t *testing.T) {
	p := newPlane(t)
	ctx, cancel := context.WithCancel(t.Context())
	p.recorder.intercept = func(req *http.Request) *http.Response {
		if strings.Contains(req.URL.Path, "/routes/") {
			cancel()
		}
		return nil
	}
	r := p.ask(gateway.Sync, "services: [{name: shop, host: h, routes: [{name: list, paths: [/], plugins: [{name: cors}]}]}]")
	changes, err := p.Run(ctx, r)
	if e := failed(t, err); !errors.Is(err, context.Canceled) || e.Op != "sync" || e.Message != "it was stopped" {
		t.Errorf("error %v", err)
	}
	if d := cmp.Diff([]string{"CREATE service shop"}, short(changes)[:1]); d != "" {
		t.Error(d)
	}
	for _, line := range p.recorder.seen() {
		if strings.HasPrefix(line, "PUT /plugins/") {
			t.Errorf("work went on: %s", line)
		}
	}
	if _, err := p.Diff(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// An interrupt stops what has written nothing yet. What has written something is
// finished.
func TestInterrupt(t *testing.T) {
	const text = "services: [{name: shop, host: h, routes: [{name: list, paths: [/], plugins: [{name: cors}]}]}]"
	for name, row := range map[string]struct {
		at   func(*http.Request) bool
		done int
	}{
		"while it reads":  {func(r *http.Request) bool { return r.Method == http.MethodGet }, 0},
		"while it writes": {func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/routes/") }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlane(t)
			stop, interrupt := context.WithCancel(t.Context())
			ctx, sending := resource.WithSending(resource.WithStop(t.Context(), stop))
			p.recorder.intercept = func(r *http.Request) *http.Response {
				if row.at(r) {
					interrupt()
				}
				return nil
			}
			changes, err := p.Run(ctx, p.ask(gateway.Sync, text))
			if len(changes) != row.done {
				t.Errorf("it did %v", short(changes))
			}
			if row.done > 0 {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if e := failed(t, err); !errors.Is(err, context.Canceled) || !resource.Unsent(err) || !sending.Untouched() || e.Message != "it was stopped" {
				t.Errorf("error %v", err)
			}
		})
	}
}

// The file is at fault by what it says, and not by what the service answers.
func TestWhoIsAtFault(t *testing.T) {
	const fine = "services: [{name: shop, host: h}]\nplugins: [{name: cors}]"
	rows := map[string]struct {
		text      string
		mode      gateway.Mode
		intercept func(*http.Request) *http.Response
		file      bool
	}{
		"unknown field":      {text: "services: [{name: shop, hosts: h}]", mode: gateway.Sync, file: true},
		"no such service":    {text: "plugins: [{name: cors, service: nope}]", mode: gateway.Sync, file: true},
		"there twice":        {text: "services: [{name: a, host: h}, {name: a, host: i}]", mode: gateway.Sync, file: true},
		"no tags for delete": {text: fine, mode: gateway.Delete},
		"unknown plugin":     {text: "plugins: [{name: no-one-knows}]", mode: gateway.Sync},
		"a refused list": {text: fine, mode: gateway.Sync, intercept: func(r *http.Request) *http.Response {
			if strings.HasSuffix(r.URL.Path, "/services") {
				return refuse(403, `{"message":"no"}`)
			}
			return nil
		}},
		"a refused schema": {text: fine, mode: gateway.Sync, intercept: func(r *http.Request) *http.Response {
			if strings.Contains(r.URL.Path, "/schemas/") {
				return refuse(403, `{"message":"no"}`)
			}
			return nil
		}},
		"a refused write": {text: fine, mode: gateway.Sync, intercept: func(r *http.Request) *http.Response {
			if r.Method == http.MethodPut {
				return refuse(400, `{"message":"no"}`)
			}
			return nil
		}},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			p := newPlane(t)
			p.recorder.intercept = row.intercept
			_, err := p.Run(t.Context(), p.ask(row.mode, row.text))
			if e := failed(t, err); e.File != row.file {
				t.Errorf("the file is at fault: %v: %v", e.File, err)
			}
		})
	}
}
