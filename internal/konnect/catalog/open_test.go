package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/testkit"
)

// open are the mappings that take keys which the document does not name, and that no
// plugin is configured by, with the reason. What people write there is shown.
var open = []struct{ why, fields string }{
	{"what a request must have to be routed there, or a tool to be found: gateways match it", `
		ai_gateway_agent config.route.headers
		ai_gateway_mcp_server config.route.headers
		ai_gateway_mcp_server tools.headers
		ai_gateway_mcp_server tools.query
		ai_gateway_model config.route.headers`},
	{"a description of the inputs and outputs of a tool, for models", `
		ai_gateway_mcp_server tools.input_schema
		ai_gateway_mcp_server tools.output_schema
		ai_gateway_mcp_server tools.parameters.schema
		ai_gateway_mcp_server tools.request_body
		ai_gateway_mcp_server tools.responses`},
	{"its keys depend on the integration, which is no plugin; docs/security.md says that it is shown", `
		integration_instance config
		resource_mapping resource.config`},
	{"numbers, names and addresses of what a template checks", `
		scorecard criteria.template_parameters`},
	{"settings of a widget that every browser reads", `
		portal_integration equal_web.config_data.widget_config`},
	{"what a metric is filtered by", `
		dashboard definition.preset_filters.value`},
	{"amounts of what customers may use", `
		metering_addon rate_cards.entitlement.config
		metering_plan phases.rate_cards.entitlement.config`},
}

// openFields are the mappings of a schema that take any key, as paths without places
// in lists. What only the table of plugins knows is not among them.
func openFields(s *contract.Schema, under []string, depth int) (out []string) {
	if s = s.Deref(); s == nil || depth > 12 || s.Tabled() {
		return nil
	}
	if s.Items != nil {
		return openFields(s.Items, under, depth+1)
	}
	if s.Type != "" && s.Type != "object" || len(s.Enum) > 0 || s.Const != nil {
		return nil
	}
	o := s.Object(nil)
	if o.Open && len(under) > 0 {
		out = append(out, strings.Join(under, "."))
	}
	for _, name := range o.Names() {
		if f := o.Field(name).Schema; !f.ReadOnly {
			out = append(out, openFields(f, append(slices.Clone(under), name), depth+1)...)
		}
	}
	return out
}

// Every mapping that takes any key is the configuration of a plugin, so that the
// secrets of the plugin are secret in it, or has a reason not to be one.
func TestOpenMappingsAreClassed(t *testing.T) {
	left, plugins := map[string]bool{}, 0 // reviewed, and not met yet
	for _, group := range open {
		for line := range strings.Lines(group.fields) {
			if line = strings.TrimSpace(line); line != "" {
				left[line] = true
			}
		}
	}
	reviewed := len(left)
	for _, b := range testkit.Catalog(t).All() {
		if b.ReadOnly {
			continue
		}
		for _, field := range openFields(b.Write(), nil, 0) {
			name := b.Kind + " " + field
			switch c, ok := b.WriteOp().Configuration(); {
			case ok && c.Field == field:
				configured(t, b, c)
				plugins++
			case !left[name]:
				t.Errorf("%s takes any key: say in contract.Configurations which plugin it configures, or in the list why none", name)
			}
			delete(left, name)
		}
	}
	for name := range left {
		t.Errorf("%s is in the list, and the contract does not have it", name)
	}
	if plugins < 3 || reviewed < 10 {
		t.Errorf("%d configurations of plugins, %d others: the law was not tried", plugins, reviewed)
	}
}

// configured fails unless the update of a type takes the same configuration.
func configured(t *testing.T, b *catalog.Bound, c contract.Configured) {
	t.Helper()
	of, ok := b.Update.Configuration()
	if !ok || of.Field != c.Field || of.By != c.By || of.Plugin != c.Plugin {
		t.Errorf("%s: an update configures %+v, a create %+v", b.Kind, of, c)
	}
}
