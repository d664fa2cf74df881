package build_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/testkit"
)

const mapped = `
catalog_services: [{ref: pay, name: pay, display_name: P}]
integration_instances: [{ref: pd, name: pd, display_name: PD, integration_name: pagerduty, config: {}}]
`

func mapping(id string) string {
	return mapped + "resource_mappings: [{ref: rm, service: pay, resource: {integration_instance: pd, type: pagerduty.service, config: {id: " + id + "}}}]\n"
}

// Every field of a mapping is its identity and nothing marks it: another value is
// another resource, and a sync says that the former one stays.
func TestWhatIsNotReplacedStays(t *testing.T) {
	w := testkit.New(t)
	w.Sync(mapping("A1"))
	p := w.Plan(testkit.Ask{}, mapping("A2"))
	testkit.Expect(t, p, "1 CREATE resource_mapping rm")
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0].Message, `and resource.config {"id":"A1"}, which differs in resource.config alone and stays`) {
		t.Errorf("warnings: %v", p.Warnings)
	}
	both := mapping("A1") + "---\n" + strings.ReplaceAll(strings.TrimPrefix(mapping("A2"), mapped), "ref: rm", "ref: other")
	if p := w.Plan(testkit.Ask{}, both); len(p.Warnings) > 0 {
		t.Errorf("both are declared: %v", p.Warnings)
	}
}

// Host names have no case: a declaration finds the domain that Konnect has in other
// letters.
func TestDomainsHaveNoCase(t *testing.T) {
	w := testkit.New(t)
	text := func(domain string) string {
		return "cloud_gateway_custom_domains: [{ref: d, domain: " + domain + ", control_plane_id: 7d9ef3a5-1ef5-4d4f-8c4f-2f0f8a3c1f10, control_plane_geo: us}]\n"
	}
	w.Sync(text("API.example.com"))
	w.Settled(testkit.Ask{}, text("api.example.com"))
	w.Settled(testkit.Ask{}, text("API.example.com"))
}
