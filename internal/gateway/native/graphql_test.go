//go:build !nonative

package native_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/native"
)

// A DeGraphQL route of a service without a name is dumped with the service's id, and
// the dump changes nothing.
func TestDumpOfServicesWithoutNames(t *testing.T) {
	const id = "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"
	p := newPlane(t)
	p.settle(`
services: [{id: ` + id + `, host: h}, {name: named, host: h}]
custom_entities:
- {type: degraphql_routes, fields: {uri: /a, query: "{ a }", methods: [GET], service: {id: ` + id + `}}}
- {type: degraphql_routes, fields: {uri: /b, query: "{ b }", service: {name: named}}}
`)
	root, err := native.Dump(t.Context(), p.client(nil), gateway.ControlPlane{ID: p.id, Name: p.name})
	if err != nil {
		t.Fatal(err)
	}
	content, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"service":{"id":"` + id + `"}`, `"uri":"/a"`, `"service":{"name":"named"}`} {
		if !strings.Contains(string(content), want) {
			t.Errorf("the dump has no %s: %s", want, content)
		}
	}
	r := p.ask(gateway.Sync, "")
	r.Files[0].Content = content
	if changes, err := p.Diff(t.Context(), r); err != nil || len(changes) > 0 {
		t.Errorf("a sync of the dump: %v, %v", changes, err)
	}
}
