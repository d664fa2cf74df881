package derive_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/testkit"
)

// TestInverseExpectsSettings: settings and orders below what an inverse plan deletes
// are what they were when it was made, or it is not carried out.
func TestInverseExpectsSettings(t *testing.T) {
	const gateway = "event_gateways: [{ref: e, name: e, min_runtime_version: '1.1', backend_clusters: [{ref: k, name: k, authentication: {type: anonymous}, bootstrap_servers: ['a:1'], insecure_allow_anonymous_virtual_cluster_auth: true, tls: {enabled: false}}], " +
		"virtual_clusters: [{ref: v, name: v, acl_mode: passthrough, dns_label: v, authentication: [{type: anonymous}], destination: {id: k}, produce_policies: [" +
		"{ref: a, name: a, type: modify_headers, config: {actions: [{op: set, key: a, value: x}]}}, {ref: b, name: b, type: modify_headers, config: {actions: [{op: set, key: b, value: x}]}}]}]}]\n"
	for name, tt := range map[string]struct {
		text string
		edit func(w *testkit.World)
		want string
	}{
		"nothing":  {"portals: [{ref: p, name: p}]\n", func(*testkit.World) {}, ""},
		"no order": {gateway, func(*testkit.World) {}, ""},
		"settings": {"portals: [{ref: p, name: p}]\n", func(w *testkit.World) {
			w.Send("PATCH", "/v3/portals/"+w.Named("portal", "p")["id"].(string)+"/customization", `{"css":"b{}"}`)
		}, "portal customization was changed"},
		"the order of a grandchild": {gateway, func(w *testkit.World) {
			path := "/v1/event-gateways/" + w.Named("event_gateway", "e")["id"].(string) + "/virtual-clusters/" + w.Named("event_gateway_virtual_cluster", "v")["id"].(string) + "/produce-policy-chain"
			a, b := w.Named("event_gateway_virtual_cluster_produce_policy", "a")["id"].(string), w.Named("event_gateway_virtual_cluster_produce_policy", "b")["id"].(string)
			w.Send("PUT", path, `{"policies":["`+b+`","`+a+`"]}`)
		}, "was changed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync("{}")
			back := w.Reread(undoing(t, w, w.Sync(tt.text), nil))
			tt.edit(w)
			found, err := execute.Check(t.Context(), w.Execution(back))
			if err != nil {
				t.Fatal(err)
			}
			var why []string
			for _, m := range found.Moved {
				why = append(why, m.Why)
			}
			if got := strings.Join(why, "; "); (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}
