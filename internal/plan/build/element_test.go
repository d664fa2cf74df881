package build_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// gatewayWorld has types that the catalog does not have: children with labels,
// and secrets in elements of lists.
func gatewayWorld(t *testing.T) *testkit.World {
	t.Helper()
	gateway := &catalog.Type{Kind: "gateway", Key: "gateways", Identity: []string{"name"}, Path: "/v1/event-gateways"}
	backend := &catalog.Type{
		Kind: "backend", Key: "backends", ChildOf: gateway, Identity: []string{"name"},
		Path: "/v1/event-gateways/{gatewayId}/backend-clusters",
	}
	cluster := &catalog.Type{
		Kind: "cluster", Key: "clusters", ChildOf: gateway, Identity: []string{"name"},
		Path:       "/v1/event-gateways/{gatewayId}/virtual-clusters",
		References: []catalog.Reference{{Field: "destination.id", Kind: "backend"}},
	}
	cat, err := catalog.New(testkit.Catalog(t).Contract, []*catalog.Type{gateway, backend, cluster})
	if err != nil {
		t.Fatal(err)
	}
	w := testkit.NewOf(t, cat)
	w.Env["ONE"], w.Env["TWO"] = "canary-one", "canary-two"
	return w
}

const gateway = `
gateways:
  - name: events
    min_runtime_version: "1.0"
    backends:
      - {ref: kafka, name: kafka, authentication: {type: anonymous}, bootstrap_servers: ["a:9092"], insecure_allow_anonymous_virtual_cluster_auth: true, tls: {enabled: false}, labels: {tier: gold}}
`

func TestSecretsInElements(t *testing.T) {
	p := gatewayWorld(t).Plan(testkit.Ask{}, gateway+`
    clusters:
      - name: orders
        dns_label: orders
        destination: {id: kafka}
        acl_mode: passthrough
        authentication:
          - {type: sasl_plain, mediation: terminate, principals: [{username: one, password: !secret {source: !env ONE}}, {username: two, password: !secret {source: !env TWO}}]}
`)
	hides(t, p, "canary-one", "canary-two")
	c := testkit.ChangeOf(t, p, plan.Create, "cluster")
	testkit.Equal(t, "secrets", c.SecretWrites, []plan.Expression{
		{Field: "authentication[0].principals[0].password", Expression: object{"source": env("ONE")}},
		{Field: "authentication[0].principals[1].password", Expression: object{"source": env("TWO")}},
	})
	list, _ := c.Fields["authentication"].([]any)
	testkit.Equal(t, "fields", list, []any{object{"type": "sasl_plain", "mediation": "terminate", "principals": []any{object{"username": "one"}, object{"username": "two"}}}})
}

func TestLabelsOfAChild(t *testing.T) {
	w := gatewayWorld(t)
	w.Sync(gateway)
	silver := strings.Replace(gateway, "gold", "silver", 1)
	p := w.Plan(apply, silver)
	testkit.Expect(t, p, "1 UPDATE backend kafka")
	testkit.Equal(t, "changed_fields", p.Changes[0].ChangedFields, map[string]plan.OldNew{"labels.tier": {Old: "gold", New: "silver"}})
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, silver)
}
