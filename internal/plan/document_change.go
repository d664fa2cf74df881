package plan

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// Hidden stands where a value is that a plan does not hold.
const Hidden = "[hidden]"

// NotReturned stands in place of a former value that the target does not return:
// there may be none.
const NotReturned = "[not returned]"

// NowText stands in a label until the change is carried out: a plan has no
// clock.
const NowText = "[now]"

// Show writes down what differs, in both forms of the format: also that nothing does.
func (c *Change) Show(changes []FieldChange) {
	if changes == nil {
		changes = []FieldChange{}
	}
	c.ChangedFields, c.FieldChanges = map[string]OldNew{}, changes
	for _, x := range changes {
		c.ChangedFields[x.Field] = OldNew{Old: x.CurrentValue, New: x.DesiredValue}
	}
}

// DropUnusedExpressions keeps only those that the update sends.
func (c *Change) DropUnusedExpressions() {
	c.Expressions = slices.DeleteFunc(c.Expressions, func(e Expression) bool {
		_, sent := value.Get(c.Fields, value.ParsePath(e.Field))
		return !sent
	})
	for path := range c.References {
		if _, sent := value.Get(c.Fields, value.ParsePath(path)); !sent {
			delete(c.References, path)
		}
	}
}

// IsHidden reports whether a value stands for one that is not in the plan.
func IsHidden(x any) bool { return x == Hidden || x == Secret || x == NotReturned }

// HoldsHidden reports whether a value has a part that is not in the plan.
func HoldsHidden(x any) bool {
	switch d := x.(type) {
	case string:
		return IsHidden(d) || (strings.HasPrefix(d, "[env:") && strings.HasSuffix(d, "]"))
	case []any:
		return slices.ContainsFunc(d, HoldsHidden)
	case map[string]any:
		for _, y := range d {
			if HoldsHidden(y) {
				return true
			}
		}
	}
	return false
}

// HideLike returns a value with those parts hidden that another one, which stands
// in a plan at the same place, does not show.
func HideLike(like, v any) any {
	if v == nil || !HoldsHidden(like) {
		return v
	}
	shape, isMap := like.(map[string]any)
	fields, ok := v.(map[string]any)
	if !isMap || !ok {
		return Hidden // which items of lists are hidden is not known
	}
	out := make(map[string]any, len(fields))
	for k, x := range fields {
		out[k] = HideLike(shape[k], x)
	}
	return out
}

// AncestorsOf are the ids above the resource of a change.
func AncestorsOf(c *Change) []string {
	if c.Parent == nil {
		return nil
	}
	return c.Parent.Ancestors
}

// Settle says where the change's resource is now.
func (c *Change) Settle(ancestors []string) {
	if c.Parent != nil && len(ancestors) > 0 {
		c.Parent.Ancestors, c.Parent.ID = ancestors, ancestors[len(ancestors)-1]
	}
}

// UnknownID stands for an id that a change of the plan makes known.
const UnknownID = value.UnknownText

// EnvPlaceholder stands for the value of a variable.
func EnvPlaceholder(e Expression) string {
	name, _ := e.Expression["env"].(string)
	return "[env:" + name + "]"
}

// IsEnvPlaceholder reports whether a value stands for that of a variable.
func IsEnvPlaceholder(x any) bool {
	text, _ := x.(string)
	return strings.HasPrefix(text, "[env:") && strings.HasSuffix(text, "]")
}

// Detached is a reference that an update drops before what it leads to is
// deleted.
type Detached struct {
	Field string `json:"field"`
	Type  string `json:"type"`
	Ref   string `json:"ref"`
	ID    string `json:"id"`
}

// Pending is a resource that is not planned, because it waits for something
// that others make.
type Pending struct {
	ResourceType string `json:"resource_type"`
	ResourceRef  string `json:"resource_ref"`
	Reason       string `json:"reason"`
	WaitsFor     string `json:"waits_for"`
}

// Filters are the patterns that a plan was made with.
type Filters struct {
	Ignore  []string `json:"ignore"`
	Isolate []string `json:"isolate"`
}

// SameParent reports whether two changes stand below one resource.
func SameParent(c, d *Change) bool {
	if c.Parent == nil || d.Parent == nil {
		return c.Parent == d.Parent
	}
	return c.Parent.ID == d.Parent.ID
}
