package propose

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan/build"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/value"
)

// own are the labels of ours that a resource carries.
func own(s build.Subject) map[string]any {
	out := map[string]any{
		label.Namespace:   s.Resource.Namespace,
		label.Managed:     "true",
		label.Hash:        s.Hash(),
		label.LastUpdated: plan.NowText,
	}
	if s.Resource.Protected {
		out[label.Protected] = "true"
	}
	return out
}

func newLabels(s build.Subject, desired build.Desired) map[string]any {
	labels := own(s)
	declared, _ := desired.Payload(s.Type)["labels"].(map[string]any)
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
func labels(s build.Subject, o *resource.Object) labelDelta {
	if !s.Type.Owned {
		return labelDelta{}
	}
	r := s.Resource
	all, there := s.Desired.Plain["labels"]
	declared, _ := all.(map[string]any)
	want := map[string]any{} // key -> value, nil to remove
	var d labelDelta
	for _, k := range slices.Sorted(maps.Keys(declared)) {
		v := declared[k]
		have, ok := catalog.Labels(o)[k]
		switch {
		case v == nil && !ok, ok && v == any(have):
		default:
			d.changes = append(d.changes, labelChange{value.Path{"labels", k}.String(), orNil(have, ok), v})
			want[k] = v
		}
	}
	if s.Mode == plan.ModeSync || there && all == nil {
		for _, k := range slices.Sorted(maps.Keys(catalog.Labels(o))) {
			if _, keep := declared[k]; keep || label.Ours(k) {
				continue
			}
			d.changes = append(d.changes, labelChange{value.Path{"labels", k}.String(), catalog.Labels(o)[k], nil})
			want[k] = nil
		}
	}
	if was := label.Protects(catalog.Labels(o)); was != r.Protected {
		d.changes = append(d.changes, labelChange{"kongctl.protected", was, r.Protected})
		if !r.Protected {
			want[label.Protected] = nil
		}
	}
	for k, v := range own(s) {
		want[k] = v
	}
	d.payload = want
	if !catalog.Of(r).LabelsMerge() {
		d.payload = whole(catalog.Labels(o), want)
	}
	for _, e := range s.Desired.Env {
		if p := value.ParsePath(e.Field); len(p) == 2 && p[0] == "labels" && d.payload[p[1]] != nil {
			d.payload[p[1]] = plan.EnvPlaceholder(e)
			d.mask(p.String(), e)
		}
	}
	return d
}

func (d labelDelta) mask(field string, e plan.Expression) {
	for i := range d.changes {
		if d.changes[i].field == field {
			d.changes[i].old, d.changes[i].new = plan.Hidden, plan.EnvPlaceholder(e)
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
