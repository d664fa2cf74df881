package gateway

import (
	"fmt"
	"slices"

	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// notInKonnect are lists of decK's format that no control plane has.
var notInKonnect = []string{"rbac_roles", "service_packages", "licenses"}

// oauth2 are credentials that Konnect does not serve.
const oauth2 = "oauth2_credentials"

// unsupported reports what decK refuses for Konnect, whatever else is in a state.
func unsupported(root map[string]any, where func(...string) value.Pos) (diags diag.List) {
	for _, key := range notInKonnect {
		if list, _ := root[key].([]any); len(list) > 0 {
			diags.Add(diag.DeckUnsupported, where(key), fmt.Sprintf("%s cannot be part of a control plane in Konnect.", key), fmt.Sprintf("remove %s from the file.", key))
		}
	}
	consumers, _ := root["consumers"].([]any)
	for i, c := range consumers {
		if list, _ := asMap(c)[oauth2].([]any); slices.ContainsFunc(list, func(x any) bool { return len(asMap(x)) > 0 }) {
			diags.Add(diag.DeckUnsupported, where("consumers", fmt.Sprintf("[%d]", i), oauth2), oauth2+" cannot be written to a control plane in Konnect.", fmt.Sprintf("remove %s from the consumer.", oauth2))
		}
	}
	if transform, set := root["_transform"].(bool); set && !transform {
		diags.Add(diag.DeckUnsupported, where("_transform"), "decK does not write files with _transform: false.", "remove the line.")
	}
	return diags
}
