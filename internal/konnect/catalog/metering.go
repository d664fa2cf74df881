package catalog

var meteringFamily = Family{
	Name: "metering", Title: "Metering and billing: what is counted, and what it costs",
	Words: []string{"metering"},
	Types: []*Type{
		MeteringMeter, MeteringFeature, MeteringTaxCode, MeteringAddon, MeteringPlan, MeteringPlanAddon,
		MeteringProfile, MeteringLLMCost,
	},
}

// MeteringMeter counts events.
var MeteringMeter = &Type{
	Kind: "metering_meter", Key: "metering_meters",
	Identity: []string{"key"},
	Path:     "/v3/openmeter/meters",
	Example:  map[string]any{"key": "tokens_total", "event_type": "kong.llm_request", "value_property": "$.tokens"},
}

// MeteringFeature is what customers use and pay for. Konnect changes its cost
// alone, so that it carries no mark of a namespace.
var MeteringFeature = &Type{
	Terraform: Terraform{None: true},
	Kind:      "metering_feature", Key: "metering_features",
	Identity:   []string{"key"},
	Path:       "/v3/openmeter/features",
	References: []Reference{{Field: "meter.id", Kind: "metering_meter"}},
	Example:    map[string]any{"key": "tokens"},
}

// MeteringTaxCode is a tax code, by the application that sends invoices.
var MeteringTaxCode = &Type{
	Terraform: Terraform{None: true},
	Kind:      "metering_tax_code", Key: "metering_tax_codes",
	Identity:  []string{"key"},
	Path:      "/v3/openmeter/tax-codes",
	Unordered: []string{"app_mappings"},
	Example:   map[string]any{"key": "software"},
}

// MeteringAddon is what customers may buy beside a plan. As of a plan, what is
// declared is a draft until it is published.
var MeteringAddon = &Type{
	Terraform: Terraform{None: true},
	Kind:      "metering_addon", Key: "metering_addons",
	Identity:   []string{"key"},
	Path:       "/v3/openmeter/addons",
	References: rateCardReferences("rate_cards"),
	Formats:    []Formatted{{"rate_cards.entitlement.config", Document}},
	Versions:   published,
	Example:    map[string]any{"key": "support", "currency": "USD"},
}

// MeteringPlan is what customers subscribe to. A declaration is the content of a
// plan: a new one is a draft. To publish or archive it is an action, which no
// configuration takes: the status is read and not compared.
var MeteringPlan = &Type{
	Kind: "metering_plan", Key: "metering_plans",
	Identity:   []string{"key"},
	Path:       "/v3/openmeter/plans",
	References: rateCardReferences("phases.rate_cards"),
	Formats:    []Formatted{{"phases.rate_cards.entitlement.config", Document}},
	Versions:   published,
	Example:    map[string]any{"key": "pro", "currency": "USD", "billing_cadence": "P1M"},
}

// MeteringPlanAddon says that an add-on may be bought beside a plan.
var MeteringPlanAddon = &Type{
	Terraform: Terraform{None: true},
	Kind:      "metering_plan_addon", Key: "addons", ChildOf: MeteringPlan,
	Identity:   []string{"addon.id"},
	Path:       "/v3/openmeter/plans/{planId}/addons",
	References: []Reference{{Field: "addon.id", Kind: "metering_addon"}},
	Namings:    []Naming{{Fields: []string{"from_plan_phase"}, Inside: "phases.key"}},
}

// MeteringProfile says who sends invoices, by which applications, and how.
var MeteringProfile = &Type{
	Terraform: Terraform{Type: "metering_billing_profile"},
	Kind:      "metering_profile", Key: "metering_profiles",
	Identity: []string{"name"},
	Path:     "/v3/openmeter/profiles",
	References: []Reference{
		{Field: "workflow.tax.default_tax_config.tax_code.id", Kind: "metering_tax_code"},
		// Deprecated, and still taken.
		{Field: "workflow.tax.default_tax_config.tax_code_id", Kind: "metering_tax_code"},
	},
}

// MeteringLLMCost is what the tokens of a model cost here, in place of the price
// that Konnect knows.
var MeteringLLMCost = &Type{
	Terraform: Terraform{None: true},
	Kind:      "metering_llm_cost_override", Key: "metering_llm_cost_overrides",
	Identity:  []string{"provider", "model_id", "currency"},
	Path:      "/v3/openmeter/llm-cost/overrides",
	Elsewhere: []Elsewhere{{"provider", "provider.id"}, {"model_id", "model.id"}, {"model_name", "model.name"}},
	Keeps:     []Kept{{Field: "model_name", Why: "a price cannot be updated, only created again", Copies: "model_id"}},
	Example:   map[string]any{"provider": "openai", "model_id": "gpt-4o", "currency": "USD"},
}

// published is how plans and add-ons have versions: a new one is a draft until it is
// published, and stays as it is from then on.
var published = &Versions{Number: "version", State: "status", Draft: "draft", Held: []string{"scheduled", "active"}}

// rateCardReferences are what the rate cards in a list refer to.
func rateCardReferences(in string) []Reference {
	return []Reference{
		{Field: in + ".feature.id", Kind: "metering_feature"},
		{Field: in + ".tax_config.code.id", Kind: "metering_tax_code"},
	}
}
