package config

import (
	"fmt"
	"regexp"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// LabelPrefix starts the labels that mark what is managed.
const LabelPrefix = "KONGCTL-"

// ownLabels is how many labels a managed resource may carry of ours.
const ownLabels = 5

var labelKey = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$`)

// Beginnings of label keys that Konnect keeps for itself.
var reservedLabels = []string{"kong", "konnect", "mesh", "kic", "_", LabelPrefix}

// labels checks what Konnect asks of labels and the contract does not say.
func (c checker) labels() {
	labels := c.r.Fields.Field("labels")
	if labels.Kind() != value.Map {
		return
	}
	if n := len(labels.Keys()); n > 50-ownLabels {
		c.add(diag.ValItems, value.Path{"labels"}, fmt.Sprintf("The %s has %d labels; Konnect takes 50, and %d of them mark the resource as managed.", c.what(), n, ownLabels), "remove some.")
	}
	for _, e := range labels.Entries() {
		p := value.Path{"labels", e.Key}
		for _, prefix := range reservedLabels {
			if strings.HasPrefix(e.Key, prefix) {
				c.add(diag.CfgReserved, p, fmt.Sprintf("Label keys may not begin with %s.", prefix), "choose another key.")
			}
		}
		if len(e.Key) > 63 || !labelKey.MatchString(e.Key) {
			c.add(diag.ValPattern, p, fmt.Sprintf("The label key %q of the %s must have 1 to 63 letters, digits, dots, underscores and dashes, with a letter or digit at both ends.", e.Key, c.what()), "choose another key.")
		}
	}
}
