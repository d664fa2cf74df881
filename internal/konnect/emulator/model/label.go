package model

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/label"
)

const labelsField = "labels"

// checkLabels checks what the contract does not say of labels.
func checkLabels(body map[string]any) *Problem {
	labels, ok := body[labelsField].(map[string]any)
	if !ok {
		return nil
	}
	if len(labels) > label.Max {
		return Bad("body", labelsField, "is_label", fmt.Sprintf("must have at most %d labels, has %d", label.Max, len(labels)))
	}
	var list []Invalid
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if reason := wrongLabel(key); reason != "" {
			list = append(list, Invalid{Field: labelsField + "." + key, Rule: "is_label", Reason: reason, Source: "body"})
		}
	}
	if list == nil {
		return nil
	}
	return BadAll(list)
}

func wrongLabel(key string) string {
	switch reserved := label.Reserved(key); {
	case len(reserved) > 0:
		return fmt.Sprintf("the key must not start with %q", reserved[0])
	case len(key) > label.MaxLength:
		return fmt.Sprintf("the key must have at most %d characters, has %d", label.MaxLength, len(key))
	case !label.Fits(key):
		return "the key must match " + label.Pattern
	}
	return ""
}
