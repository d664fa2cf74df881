package language

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// environment checks a field that takes its value from a variable, and keeps
// the value: the contract is asked of it, and it is never shown.
func (c checker) environment(p value.Path, e *value.Expression, schema *contract.Schema) {
	if schema != nil && schema.Secret {
		return // becomes a secret, which is looked up when it is written
	}
	text, ok := c.opts.Env(e.Name)
	if !ok {
		code, detail, fix := diag.Unread(fmt.Sprintf("The %s takes %s", c.what(), p), e.Name, text)
		c.add(code, p, detail, fix)
		return
	}
	v, err := value.FromEnv(text, e.Field)
	if err != nil {
		c.add(diag.SrcExtract, p, fmt.Sprintf("The %s takes %s from the environment variable %s: %v.", c.what(), p, e.Name, err), fmt.Sprintf("set %s to JSON that has %s, or correct the path.", e.Name, e.Field))
		return
	}
	c.env[p.String()] = variable{e.Name, p, catalog.Of(c.r).Write().At(p.Generic(), nil).Coerce(v)}
}

// variable is what a field takes from the environment.
type variable struct {
	name string
	path value.Path
	v    any
}

// variable finds the variable that what a path leads to comes from.
func (c checker) variable(p value.Path) (variable, bool) {
	for n := len(p); n > 0; n-- {
		if v, ok := c.env[p[:n].String()]; ok {
			return v, true
		}
	}
	return variable{}, false
}

// takesBelow tells whether a part of what a path leads to comes from the
// environment, so that nothing is to be said of it.
func (c checker) takesBelow(p value.Path) bool {
	for _, v := range c.env {
		if v.path.HasPrefix(p) {
			return true
		}
	}
	return false
}

// known is the resource with the values of variables; placeholders stand for
// what is not known yet.
func (c checker) known() map[string]any {
	body, _ := c.r.Fields.Plain(func(p value.Path, e *value.Expression) any {
		if v, ok := c.env[p.String()]; ok {
			return value.Clone(v.v)
		}
		return placeholder(p, e)
	}).(map[string]any)
	return body
}

// badVariable words what the contract refuses of a variable's value, without
// the value.
func (c checker) badVariable(from variable, v contract.Violation) {
	c.tellVariable(catalog.Code(v.Rule), from, c.refusal(from, v), variableFix(from, v, c.schema(from.path)))
}

func (c checker) tellVariable(code diag.Code, from variable, detail, fix string) {
	c.add(code, from.path, fmt.Sprintf("The value of $%s, which the %s takes for %s, %s.", from.name, c.what(), from.path, detail), fix)
}

func (c checker) refusal(from variable, v contract.Violation) string {
	if from.v == "" && (v.Rule == contract.RulePattern || v.Rule == contract.RuleLength) {
		return "must not be empty"
	}
	switch v.Rule {
	case contract.RuleEnum:
		return "must be " + diag.Join(v.Allowed, "or")
	case contract.RulePattern:
		says, _ := c.pattern(v.Path, v.Detail)
		return strings.TrimSuffix(says, ".")
	case contract.RuleRequired:
		return "needs the field " + v.Path[len(v.Path)-1]
	case contract.RuleUnknown:
		return "holds a field that does not belong there"
	case contract.RuleUnion:
		return "has none of the forms that are allowed there"
	default:
		// How long it is, or what repeats in it, is a part of the value.
		detail, _, _ := strings.Cut(v.Detail, ", has ")
		detail, _, _ = strings.Cut(detail, ", but ")
		return detail
	}
}

func variableFix(from variable, v contract.Violation, s *contract.Schema) string {
	switch {
	case v.Rule == contract.RuleEnum && len(v.Allowed) <= few:
		return fmt.Sprintf("set %s to %s.", from.name, diag.Join(v.Allowed, "or"))
	case v.Rule == contract.RuleType && s != nil && s.Type == "string" && isScalar(from.v):
		return fmt.Sprintf("write it in quotes where it comes from, in the JSON of %s.", from.name)
	case v.Rule == contract.RuleType && s != nil && s.Type == "boolean":
		return fmt.Sprintf("set %s to true or false.", from.name)
	case v.Rule == contract.RuleType && s != nil && (s.Type == "integer" || s.Type == "number"):
		return fmt.Sprintf("set %s to a number.", from.name)
	default:
		return fmt.Sprintf("give %s another value.", from.name)
	}
}

// isScalar reports whether a value that is no text is a number or a boolean.
func isScalar(v any) bool {
	switch v.(type) {
	case json.Number, bool:
		return true
	default:
		return false
	}
}
