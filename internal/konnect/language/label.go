package language

import (
	"fmt"
	"maps"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/value"
)

const (
	fieldLabels = "labels"
	labelForm   = "1 to 63 letters, digits, dots, underscores and dashes, with a letter or digit at both ends"
)

// labels checks what Konnect asks of labels and the contract does not say, or
// says in a way that nobody can read.
func (c checker) labels() {
	labels := c.r.Fields.Field(fieldLabels)
	if e := labels.Expr(); e != nil && e.Op != value.OpNone && c.r.Type.Owned {
		c.add(diag.ValType, value.Path{fieldLabels}, fmt.Sprintf("The labels of the %s come from elsewhere as a whole, and kongctl adds its own to them: their keys must stand here.", c.what()), "write the labels key by key; values may come from elsewhere: labels: {team: !env TEAM}")
		return
	}
	if labels.Kind() != value.Map || c.schema(value.Path{fieldLabels}) == nil {
		return
	}
	if n := len(labels.Keys()); n > label.Max-label.Own {
		c.add(diag.ValItems, value.Path{fieldLabels}, fmt.Sprintf("The %s has %d labels; Konnect takes %d, and %d of them mark the resource as managed.", c.what(), n, label.Max, label.Own), fmt.Sprintf("remove %d.", n-(label.Max-label.Own)))
	}
	for _, e := range labels.Entries() {
		p := value.Path{fieldLabels, e.Key}
		c.labelKey(p, e.Key)
		if s, ok := e.Value.Text(); ok && !label.Fits(s) {
			c.add(diag.ValPattern, p, fmt.Sprintf("The label %s of the %s must have %s.", e.Key, c.what(), labelForm), labelFix(e.Key+": ", s, "choose another value."))
		}
		if from, ok := c.variable(p); ok {
			if s, isText := from.v.(string); isText && !label.Fits(s) {
				c.tellVariable(diag.ValPattern, from, "must have "+labelForm, fmt.Sprintf("give %s another value.", from.name))
			}
		}
	}
}

func (c checker) labelKey(p value.Path, key string) {
	if meant, ok := markMeant(key); ok {
		c.addKey(diag.CfgReserved, p, fmt.Sprintf("kongctl marks what it manages with labels of its own, such as %s, and writes them itself.", meant), "remove it, and use the kongctl block: kongctl: {namespace: my-team, protected: true}")
		return
	}
	if label.Ours(key) {
		c.addKey(diag.CfgReserved, p, fmt.Sprintf("The labels that begin with %s are set by kongctl itself.", label.Prefix), "remove it, and use the kongctl block for namespace and protection.")
	}
	for _, prefix := range label.Reserved(key) {
		c.addKey(diag.CfgReserved, p, fmt.Sprintf("Konnect keeps the label keys that begin with %s for itself.", prefix), "choose another key.")
	}
	if !label.Fits(key) {
		c.addKey(diag.ValPattern, p, fmt.Sprintf("The label key %q of the %s must have %s.", key, c.what(), labelForm), labelFix("", key, "choose another key."))
	}
}

// takesLabel reports whether null at a path takes away a label, or all of them: labels
// are merged, so a key that is not written would stay.
func takesLabel(t *catalog.Bound, p value.Path) bool {
	return t.HasLabels() && len(p) <= 2 && p[0] == fieldLabels
}

// withoutTaken is a resource without the labels that it takes away: the contract
// has no value for that.
func withoutTaken(t *catalog.Bound, fields map[string]any) map[string]any {
	if !t.HasLabels() {
		return fields
	}
	switch labels := fields[fieldLabels].(type) {
	case nil:
		delete(fields, fieldLabels)
	case map[string]any:
		maps.DeleteFunc(labels, func(_ string, v any) bool { return v == nil })
	}
	return fields
}

// markMeant reports whether a key is one of kongctl's labels in another spelling:
// with a sign that Konnect does not take, or in small letters.
func markMeant(key string) (string, bool) {
	name, ok := strings.CutPrefix(strings.ToUpper(key), strings.ToUpper(strings.TrimRight(label.Prefix, "-")))
	if !ok || label.Ours(key) || name == "" || !strings.ContainsAny(name[:1], "/:._-") {
		return "", false
	}
	return label.Prefix + strings.ToLower(name[1:]), true
}

func labelFix(before, s, otherwise string) string {
	if fixed := strings.Trim(slug(s), "._"); label.Fits(fixed) {
		return fmt.Sprintf("write for example %s%s.", before, fixed)
	}
	return otherwise
}
