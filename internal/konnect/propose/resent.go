package propose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/value"
)

// resent are the secrets that an update sends: those that it was asked to write or
// would lose, those that the request must have, and those of a part that is new or gets
// another form, which Konnect cannot have yet.
func resent(t *catalog.Bound, desired build.Desired, d diff.Delta) []plan.Expression {
	var out []plan.Expression
	for _, e := range desired.Secrets {
		p := value.ParsePath(e.Field)
		asked := slices.ContainsFunc(desired.Asked, func(a plan.Expression) bool { return a.Field == e.Field })
		if asked || !t.Immutable(p.Generic()) && (overwritten(t, p, desired) || demanded(t, p, desired) || configured(t, p, desired, d) ||
			slices.ContainsFunc(d.Changes, func(c diff.Change) bool { return around(t, p, c.Path, desired) })) {
			out = append(out, e)
		}
	}
	return out
}

// configured reports whether an update sends the configuration of the plugin that a
// secret is one of: whether Konnect then keeps the secrets that it lacks is not said
// anywhere.
func configured(t *catalog.Bound, secret value.Path, desired build.Desired, d diff.Delta) bool {
	return fieldSchema(t.Update.Body(), secret, desired.Plain).Tabled() &&
		(slices.ContainsFunc(d.Changes, func(c diff.Change) bool { return c.Path[0] == secret[0] }) ||
			slices.ContainsFunc(desired.Asked, func(a plan.Expression) bool { return value.ParsePath(a.Field)[0] == secret[0] }))
}

// ofForm are the secrets that a resource can have as it is: those of another form are
// written with it.
func ofForm(t *catalog.Bound, secrets []plan.Expression, live map[string]any) []plan.Expression {
	var out []plan.Expression
	for _, e := range secrets {
		p := value.ParsePath(e.Field)
		_, there := value.Get(live, p[:len(p)-1])
		if f := t.Update.Body().At(p.Generic(), live); there && f != nil && f.Secret {
			out = append(out, e)
		}
	}
	return out
}

// overwritten reports whether an update has a field in the very form of the create:
// what such a PUT leaves out may be lost. Others say that they know of secrets.
func overwritten(t *catalog.Bound, p value.Path, desired build.Desired) bool {
	if !t.Puts() || t.Create == nil || t.Create == t.Update {
		return false
	}
	for n := range p {
		made := fieldSchema(t.Create.Body(), p[:n+1], desired.Plain)
		put := fieldSchema(t.Update.Body(), p[:n+1], desired.Plain)
		if made != nil && put != nil && made.Name != "" && made.Name == put.Name {
			return true
		}
	}
	created, updated := t.Create.Body().Pick(desired.Plain), t.Update.Body().Pick(desired.Plain)
	return created != nil && updated != nil && created.Name != "" && created.Name == updated.Name
}

// demanded reports whether the request cannot do without a field.
func demanded(t *catalog.Bound, p value.Path, desired build.Desired) bool {
	parent := fieldSchema(t.Update.Body(), p[:len(p)-1], desired.Plain)
	if parent == nil || len(p) == 1 {
		return false
	}
	at, _ := value.Get(desired.Plain, p[:len(p)-1])
	m, _ := at.(map[string]any)
	f := parent.Object(m).Field(p[len(p)-1])
	return f != nil && f.Required
}

// around reports whether a change is of something that a secret lies in: a list
// or a mapping that is sent whole, or the field that picks its form.
func around(t *catalog.Bound, secret, changed value.Path, desired build.Desired) bool {
	if len(changed) < len(secret) && secret.HasPrefix(changed) {
		return true
	}
	last := len(changed) - 1
	if last >= len(secret) || !secret.HasPrefix(changed[:last]) {
		return false
	}
	parent := fieldSchema(t.Write(), changed[:last], desired.Plain)
	if parent == nil {
		return false
	}
	property, _ := parent.Selector()
	return property != "" && property == changed[last]
}

// writeAgain makes changes of the fields that are to be written though Konnect does
// not return them.
func writeAgain(s build.Subject, d *diff.Delta, desired build.Desired) {
	if s.Again == nil {
		return
	}
	t := catalog.OfType(s.Type)
	d.Unseen = slices.DeleteFunc(d.Unseen, func(p value.Path) bool {
		if !s.Again(p.String()) {
			return false
		}
		now, _ := value.Get(desired.Plain, p)
		d.Changes = append(d.Changes, diff.Change{Path: p, Old: plan.Hidden, New: now, Immutable: t.Immutable(p.Generic()), Hidden: true})
		return true
	})
}

// unseen are the declared fields that Konnect does not return, and that are not
// among those written.
func unseen(desired build.Desired, d diff.Delta, written []plan.Expression) []string {
	var out []string
	for _, e := range desired.Secrets {
		if !slices.ContainsFunc(written, func(w plan.Expression) bool { return w.Field == e.Field }) {
			out = append(out, e.Field)
		}
	}
	for _, p := range d.Unseen {
		if !slices.ContainsFunc(desired.Secrets, func(e plan.Expression) bool { return value.ParsePath(e.Field).HasPrefix(p) }) {
			out = append(out, p.String()) // a list of secrets is named by its items
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
