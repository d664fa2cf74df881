package emulator_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A plugin that names no protocols has those of its own schema, and none that it
// cannot work with.
func TestProtocolsOfPlugins(t *testing.T) {
	g := newGateway(newWorld(t))
	all := []any{"grpc", "grpcs", "http", "https", "ws", "wss"}
	for _, row := range []struct {
		name    string
		config  object
		want    []any
		refused string
	}{
		{"cors", object{}, []any{"grpc", "grpcs", "http", "https"}, "tcp"},
		{"basic-auth", object{}, all, "tcp"},
		{"hmac-auth", object{}, all, "udp"},
		{"key-auth", object{}, all, "tls"},
		{"tls-handshake-modifier", object{}, []any{"grpcs", "https"}, "http"},
		{"tls-metadata-headers", object{}, []any{"grpcs", "https"}, "http"},
		{"websocket-size-limit", object{"client_max_payload": 1024}, []any{"ws", "wss"}, "http"},
		{"websocket-validator", object{"client": object{"text": object{"type": "draft4", "schema": `{"type":"object"}`}}}, []any{"ws", "wss"}, "https"},
		{"ip-restriction", object{"allow": []any{"10.0.0.1"}}, []any{"grpc", "grpcs", "http", "https", "tcp", "tls"}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			body := object{"name": row.name, "config": row.config}
			if diff := cmp.Diff(row.want, g.put("/plugins/"+idA, body).field("protocols")); diff != "" {
				t.Errorf("protocols (-want +got):\n%s", diff)
			}
			body["protocols"] = nil
			if diff := cmp.Diff(row.want, g.put("/plugins/"+idA, body).field("protocols")); diff != "" {
				t.Errorf("null (-want +got):\n%s", diff)
			}
			body["protocols"] = row.want[:1]
			if diff := cmp.Diff(row.want[:1], g.put("/plugins/"+idA, body).field("protocols")); diff != "" {
				t.Errorf("given (-want +got):\n%s", diff)
			}
			if row.refused != "" {
				body["protocols"] = []any{row.refused}
				g.refused(http.StatusBadRequest, http.MethodPut, "/plugins/"+idA, body, "protocols: expected one of:")
			}
		})
	}
}
