package gateway

import (
	"fmt"

	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// notInKonnect are lists of decK's format that no control plane has.
var notInKonnect = []string{"rbac_roles", "service_packages", "licenses"}

// unsupported reports what decK refuses for Konnect, whatever else is in a state.
func unsupported(root map[string]any, where func(...string) value.Pos) (diags diag.List) {
	for _, key := range notInKonnect {
		if list, _ := root[key].([]any); len(list) > 0 {
			diags.Add(diag.DeckUnsupported, where(key), fmt.Sprintf("%s cannot be part of a control plane in Konnect.", key), fmt.Sprintf("remove %s from the file.", key))
		}
	}
	if transform, set := root["_transform"].(bool); set && !transform {
		diags.Add(diag.DeckUnsupported, where("_transform"), "decK does not write files with _transform: false.", "remove the line.")
	}
	return diags
}
