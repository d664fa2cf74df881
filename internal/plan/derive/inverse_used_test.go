package derive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/testkit"
)

// TestInverseOfWhatUsesEachOther: what is deleted waits for what uses it by now. What
// waits for itself then goes with what it belongs to, or stays.
func TestInverseOfWhatUsesEachOther(t *testing.T) {
	const cluster = "event_gateways: [{ref: g, name: g, backend_clusters: [{ref: bc, name: bc, bootstrap_servers: ['k:9092'], authentication: {type: anonymous}, tls: {enabled: false}}]}]\n"
	const server = "{ref: %[1]s, name: %[1]s, display_name: x, type: listener, config: {route: {paths: [/x]}}, sources: [%[2]s]}"
	servers := func(more ...string) string {
		return "ai_gateways: [{ref: g, name: g, display_name: G, mcp_servers: [" + strings.Join(append(more, "{ref: z, name: z, display_name: z, type: listener, config: {route: {paths: [/z]}}}"), ", ") + "]}]\n"
	}
	usesCluster := func(w *testkit.World) {
		w.Send("POST", "/v1/event-gateways/"+w.Named("event_gateway", "g")["id"].(string)+"/virtual-clusters",
			`{"name":"vc","dns_label":"vc","acl_mode":"passthrough","destination":{"name":"bc"},"authentication":[{"type":"anonymous"}]}`)
	}
	useEachOther := func(w *testkit.World) {
		for name, source := range map[string]string{"a": "b", "b": "a"} {
			x := w.Named("ai_gateway_mcp_server", name)
			w.Send("PUT", fmt.Sprintf("/v1/ai-gateways/%s/mcp-servers/%s", w.Named("ai_gateway", "g")["id"], x["id"]),
				fmt.Sprintf(`{"name":%q,"display_name":"x","type":"listener","config":{"route":{"paths":["/x"]}},"sources":[%q]}`, name, source))
		}
	}
	for name, tt := range map[string]struct {
		before, after string
		edit          func(w *testkit.World)
		want          []string
		along         map[string]int // what goes with the last delete
		warnings      []string
		blocked       int
	}{
		"what uses it goes with what it belongs to": {
			before: "{}", after: cluster, edit: usesCluster,
			want:  []string{"1 DELETE event_gateway g"},
			along: map[string]int{"event_gateway_backend_cluster": 1, "event_gateway_virtual_cluster": 1},
		},
		"it is protected": {
			before: "{}", after: strings.Replace(cluster, "ref: bc", "ref: bc, kongctl: {protected: true}", 1), edit: usesCluster,
			blocked: 2,
		},
		"what uses it stays": {
			before: "event_gateways: [{ref: g, name: g}]\n", after: cluster, edit: usesCluster,
			warnings: []string{`cannot undo: event gateway backend cluster "bc": the event gateway virtual cluster "vc" of the event gateway "g" (namespace default) uses it`},
		},
		"they use each other": {
			before: servers(), after: servers(fmt.Sprintf(server, "a", "z"), fmt.Sprintf(server, "b", "z")), edit: useEachOther,
			warnings: []string{
				`cannot undo: AI gateway MCP server "b": the AI gateway MCP server "a" of the AI gateway "g" (namespace default) uses it`,
				`cannot undo: AI gateway MCP server "a": the AI gateway MCP server "b" must be deleted first, and can only be deleted after it`,
			},
		},
		"they use each other, and go with what they belong to": {
			before: "{}", after: servers(fmt.Sprintf(server, "a", "z"), fmt.Sprintf(server, "b", "z")), edit: useEachOther,
			want:  []string{"1 DELETE ai_gateway_mcp_server z", "2 DELETE ai_gateway g < 1"},
			along: map[string]int{"ai_gateway_mcp_server": 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(tt.before)
			p := w.Sync(tt.after)
			tt.edit(w)
			back := undoing(t, w, p, nil)
			testkit.Expect(t, back, tt.want...)
			testkit.Equal(t, "warnings", messages(back), tt.warnings)
			if len(back.Blocked) != tt.blocked {
				t.Errorf("blocked %+v", back.Blocked)
			}
			if n := len(back.Changes); n > 0 {
				testkit.Equal(t, "what goes with the last", back.Changes[n-1].TakesAlong, tt.along)
			}
			w.Succeed(w.Run(back))
		})
	}
}
