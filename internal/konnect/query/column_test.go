package query_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/testkit"
)

// Rows are sorted by name, unless their order means something; what a response has
// in another place is shown from there.
func TestTable(t *testing.T) {
	type m = map[string]any
	for _, row := range []struct {
		kind   string
		bodies []m
		want   query.Table
	}{
		{"metering_plan", []m{{"name": "Pro", "key": "pro", "status": "draft", "id": "1"}, {"name": "Free", "key": "free", "status": "active", "id": "2"}}, query.Table{
			Header: []string{"NAME", "NAMESPACE", "KEY", "STATUS", "ID"},
			Rows:   [][]string{{"Free", "", "free", "active", "2"}, {"Pro", "", "pro", "draft", "1"}},
		}},
		{"metering_llm_cost_override", []m{{"provider": m{"id": "openai", "name": "OpenAI"}, "model": m{"id": "gpt-4o"}, "id": "1"}}, query.Table{
			Header: []string{"PROVIDER ID", "MODEL ID", "ID"},
			Rows:   [][]string{{"openai", "gpt-4o", "1"}},
		}},
		{"event_gateway_virtual_cluster_consume_policy", []m{{"name": "second", "id": "1"}, {"name": "first", "id": "2"}}, query.Table{
			Header: []string{"NAME", "PARENT POLICY ID", "TYPE", "ID"},
			Rows:   [][]string{{"second", "", "", "1"}, {"first", "", "", "2"}},
		}},
	} {
		a := query.Answer{Type: testkit.Catalog(t).Kind(row.kind), Bodies: row.bodies}
		if diff := cmp.Diff(row.want, a.Table(false)); diff != "" {
			t.Errorf("%s: %s", row.kind, diff)
		}
	}
}
