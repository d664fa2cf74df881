package propose

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan/build"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/value"
)

// kept is what is declared of a resource and, in apply, what is not declared and
// the resource has that it replaces, or that goes with its replaced parent:
// apply changes nothing else. What a create cannot say, and secrets, are lost.
func kept(s build.Subject, declared map[string]any, op *contract.Operation) map[string]any {
	old, t := s.Was, catalog.OfType(s.Type)
	if s.Mode != plan.ModeApply || old == nil {
		return declared
	}
	s.Desired.Plain = declared
	out, _ := value.Clone(completed(s, op, old.Fields)).(map[string]any)
	had, _ := value.Clone(old.Fields).(map[string]any)
	for _, p := range slices.Concat(unsetOf(s), nulledOf(s)) {
		value.Delete(had, p)
	}
	for _, k := range slices.Sorted(maps.Keys(had)) {
		x := had[k]
		if value.Empty(x) || !writable(t, k, catalog.BodyOf(t, op)) || t.Tree != nil && k == t.Tree.Parent || s.Lost(x) {
			continue
		}
		if k == "labels" && t.HasLabels() {
			x = ofPeople(catalog.Labels(old))
		}
		with := maps.Clone(out)
		if with == nil {
			with = map[string]any{}
		}
		with[k] = value.Clone(x)
		if d, there := out[k]; there {
			with[k] = overlay(catalog.BodyOf(t, op).At([]string{k}, nil), with[k], d)
		}
		fit, _ := catalog.BodyOf(t, op).Filter(with, func(field *contract.Schema, allowed bool, _ any) bool {
			return !allowed || field != nil && (field.ReadOnly || field.Secret)
		}).(map[string]any)
		if with[k] = fit[k]; len(t.Validate(op, with, nothingUnknown)) <= len(t.Validate(op, out, nothingUnknown)) {
			out = with
		}
	}
	return out
}

// completed is what is declared of a resource, with what a request must say of the items
// of its lists for them to stay.
func completed(s build.Subject, op *contract.Operation, live map[string]any) map[string]any {
	t := catalog.OfType(s.Type)
	hidden := func(in value.Path) bool {
		return slices.ContainsFunc(s.Desired.Env, func(e plan.Expression) bool { return value.ParsePath(e.Field).HasPrefix(in) })
	}
	with := diff.Beside{Unset: unsetOf(s), Nulled: nulledOf(s)}
	return diff.Completed(t, catalog.BodyOf(t, op), s.Desired.Plain, live, diffMode(s.Mode), with, hidden)
}

func nothingUnknown([]string) bool { return false }

// ofPeople are the labels that are not kongctl's.
func ofPeople(labels map[string]string) map[string]any {
	out := map[string]any{}
	for k, x := range labels {
		if !label.Ours(k) {
			out[k] = x
		}
	}
	return out
}
