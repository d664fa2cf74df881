package propose

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Forgets lists the fields that a resource cannot be made without and that Konnect does
// not return, and the secrets that it may have. Those of plugins it has where Konnect
// returned them, and only there.
func (Proposer) Forgets(of *resource.Type, o *resource.Object, kept map[string]any) (needed, secrets []string) {
	t := catalog.OfType(of)
	fields, _ := formerState(t, &plan.Change{CurrentState: kept})
	missing, secrets := gaps(t.Write(), fields, nil)
	for _, name := range missing {
		switch s := t.Write().At(value.ParsePath(name), fields); {
		case s != nil && s.Secret:
			secrets = append(secrets, name)
		case t.Create != nil && t.Optional():
			needed = append(needed, name)
		}
	}
	secrets = slices.DeleteFunc(secrets, func(name string) bool { return t.Write().At(value.ParsePath(name), fields).Tabled() })
	for _, p := range configuredSecrets(t.Write(), o.Fields, nil) {
		secrets = append(secrets, p.String())
	}
	slices.Sort(secrets)
	return needed, possible(t, kept, slices.Compact(secrets))
}

// had leaves out the secrets of plugins that a deleted resource did not have, where the
// plan says which ones it had.
func had(t *catalog.Bound, c *plan.Change, fields map[string]any, secrets []string) []string {
	kept := c.KeptOf()
	if kept == nil {
		return possible(t, c.CurrentState, secrets)
	}
	tabled := func(name string) bool { return t.Write().At(value.ParsePath(name), fields).Tabled() }
	secrets = slices.DeleteFunc(secrets, tabled)
	for _, name := range kept.Secrets {
		if tabled(name) {
			secrets = append(secrets, name)
		}
	}
	slices.Sort(secrets)
	return possible(t, c.CurrentState, slices.Compact(secrets))
}

// possible leaves out the secrets of settings that a resource did not have.
func possible(t *catalog.Bound, state map[string]any, secrets []string) []string {
	if len(t.Elsewhere) == 0 {
		return secrets
	}
	in, _, _ := strings.Cut(t.Elsewhere[0].At, ".")
	if state[in] != nil {
		return secrets
	}
	for _, e := range t.Elsewhere {
		if state[e.Field] != nil {
			return secrets
		}
	}
	word, _, _ := strings.Cut(in, "_")
	return slices.DeleteFunc(secrets, func(name string) bool { return strings.HasPrefix(name, word+"_") })
}

// undoReset brings what comes with its parent, and was lost with it, to what it
// was.
func (v undoing) undoReset(t *catalog.Bound, c *plan.Change) *plan.Change {
	made := v.Remade(c.Parent.ID)
	if made == nil || t.Update == nil {
		return nil // it is lost with its parent, which was reported
	}
	fields, lost := formerState(t, c)
	fields = catalog.Given(t, fields)
	if field := catalog.OrderField(t); field != "" {
		ids, _ := fields[field].([]any)
		fields[field] = slices.DeleteFunc(slices.Clone(ids), func(x any) bool {
			id, _ := x.(string)
			return v.Remade(id) == nil // it does not come back, which was reported
		})
	}
	_, secrets := gaps(t.Write(), fields, nil)
	if secrets = had(t, c, fields, secrets); len(fields)+len(lost)+len(secrets) == 0 {
		return nil // it comes back as it was
	}
	back := v.Start(c, plan.Update)
	back.Fields = fields
	back.Settle(plan.AncestorsOf(c))
	back.ExecutionContext = call(t.Update)
	v.tellLost(t, c, back, lost, secrets)
	return back
}
