package propose

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/value"
)

// BySecret is the rule that refuses updates that would need a secret that nothing
// declares.
const BySecret = "undeclared-secret"

// guardSecrets refuses an update that must send a secret that is not declared:
// Konnect does not return it. Where Konnect replaces the whole and takes it without
// the secret, a note says that it is unset.
func guardSecrets(s build.Subject, out *build.Proposal) {
	t := catalog.OfType(s.Type)
	needed, unset := lostSecrets(t, s.Live.Fields, out.Fields, out.Secrets)
	if len(needed) > 0 {
		out.Refused, out.RefusedBy = needsSecrets(s, out.Fields, needed), BySecret
		return
	}
	for _, p := range unset {
		if slices.ContainsFunc(out.Changes, func(c plan.FieldChange) bool { return c.Field == p }) {
			continue // it is declared as null
		}
		why := fmt.Sprintf("Konnect replaces the whole %s, and unsets it if it was set", s.Type.Words)
		if !t.Puts() {
			why = "the update sends what is around it, and Konnect may unset it"
		}
		out.Notes = append(out.Notes, fmt.Sprintf("%s is not declared: %s. To keep it, declare %s", p, why, declaration(s, out.Fields, p)))
	}
}

// declaration is how to declare a secret.
func declaration(s build.Subject, fields map[string]any, field string) string {
	body := catalog.OfType(s.Type).Update.Body()
	return field + ": " + catalog.SecretForm(fieldSchema(body, value.ParsePath(field), fields), "!env NAME")
}

// needsSecrets says what to declare, and where.
func needsSecrets(s build.Subject, fields map[string]any, needed []string) string {
	var fix []string
	for _, p := range needed {
		fix = append(fix, declaration(s, fields, p))
	}
	return fmt.Sprintf("%s: %s must be sent with every update, is not declared, and Konnect does not return it. Declare %s", s.Resource.Pos, strings.Join(needed, ", "), strings.Join(fix, ", "))
}

// lostSecrets are the secrets that an update must send and does not, and those that
// Konnect unsets because the update replaces the whole without them. What the
// resource cannot have now is not lost.
func lostSecrets(t *catalog.Bound, live, fields map[string]any, written []plan.Expression) (needed, unset []string) {
	body := t.Update.Body()
	sent, _ := value.Clone(fields).(map[string]any)
	for _, e := range written {
		sent, _ = value.Set(sent, value.ParsePath(e.Field), plan.UnknownID).(map[string]any)
	}
	missing, optional := gaps(body, sent, nil)
	for _, name := range missing {
		if f := body.At(value.ParsePath(name), sent); f != nil && f.Secret {
			needed = append(needed, name)
		}
	}
	for _, name := range optional {
		p := value.ParsePath(name)
		above, there := value.Get(live, p[:len(p)-1])
		_, isMap := above.(map[string]any)
		if body.At(p, sent).Tabled() {
			continue // Konnect returns the configuration of a plugin
		}
		if (len(p) == 1 || there && isMap) && body.At(p, live) != nil && overwritten(t, p, build.Desired{Plain: sent}) {
			unset = append(unset, name)
		}
	}
	for _, p := range configuredSecrets(body, live, nil) {
		_, kept := value.Get(sent, p)
		if around, _ := value.Get(sent, p[:len(p)-1]); around != nil && !kept {
			unset = append(unset, p.String())
		}
	}
	slices.Sort(needed)
	slices.Sort(unset)
	return needed, possible(t, live, unset)
}

// configuredSecrets are the secrets of plugins that Konnect returned.
func configuredSecrets(s *contract.Schema, v any, at value.Path) []value.Path {
	return returnedSecrets(s, v, at, (*contract.Schema).Tabled)
}

// returnedSecrets are the secrets of some kind that Konnect returned.
func returnedSecrets(s *contract.Schema, v any, at value.Path, of func(*contract.Schema) bool) (out []value.Path) {
	switch x := v.(type) {
	case map[string]any:
		o := s.Object(x)
		for _, k := range slices.Sorted(maps.Keys(x)) {
			field := o.Values
			if f := o.Field(k); f != nil {
				field = f.Schema
			}
			switch p := at.Child(k); {
			case field == nil:
			case !field.Secret:
				out = append(out, returnedSecrets(field, x[k], p, of)...)
			case of(field) && !value.Empty(x[k]) && inClear(x[k]):
				out = append(out, p)
			}
		}
	case []any:
		for i := range x {
			out = append(out, returnedSecrets(s.Item(), x[i], at.Index(i), of)...)
		}
	}
	return out
}
