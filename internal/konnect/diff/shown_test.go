package diff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// What a list had is shown without what the service added and with what means the
// same in the form that is declared.
func TestShown(t *testing.T) {
	cat := testkit.Catalog(t)
	for _, row := range []struct{ name, kind, field, old, now, want string }{
		{
			"rate cards", "metering_addon", "rate_cards",
			`[{"key":"a","name":"A","labels":{},"payment_term":"in_arrears","price":{"type":"flat","amount":"10"}}]`,
			`[{"key":"a","name":"B","price":{"type":"flat","amount":"10.00"}}]`,
			`[{"key":"a","name":"A","price":{"type":"flat","amount":"10.00"}}]`,
		},
		{
			"an item that is not declared", "metering_addon", "rate_cards",
			`[{"key":"b","name":"B","labels":{},"payment_term":"in_arrears","price":{"type":"free"}},{"key":"a","name":"A","price":{"type":"free"}}]`,
			`[{"key":"a","name":"A","price":{"type":"free"}}]`,
			`[{"key":"b","name":"B","price":{"type":"free"}},{"key":"a","name":"A","price":{"type":"free"}}]`,
		},
		{
			"a set, in the order of the declaration", "control_plane_membership", "members",
			`[{"id":"c"},{"id":"b"},{"id":"a"}]`, `[{"id":"a"},{"id":"b"},{"id":"d"}]`, `[{"id":"a"},{"id":"b"},{"id":"c"}]`,
		},
		{
			"a default within a default", "dashboard", "definition.tiles",
			`[{"type":"chart","layout":{"position":{"col":0,"row":0},"size":{"cols":2,"rows":2}},"definition":{"chart":{"type":"donut"},"query":{"datasource":"api_usage","metrics":["request_count"],"dimensions":["api"],"time_range":{"type":"relative","time_range":"1h","tz":"Etc/UTC"}}}}]`,
			`[{"type":"chart","layout":{"position":{"col":0,"row":0},"size":{"cols":2,"rows":2}},"definition":{"chart":{"type":"donut"},"query":{"datasource":"api_usage","metrics":["request_count"],"dimensions":["api","time"]}}}]`,
			`[{"type":"chart","layout":{"position":{"col":0,"row":0},"size":{"cols":2,"rows":2}},"definition":{"chart":{"type":"donut"},"query":{"datasource":"api_usage","metrics":["request_count"],"dimensions":["api"]}}}]`,
		},
		{
			"another value than the default", "dashboard", "definition.tiles",
			`[{"type":"chart","layout":{"position":{"col":0,"row":0},"size":{"cols":2,"rows":2}},"definition":{"chart":{"type":"donut"},"query":{"datasource":"api_usage","metrics":["request_count"],"dimensions":["api"],"time_range":{"type":"relative","time_range":"6h","tz":"Etc/UTC"}}}}]`,
			`[{"type":"chart","layout":{"position":{"col":0,"row":0},"size":{"cols":2,"rows":2}},"definition":{"chart":{"type":"donut"},"query":{"datasource":"api_usage","metrics":["request_count"],"dimensions":["api","time"]}}}]`,
			`[{"type":"chart","layout":{"position":{"col":0,"row":0},"size":{"cols":2,"rows":2}},"definition":{"chart":{"type":"donut"},"query":{"datasource":"api_usage","metrics":["request_count"],"dimensions":["api"],"time_range":{"type":"relative","time_range":"6h","tz":"Etc/UTC"}}}}]`,
		},
		{
			"null in a document", "metering_plan", "phases",
			`[{"key":"m","rate_cards":[{"key":"t","payment_term":"in_arrears","entitlement":{"type":"static","config":{"a":1,"b":null}}}]}]`,
			`[{"key":"m","rate_cards":[{"key":"t","entitlement":{"type":"static","config":{"a":1}}}]}]`,
			`[{"key":"m","rate_cards":[{"key":"t","entitlement":{"type":"static","config":{"a":1,"b":null}}}]}]`,
		},
		{"a text", "portal", "description", `"a"`, `"b"`, `"a"`},
		{"nothing before", "portal", "description", `null`, `"b"`, `null`},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, words := diff.Shown(cat.Kind(row.kind), value.ParsePath(row.field), decoded(t, row.old), decoded(t, row.now))
			if d := cmp.Diff(decoded(t, row.want), got); d != "" || words != "" {
				t.Errorf("%q (-want +got):\n%s", words, d)
			}
		})
	}
	_, words := diff.Shown(cat.Kind("portal_custom_domain"), value.Path{"ssl", "custom_certificate"}, "2030-01-01T00:00:00Z", "PEM")
	if words != "(not returned; expires_at is 2030-01-01T00:00:00Z)" {
		t.Errorf("a certificate that Konnect does not return is %q", words)
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	v, err := value.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
