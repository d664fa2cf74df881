package drive

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// acceptable checks what a change sends: a create against all that Konnect asks,
// an update where a value is not of the plan. Values that are missing, and those that
// other changes make while they are open, are not looked at. Errors never show a value.
func (d *Driver) acceptable(call *execute.Call, open bool) error {
	c := call.Change
	t := d.Catalog.Kind(c.ResourceType)
	op := t.Create
	if c.Action == plan.Update {
		op = catalog.UpdateBy(t, c.ExecutionContext.HTTPMethod)
	}
	if op == nil || c.Action == plan.Delete {
		return nil
	}
	body, _ := value.Clone(call.Fields).(map[string]any)
	date(body, func() string { return label.TimeForm }) // any time will do
	var unknown []value.Path
	for path, ref := range c.References {
		if open && ref.Change != "" {
			unknown = append(unknown, value.ParsePath(path))
		}
	}
	for _, m := range call.Missing {
		unknown = append(unknown, value.ParsePath(m.Field))
	}
	skip := func(path []string) bool {
		for _, p := range unknown {
			if value.Path(path).HasPrefix(p) {
				return true
			}
		}
		return false
	}
	var problems []error
	for _, v := range t.Validate(op, body, skip) {
		if err := refusal(t, c, v); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// unfitError is a value of another resource that the contract does not let stand where
// the plan puts it: to send it again cannot help.
type unfitError struct{ error }

// Rejected reports that it stays wrong.
func (*unfitError) Rejected() bool { return true }

// Unwrap returns what is wrong.
func (e *unfitError) Unwrap() error { return e.error }

// refusal words what is wrong with a value. Of an update that sends what exists
// only what the plan does not hold is of interest.
func refusal(t *catalog.Bound, c *plan.Change, v contract.Violation) error {
	p := value.Path(v.Path)
	for _, e := range c.Expressions {
		if touches(p, e.Field) {
			says := wordless(t, p, v)
			err := fmt.Errorf("%s: the value of $%v %s. Set %[2]v to another value and run the same plan again", p, e.Expression["env"], says)
			return execute.NewMisfit(err, execute.Misfit{
				Change: c, Field: p.String(), From: fmt.Sprintf("$%v", e.Expression["env"]), Says: "and that value " + says, Code: string(catalog.Code(v.Rule)),
				Fix: fmt.Sprintf("set %v to another value and run the same plan again.", e.Expression["env"]),
			})
		}
	}
	for _, e := range c.SecretWrites {
		if touches(p, e.Field) {
			from, says := secretSource(e), wordless(t, p, v)
			err := fmt.Errorf("%s: the secret%s %s", p, from, says)
			return execute.NewMisfit(err, execute.Misfit{
				Change: c, Field: p.String(), From: cmp.Or(strings.TrimPrefix(from, " of "), "!secret"), Says: "and that value " + says, Code: string(catalog.Code(v.Rule)),
				Fix: fmt.Sprintf("use another secret%s.", strings.Replace(from, " of ", " in ", 1)),
			})
		}
	}
	for path, ref := range c.References {
		if touches(p, path) {
			return &unfitError{fmt.Errorf("%s: the value of the reference %s (%s) %s", p, ref.Ref, cmp.Or(ref.Field, "id"), wordless(t, p, v))}
		}
	}
	if c.Action == plan.Update {
		return nil
	}
	return fmt.Errorf("%s: %s", p, v.Detail)
}

func touches(p value.Path, field string) bool {
	q := value.ParsePath(field)
	return p.HasPrefix(q) || q.HasPrefix(p)
}

// wordless says what a value breaks without a part of it.
func wordless(t *catalog.Bound, p value.Path, v contract.Violation) string {
	if f, ok := t.Format(p.Generic()); ok && v.Rule == contract.RuleFormat {
		return "must be " + f.Says()
	}
	switch v.Rule {
	case contract.RuleEnum:
		return "must be one of " + strings.Join(v.Allowed, ", ")
	case contract.RuleRequired:
		return "lacks a required field"
	case contract.RuleNull:
		return "must not be null"
	case contract.RuleType:
		says, _, _ := strings.Cut(v.Detail, ", not ")
		return says
	case contract.RuleUnion, contract.RuleUnknown, contract.RuleOther:
		return "has none of the forms that are allowed there"
	default:
		// How long it is, or what repeats in it, is a part of the value.
		says, _, _ := strings.Cut(v.Detail, ", has ")
		says, _, _ = strings.Cut(says, ", but ")
		return says
	}
}

// secretSource says where a secret comes from: " of $NAME".
func secretSource(e plan.Expression) string {
	from := plan.SecretSources(e)
	var names []string
	for _, name := range from.Variables {
		names = append(names, "$"+name)
	}
	if names = append(names, from.Files...); len(names) == 0 {
		return ""
	}
	return " of " + strings.Join(names, " and ")
}
