package propose

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Rules are what changes of Konnect may ask for.
type Rules struct{}

var (
	_ plan.Rules      = Rules{}
	_ plan.FieldRules = Rules{}
)

// rules are those of one plan.
type rules struct{ check *plan.Validation }

// Check checks one change.
func (Rules) Check(check *plan.Validation, c *plan.Change) {
	v := rules{check}
	neutral := check.Types.Kind(c.ResourceType)
	t := catalog.OfType(neutral)
	if v.operation(c, t) == nil {
		v.check.Say(c, "the type %s does not support %s", c.ResourceType, c.Action)
		return
	}
	v.call(c, t)
	v.check.Action(c, neutral)
	v.place(c, t)
	v.check.Namespace(c, neutral)
	v.check.Expectation(c, neutral)
	v.check.References(c, neutral)
	v.expressions(c, t)
	v.payload(c, t)
	if len(c.GatewayChanges) > 0 {
		v.check.Say(c, "gateway_changes belong to decK")
	}
}

// Has reports whether a field of a type can be written.
func (Rules) Has(t *resource.Type, field value.Path) bool {
	return catalog.OfType(t).Write().At(field, nil) != nil
}

// call checks that a change makes the call that it shows.
func (v rules) call(c *plan.Change, t *catalog.Bound) {
	op := v.operation(c, t)
	former := plan.ExecutionContext{HTTPMethod: op.Method, APIEndpoint: op.Path} // of an item, in plans of before
	if got := c.ExecutionContext; got != call(op) && got != former {
		v.check.Say(c, "execution_context is %s %s, and this change calls %s", got.HTTPMethod, got.APIEndpoint, op.Carrier().Key())
	}
	if v.check.Plan.Metadata.Mode == plan.ModeAdopt && !marks(c, t) {
		v.check.Say(c, "a plan for adopt writes labels, and nothing else")
	}
}

// marks reports whether a change writes labels, and nothing else. What replaces a
// whole resource sends the rest as it is.
func marks(c *plan.Change, t *catalog.Bound) bool {
	_, labels := c.Fields["labels"]
	if c.Action != plan.Update || !labels {
		return false
	}
	if !t.Puts() {
		return len(c.Fields) == 1
	}
	for k, v := range c.Fields {
		if k != "labels" && !value.Equal(v, c.CurrentState[k]) {
			return false
		}
	}
	return len(c.SecretWrites) == 0 && len(c.Expressions) == 0
}
