package propose

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Forgets lists the fields that a resource cannot be made without and that the plan does
// not hold, those that come from the environment, and the secrets that it may have. Those
// of plugins it has where Konnect returned them, and only there.
func (Proposer) Forgets(of *resource.Type, o *resource.Object, kept map[string]any) (f build.Forgotten) {
	t := catalog.OfType(of)
	fields, lost := formerState(t, &plan.Change{CurrentState: kept, With: &plan.Change{}})
	needed, secrets := lacking(t, fields)
	f.Needed = needed
	f.Variable = slices.DeleteFunc(lost, func(name string) bool { return slices.Contains(needed, name) })
	for _, name := range needed {
		if s := t.Write().At(value.ParsePath(name), fields); s != nil && s.Secret {
			secrets = append(secrets, name)
		}
	}
	secrets = slices.DeleteFunc(secrets, func(name string) bool { return t.Write().At(value.ParsePath(name), fields).Tabled() })
	for _, p := range configuredSecrets(t.Write(), o.Fields, nil) {
		secrets = append(secrets, p.String())
	}
	slices.Sort(secrets)
	f.Secrets = possible(t, kept, slices.Compact(secrets))
	return f
}

// lacking lists the fields without which a resource of which a plan holds these cannot be
// made again, and the secrets that it may have had. What comes with its parent is made
// without them: its secrets are all of the second kind.
func lacking(t *catalog.Bound, fields map[string]any) (needed, secrets []string) {
	missing, secrets := gaps(t.Write(), fields, nil)
	if t.Optional() {
		return missing, secrets
	}
	for _, name := range missing {
		if s := t.Write().At(value.ParsePath(name), fields); s != nil && s.Secret {
			secrets = append(secrets, name)
		}
	}
	return nil, secrets
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
	_, secrets := lacking(t, fields)
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
