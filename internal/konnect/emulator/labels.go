package emulator

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const (
	labelsField  = "labels"
	labelsMax    = 50
	labelsLength = 63
)

// labelRule is what the contract does not say of labels.
type labelRule struct {
	key      *regexp.Regexp
	reserved []string
}

func newLabelRule() labelRule {
	return labelRule{
		key:      regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$`),
		reserved: []string{"kong", "konnect", "mesh", "kic", "_"},
	}
}

func (l labelRule) check(body map[string]any) *problem {
	labels, ok := body[labelsField].(map[string]any)
	if !ok {
		return nil
	}
	if len(labels) > labelsMax {
		return bad("body", labelsField, "is_label", fmt.Sprintf("must have at most %d labels, has %d", labelsMax, len(labels)))
	}
	var list []invalid
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if reason := l.wrong(key); reason != "" {
			list = append(list, invalid{Field: labelsField + "." + key, Rule: "is_label", Reason: reason, Source: "body"})
		}
	}
	if list == nil {
		return nil
	}
	return badAll(list)
}

func (l labelRule) wrong(key string) string {
	for _, r := range l.reserved {
		if strings.HasPrefix(key, r) {
			return fmt.Sprintf("the key must not start with %q", r)
		}
	}
	if len(key) > labelsLength {
		return fmt.Sprintf("the key must have at most %d characters, has %d", labelsLength, len(key))
	}
	if !l.key.MatchString(key) {
		return "the key must match " + l.key.String()
	}
	return ""
}
