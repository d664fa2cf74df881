package catalog_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/testkit"
)

// notTypes are paths that something can be written at and that no type has, with
// the reason. A path that ends in a star stands for all that begin so.
var notTypes = []struct{ why, paths string }{
	{"gateway entities are written through decK", `
		/v2/control-planes/{controlPlaneId}/core-entities/*`},
	{"an action, not something that stays", `
		/v1/event-gateways/{gatewayId}/listeners/{eventGatewayListenerId}/policies/{policyId}/move
		/v1/event-gateways/{gatewayId}/virtual-clusters/{virtualClusterId}/cluster-policies/{policyId}/move
		/v1/event-gateways/{gatewayId}/virtual-clusters/{virtualClusterId}/consume-policies/{policyId}/move
		/v1/event-gateways/{gatewayId}/virtual-clusters/{virtualClusterId}/produce-policies/{policyId}/move
		/v2/control-planes/{controlPlaneId}/group-memberships/add
		/v2/control-planes/{controlPlaneId}/group-memberships/remove
		/v2/dcr-providers/{dcrProviderId}/verify
		/v3/api-packages/{packageId}/documents/{documentId}/move
		/v3/apis/{apiId}/documents/{documentId}/move
		/v3/apis/validate-specification
		/v3/openmeter/addons/{addonId}/archive
		/v3/openmeter/addons/{addonId}/publish
		/v3/openmeter/features/{featureId}/cost/query
		/v3/openmeter/meters/{meterId}/query
		/v3/openmeter/plans/{planId}/archive
		/v3/openmeter/plans/{planId}/publish
		/v3/portals/{portalId}/audit-log-replay-job
		/v3/portals/{portalId}/default-content
		/v3/portals/{portalId}/email-templates/{templateName}/send-test-email
		/v3/portals/{portalId}/pages/{pageId}/move`},
	{"what running systems report of themselves", `
		/v1/mcp-cp/{controlPlaneId}/mcp-servers/{mcpServerId}/status
		/v2/control-planes/{controlPlaneId}/nodes/{nodeId}
		/v3/openmeter/events`},
	{"data of persons: members, developers, and what they make for themselves", `
		/v1/notifications/inbox/*
		/v3/invites
		/v3/portals/{portalId}/applications*
		/v3/portals/{portalId}/developers*
		/v3/portals/{portalId}/teams/{teamId}/developers*
		/v3/users/{userId}
		/v3/users/{userId}/access-tokens*`},
	{"customers and what they pay: business data, not configuration", `
		/v3/openmeter/customers*
		/v3/openmeter/subscriptions*`},
	{"the older form of identity-providers, for a single provider", `
		/v3/identity-provider
		/v3/identity-provider/*
		/v3/portals/{portalId}/identity-provider/team-group-mappings`},
	{"what integrations find in other systems: it can be hidden, and is no configuration", `
		/v1/integration-instances/{integrationInstanceId}/resources/{resourceId}`},
	{"the older form of email-config", `
		/v3/portals/{portalId}/email-delivery`},
	{"the members of a group, seen from the member", `
		/v1/ai-gateways/{gatewayId}/consumers/{consumerIdOrName}/consumer-groups`},
	{"the value is shown once, in the answer to the create: a plan could neither hold nor compare it", `
		/v3/system-accounts/{accountId}/access-tokens*`},
	{"settings that Konnect always has and offers no way to reset: every export and sync would read them", `
		/v3/openmeter/defaults/tax-codes`},
	{"credentials that are given in a dialog with another system", `
		/v1/integration-instances/{integrationInstanceId}/auth-config
		/v1/integration-instances/{integrationInstanceId}/auth-credential`},
}

// Everything that can be written in Konnect is a type, or has a reason not to be.
func TestEveryWritableFamilyIsAType(t *testing.T) {
	cat := testkit.Catalog(t)
	written := map[string]bool{}
	for _, b := range cat.All() {
		for _, op := range []*contract.Operation{b.Create, b.Update, b.Delete} {
			if op != nil && !b.ReadOnly {
				written[op.Path], written[op.Carrier().Path] = true, true
			}
		}
	}
	excused := map[string]string{}
	for _, x := range notTypes {
		for _, path := range strings.Fields(x.paths) {
			if excused[path] != "" || x.why == "" {
				t.Errorf("%s stands twice, or has no reason", path)
			}
			excused[path] = x.why
		}
	}
	used := map[string]bool{}
	for _, op := range cat.Contract.Operations() {
		if op.Method == "GET" || written[op.Path] {
			continue
		}
		if by := exclusion(excused, op.Path); by != "" {
			used[by] = true
		} else {
			t.Errorf("%s can be written, and no type has it", op.Key())
		}
	}
	t.Logf("%d paths are written by types, %d have a reason not to be", len(written), len(used))
	for path := range excused {
		if !used[path] {
			t.Errorf("%s needs no reason: a type has it, or the contract does not", path)
		}
	}
}

func exclusion(excused map[string]string, path string) string {
	for by := range excused {
		if stem, open := strings.CutSuffix(by, "*"); by == path || open && strings.HasPrefix(path, stem) {
			return by
		}
	}
	return ""
}
