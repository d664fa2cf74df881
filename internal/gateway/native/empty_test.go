//go:build !nonative

package native_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// Whatever text of a core entity is empty, in itself or in a list: the embedded Konnect
// refuses it, or decK can still read the control plane.
func TestEmptyTextsAreRefusedOrRead(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	cert, key := selfSigned(t, "a.example.com")
	p := newPlane(t)
	entities := "/v2/control-planes/" + p.id + "/core-entities/"
	id := func(collection, body string) map[string]any {
		return map[string]any{"id": p.post(entities+collection, body)["id"]}
	}
	id("consumers", `{"username":"c"}`)
	id("services", `{"name":"s","host":"a.example.com"}`)
	id("upstreams", `{"name":"of-targets"}`)
	pair := map[string]any{"cert": cert, "key": key}
	raw, err := json.Marshal(pair)
	if err != nil {
		t.Fatal(err)
	}
	certificate := id("certificates", string(raw))
	tried, accepted := 0, 0
	for collection, body := range map[string]map[string]any{
		"services":                     {"host": "a.example.com"},
		"routes":                       {"paths": []any{"/"}},
		"consumers":                    {"username": "d"},
		"consumer_groups":              {"name": "g"},
		"plugins":                      {"name": "cors"},
		"upstreams":                    {"name": "u"},
		"upstreams/of-targets/targets": {"target": "h:1"},
		"certificates":                 pair,
		"ca_certificates":              {"cert": cert},
		"snis":                         {"name": "a.example.com", "certificate": certificate},
		"vaults":                       {"name": "env", "prefix": "my-env"},
		"key-sets":                     {"name": "s"},
		"keys":                         {"name": "k", "kid": "k", "jwk": `{"kty":"oct","k":"YQ","kid":"k"}`},
		"partials":                     {"name": "p", "type": "redis-ee", "config": map[string]any{}},
		"consumers/c/acls":             {"group": "g"},
		"consumers/c/basic-auth":       {"username": "u", "password": "p"},
		"consumers/c/hmac-auth":        {"username": "u"},
		"consumers/c/jwt":              {"key": "k"},
		"consumers/c/key-auth":         {"key": "k"},
		"consumers/c/mtls-auth":        {"subject_name": "n"},
		"consumers/c/oauth2":           {"name": "o", "client_id": "i"},
		"services/s/degraphql/routes":  {"uri": "/u", "query": "{ a }"},
	} {
		op, _, _ := cat.Contract.Match(http.MethodPost, entities+collection)
		if op == nil {
			t.Fatalf("POST %s is not of the contract", collection)
		}
		o := op.Body().Object(body)
		for _, name := range o.Names() {
			var blank any = ""
			switch f := o.Field(name); {
			case f.Schema.ReadOnly || len(f.Schema.Enum) > 0:
				continue
			case f.Schema.Type == "array" && f.Schema.Items.Deref().Type == "string":
				blank = []any{""}
			case f.Schema.Type != "string":
				continue
			}
			sent := maps.Clone(body)
			sent[name] = blank
			tried++
			made, ok := p.accepts(entities+collection, sent)
			if !ok {
				continue
			}
			accepted++
			if _, err := p.Diff(t.Context(), p.ask(gateway.Sync, "")); err != nil {
				t.Errorf("%s with an empty %s is accepted, and decK cannot read it: %v", collection, name, err)
			}
			p.remove(entities + collection + "/" + made)
		}
	}
	t.Logf("%d empty texts, %d accepted", tried, accepted)
	if tried < 60 || accepted < 5 {
		t.Error("too few were tried")
	}
}

// accepts creates an entity and returns its id, or false where that is refused as wrong.
func (p *plane) accepts(path string, body map[string]any) (string, bool) {
	p.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	status, answer := p.send(http.MethodPost, path, string(raw))
	if status == http.StatusBadRequest {
		return "", false
	}
	if status != http.StatusCreated {
		p.t.Fatalf("POST %s %s: %d %s", path, raw, status, answer)
	}
	var made struct{ ID string }
	if err := json.Unmarshal(answer, &made); err != nil {
		p.t.Fatal(err)
	}
	return made.ID, true
}

func (p *plane) remove(path string) {
	p.t.Helper()
	if status, answer := p.send(http.MethodDelete, path, ""); status != http.StatusNoContent {
		p.t.Fatalf("DELETE %s: %d %s", path, status, answer)
	}
}

func (p *plane) send(method, path, body string) (int, []byte) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, address+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := emulator.Transport(p.server).RoundTrip(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return res.StatusCode, raw
}
