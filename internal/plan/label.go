package plan

import (
	"maps"
	"slices"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/resource"

	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/value"
)

// NowText stands in a label until the change is carried out: a plan has no
// clock.
const NowText = "[now]"

// own are the labels of ours that a resource carries.
func (b *builder) own(r *resource.Resource) map[string]any {
	out := map[string]any{
		label.Namespace:   r.Namespace,
		label.Managed:     "true",
		label.Hash:        resourceHash(b.Set, r),
		label.LastUpdated: NowText,
	}
	if r.Protected {
		out[label.Protected] = "true"
	}
	return out
}

func (b *builder) newLabels(r *resource.Resource, desired resolved) map[string]any {
	labels := b.own(r)
	declared, _ := desired.payload(catalog.Of(r))["labels"].(map[string]any)
	for k, v := range declared {
		if v != nil {
			labels[k] = v
		}
	}
	return labels
}

// labelDelta is how labels differ and what to send for it.
type labelDelta struct {
	changes []labelChange
	payload map[string]any
}

type labelChange struct {
	field    string
	old, new any
}

func (d labelDelta) changed() bool { return len(d.changes) > 0 }

// labels compares labels: those of people by what is declared, ours by what
// they must be. Ours never count as a difference, but for protection.
func (b *builder) labels(r *resource.Resource, o *resource.Object) labelDelta {
	if !catalog.Of(r).HasLabels() {
		return labelDelta{}
	}
	resolvedFields := b.resolve(r)
	declared, _ := resolvedFields.plain["labels"].(map[string]any)
	want := map[string]any{} // key -> value, nil to remove
	var d labelDelta
	for _, k := range slices.Sorted(maps.Keys(declared)) {
		v := declared[k]
		have, ok := remote.Labels(o)[k]
		switch {
		case v == nil && !ok, ok && v == any(have):
		default:
			d.changes = append(d.changes, labelChange{value.Path{"labels", k}.String(), orNil(have, ok), v})
			want[k] = v
		}
	}
	if b.Mode == ModeSync {
		for _, k := range slices.Sorted(maps.Keys(remote.Labels(o))) {
			if _, keep := declared[k]; keep || label.Ours(k) {
				continue
			}
			d.changes = append(d.changes, labelChange{value.Path{"labels", k}.String(), remote.Labels(o)[k], nil})
			want[k] = nil
		}
	}
	if was := label.Protects(remote.Labels(o)); was != r.Protected {
		d.changes = append(d.changes, labelChange{"kongctl.protected", was, r.Protected})
		if !r.Protected {
			want[label.Protected] = nil
		}
	}
	for k, v := range b.own(r) {
		want[k] = v
	}
	d.payload = want
	if !catalog.Of(r).LabelsMerge() {
		d.payload = whole(remote.Labels(o), want)
	}
	for _, e := range resolvedFields.env {
		if p := value.ParsePath(e.Field); len(p) == 2 && p[0] == "labels" && d.payload[p[1]] != nil {
			d.payload[p[1]] = envPlaceholder(e)
			d.mask(p.String(), e)
		}
	}
	return d
}

func (d labelDelta) mask(field string, e Expression) {
	for i := range d.changes {
		if d.changes[i].field == field {
			d.changes[i].old, d.changes[i].new = masked, envPlaceholder(e)
		}
	}
}

// whole lays changes over all labels there are.
func whole(have map[string]string, want map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range have {
		out[k] = v
	}
	for k, v := range want {
		if v == nil {
			delete(out, k)
		} else {
			out[k] = v
		}
	}
	return out
}

func orNil(s string, ok bool) any {
	if !ok {
		return nil
	}
	return s
}
