package language

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

const (
	fieldLabels = "labels"
	maxLabels   = 50
	maxLabel    = 63
	labelForm   = "1 to 63 letters, digits, dots, underscores and dashes, with a letter or digit at both ends"
)

var labelPattern = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$`)

// Beginnings of label keys that Konnect keeps for itself.
var reservedLabels = []string{"kong", "konnect", "mesh", "kic", "_"}

// labels checks what Konnect asks of labels and the contract does not say, or
// says in a way that nobody can read.
func (c checker) labels() {
	labels := c.r.Fields.Field(fieldLabels)
	if labels.Kind() != value.Map || c.schema(value.Path{fieldLabels}) == nil {
		return
	}
	if n := len(labels.Keys()); n > maxLabels-ownLabels {
		c.add(diag.ValItems, value.Path{fieldLabels}, fmt.Sprintf("The %s has %d labels; Konnect takes %d, and %d of them mark the resource as managed.", c.what(), n, maxLabels, ownLabels), fmt.Sprintf("remove %d.", n-(maxLabels-ownLabels)))
	}
	for _, e := range labels.Entries() {
		p := value.Path{fieldLabels, e.Key}
		c.labelKey(p, e.Key)
		if s, ok := e.Value.Text(); ok && !isLabel(s) {
			c.add(diag.ValPattern, p, fmt.Sprintf("The label %s of the %s must have %s.", e.Key, c.what(), labelForm), labelFix(e.Key+": ", s, "choose another value."))
		}
		if from, ok := c.variable(p); ok {
			if s, isText := from.v.(string); isText && !isLabel(s) {
				c.tellVariable(diag.ValPattern, from, "must have "+labelForm, fmt.Sprintf("give %s another value.", from.name))
			}
		}
	}
}

func (c checker) labelKey(p value.Path, key string) {
	if strings.HasPrefix(key, LabelPrefix) {
		c.addKey(diag.CfgReserved, p, fmt.Sprintf("The labels that begin with %s are set by kongctl itself.", LabelPrefix), "remove it, and use the kongctl block for namespace and protection.")
	}
	for _, prefix := range reservedLabels {
		if strings.HasPrefix(key, prefix) {
			c.addKey(diag.CfgReserved, p, fmt.Sprintf("Konnect keeps the label keys that begin with %s for itself.", prefix), "choose another key.")
		}
	}
	if !isLabel(key) {
		c.addKey(diag.ValPattern, p, fmt.Sprintf("The label key %q of the %s must have %s.", key, c.what(), labelForm), labelFix("", key, "choose another key."))
	}
}

func isLabel(s string) bool { return len(s) <= maxLabel && labelPattern.MatchString(s) }

func labelFix(before, s, otherwise string) string {
	if fixed := strings.Trim(slug(s), "._"); isLabel(fixed) {
		return fmt.Sprintf("write for example %s%s.", before, fixed)
	}
	return otherwise
}
