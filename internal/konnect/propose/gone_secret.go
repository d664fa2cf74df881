package propose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// goneSecrets are the secrets that go with the form of a resource or of a part of it:
// the form that it gets has no place for them. One that Konnect returned or that the
// former form needs exists, others may.
func goneSecrets(t *catalog.Bound, live map[string]any, d diff.Delta) (out []plan.FieldChange) {
	if d.Empty() {
		return nil
	}
	next := becomes(live, d)
	tell := func(name string, was any) {
		p := value.ParsePath(name)
		s := t.Write().At(p, live)
		shown := slices.ContainsFunc(d.Changes, func(c diff.Change) bool { return c.Path.String() == name })
		if s == nil || !s.Secret || s.Tabled() && was != plan.Secret || shown || t.Write().At(p, next) != nil {
			return
		}
		out = append(out, plan.FieldChange{Field: name, CurrentValue: was})
	}
	for _, p := range returnedSecrets(t.Write(), live, nil, func(*contract.Schema) bool { return true }) {
		tell(p.String(), plan.Secret)
	}
	missing, secrets := gaps(t.Write(), live, nil)
	for _, name := range missing {
		tell(name, plan.Secret)
	}
	for _, name := range possible(t, live, secrets) {
		tell(name, plan.NotReturned)
	}
	return out
}

// becomes is a resource with changes.
func becomes(live map[string]any, d diff.Delta) map[string]any {
	next, _ := value.Clone(live).(map[string]any)
	for _, c := range d.Changes {
		if c.New == nil {
			value.Delete(next, c.Path)
			continue
		}
		next, _ = value.Set(next, c.Path, value.Clone(c.New)).(map[string]any)
	}
	return next
}
