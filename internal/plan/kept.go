package plan

import (
	"maps"
	"slices"
	"strings"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/resource"

	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/label"
	"kongctl/internal/value"
)

// kept is what is declared of a resource and, in apply, what is not declared and
// the resource has that it replaces, or that goes with its replaced parent:
// apply changes nothing else. What a create cannot say, and secrets, are lost.
func (b *builder) kept(r *resource.Resource, declared map[string]any, op *contract.Operation) map[string]any {
	old := b.Snapshot.Object(r)
	if b.Mode != ModeApply || old == nil || b.object(r) != nil {
		return declared
	}
	out, _ := value.Clone(declared).(map[string]any)
	for _, k := range slices.Sorted(maps.Keys(old.Fields)) {
		x := old.Fields[k]
		if value.Empty(x) || !writable(catalog.Of(r), k, op.Body()) || catalog.Of(r).Tree != nil && k == catalog.Of(r).Tree.Parent || b.leadsToReplaced(x) {
			continue
		}
		if k == "labels" && catalog.Of(r).HasLabels() {
			x = ofPeople(remote.Labels(old))
		}
		with := maps.Clone(out)
		if with == nil {
			with = map[string]any{}
		}
		with[k] = value.Clone(x)
		if d, there := out[k]; there {
			with[k] = overlay(with[k], d)
		}
		fit, _ := op.Body().Filter(with, func(field *contract.Schema, allowed bool, _ any) bool {
			return !allowed || field != nil && (field.ReadOnly || field.Secret)
		}).(map[string]any)
		if with[k] = fit[k]; len(catalog.Of(r).Validate(op, with, nothingUnknown)) <= len(catalog.Of(r).Validate(op, out, nothingUnknown)) {
			out = with
		}
	}
	return out
}

func nothingUnknown([]string) bool { return false }

// leadsToReplaced reports whether a value holds the id of something that the
// plan deletes and creates again.
func (b *builder) leadsToReplaced(x any) bool {
	text := string(value.Canonical(x))
	for r := range b.replaced {
		if o := b.Snapshot.Object(r); o != nil && o.ID != "" && strings.Contains(text, o.ID) {
			return true
		}
	}
	return false
}

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
