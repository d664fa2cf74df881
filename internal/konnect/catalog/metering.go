package catalog

var meteringFamily = Family{
	Name: "metering", Title: "Metering and billing: what is counted, and what it costs",
	Words: []string{"metering"},
	Types: []*Type{MeteringMeter},
}

// MeteringMeter counts events.
var MeteringMeter = &Type{
	Kind: "metering_meter", Key: "metering_meters",
	Identity: []string{"key"},
	Path:     "/v3/openmeter/meters",
	Example:  map[string]any{"key": "tokens_total", "event_type": "kong.llm_request", "value_property": "$.tokens"},
}
