package restate

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// variable is a value from the environment as a configuration writes it.
func variable(field string, e map[string]any) (value.Value, error) {
	name, _ := e[string(value.OpEnv)].(string)
	part, _ := e["extract"].(string)
	if name == "" || plan.IsCredential(name) {
		return value.Value{}, unfitf("%s: the variable %q may not be read by plans", field, name)
	}
	return value.ExprAt(value.Pos{}, value.Expression{Op: value.OpEnv, Name: name, Field: part}), nil
}

// reference is a field of another resource as a configuration writes it.
func reference(r plan.Reference) value.Value {
	e := value.Expression{Op: value.OpRef, Name: r.Ref, Field: "id"}
	if r.Field != "" {
		e.Field = r.Field
	}
	return value.ExprAt(value.Pos{}, e)
}

// byID refuses a reference to another field than the id where a change says what its
// resource belongs to.
func byID(t *catalog.Bound, c *plan.Change) error {
	for _, path := range slices.Sorted(maps.Keys(c.References)) {
		p, r := value.ParsePath(path), c.References[path]
		if r.Field == "" {
			continue
		}
		if t.Tree != nil && p.String() == t.Tree.Parent || t.Write().At(p.Generic(), c.Fields) == nil && !isMapKey(t, p) {
			return unfitf("references.%s: it takes the id of %q, not the field %s", path, r.Ref, r.Field)
		}
	}
	return nil
}

// unseen reports whether nothing that exists shows the value of a changed field.
func unseen(t *catalog.Bound, c *plan.Change, f plan.FieldChange) bool {
	at := value.ParsePath(f.Field)
	return f.Field == plan.ProtectedField || f.Field == catalog.Withheld(t) ||
		slices.ContainsFunc(c.SecretWrites, func(s plan.Expression) bool { return at.HasPrefix(value.ParsePath(s.Field)) })
}

// desired is what a change makes of a field, with the values of variables and the ids
// that are known here.
func (b *builder) desired(t *catalog.Bound, c *plan.Change, f plan.FieldChange) any {
	at, out := value.ParsePath(f.Field), value.Clone(f.DesiredValue)
	for _, e := range c.Expressions {
		p := value.ParsePath(e.Field)
		name, _ := e.Expression[string(value.OpEnv)].(string)
		part, _ := e.Expression["extract"].(string)
		text, set := b.env(name)
		if !set || !p.HasPrefix(at) {
			continue
		}
		if v, err := value.FromEnv(text, part); err == nil {
			if s := t.Write().At(p.Generic(), c.Fields); s != nil {
				v = s.Coerce(v)
			}
			out = value.Set(out, p[len(at):], v)
		}
	}
	for path, r := range c.References {
		p := value.ParsePath(path)
		if v, ok := b.given(r); ok && p.HasPrefix(at) {
			out = value.Set(out, p[len(at):], v)
		}
	}
	for _, s := range c.SecretWrites {
		if p := value.ParsePath(s.Field); p.HasPrefix(at) && len(p) > len(at) {
			value.Delete(out, p[len(at):])
		}
	}
	return out
}

// given is what a reference gives, where the plan says it.
func (b *builder) given(r plan.Reference) (any, bool) {
	if id := known(r.ID); id != "" && r.Field == "" {
		return id, true
	}
	for _, x := range b.changes {
		switch {
		case r.Ref == "" || x.ResourceRef != r.Ref:
		case r.Field == "":
			id := known(x.ResourceID)
			return id, id != ""
		default:
			v, ok := value.Get(x.Fields, value.ParsePath(r.Field))
			return v, ok && !plan.HoldsHidden(v)
		}
	}
	return nil, false
}
