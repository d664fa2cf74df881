//go:build !nonative

package native_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/native"
)

// What is wrong with a file is reported before the control plane is made.
func TestFilesForAControlPlaneToCome(t *testing.T) {
	rows := map[string]struct{ text, want string }{
		"unknown kind":       {"servicez: [{name: a}]", "Additional property servicez is not allowed"},
		"unknown field":      {"services: [{name: a, hosts: b}]", "services.0: Additional property hosts is not allowed"},
		"wrong kind":         {"services: [{name: a, retries: many}]", "services.0.retries: Invalid type. Expected: integer, given: string"},
		"there twice":        {"services: [{name: a, host: h}, {name: a, host: i}]", "service a, and there is another one like it"},
		"no such service":    {"routes: [{name: r, service: {name: nope}}]", `service "nope", which something refers to, is not there`},
		"no such consumer":   {"plugins: [{name: cors, consumer: nope}]", "consumer nope for plugin cors is not there"},
		"no such key set":    {"keys: [{name: k, kid: k, set: {name: nope}}]", `key "k" refers to the key set "nope", which is not there`},
		"no such set, by id": {"keys: [{id: 7a1d0f9e-0000-4000-8000-000000000001, set: {name: nope}}]", `key "7a1d0f9e-0000-4000-8000-000000000001" refers to the key set "nope"`},
		"no such group":      {"consumers: [{username: u, id: 7a1d0f9e-0000-4000-8000-000000000001, groups: [{name: nope}]}]", "consumer-group 'nope' not found for consumer"},
		"no such _plugin":    {"plugins: [{name: cors, _config: nope}]", `_plugin_config "nope" not found`},
		"a secret is hidden": {"consumers: [{username: u, keyauth_credentials: [{key: canary-key, x: 1}, {key: 7}]}]", "consumers.0.keyauth_credentials.0: Additional property x is not allowed; consumers.0.keyauth_credentials.1.key: Invalid type. Expected: string, given: integer"},
		"nothing is wrong":   {"services: [{name: a, host: h, routes: [{name: r, paths: [/]}], plugins: [{name: no-one-knows, config: {x: 1}}]}]", ""},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			p := newPlane(t)
			r := p.ask(gateway.Apply, row.text)
			r.ControlPlane.ID = ""
			changes, err := p.Diff(t.Context(), r)
			if row.want == "" {
				if err != nil || len(changes) != 3 {
					t.Errorf("%v, %v", changes, err)
				}
				return
			}
			e := failed(t, err)
			if !strings.HasPrefix(e.Message, row.want) || e.Op != "diff" || e.Files[0] != "kong.yaml" || !e.File {
				t.Errorf("%s: %q\nwant %q", e.Op, e.Message, row.want)
			}
			if strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			if native.Check(r) == nil {
				t.Error("Check finds nothing")
			}
			if len(p.recorder.seen()) > 0 {
				t.Errorf("requests: %v", p.recorder.seen())
			}
		})
	}
}
