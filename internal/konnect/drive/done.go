package drive

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// isDone reports whether nothing is left to do for an update. What Konnect does not
// return cannot be compared, so one that writes such a value never is.
func (k *checker) isDone(c *execute.Call, s remote.Scope, o *resource.Object) bool {
	unseen := func(name string) bool { // what has no place in the form that it has now is gone
		return c.Change.ChangedFields[name].Old == plan.NotReturned && s.Type.Write().At(value.ParsePath(name), o.Fields) != nil
	}
	if len(c.Change.SecretWrites) > 0 || slices.ContainsFunc(slices.Collect(maps.Keys(c.Change.ChangedFields)), unseen) || !k.carriedOut(c, s, o) {
		return false
	}
	_, w, err := k.d.filled(c)
	return err == nil && len(undone(s.Type, c.Change, w.Fields, o).Unseen) == 0
}

// carriedOut reports whether a resource is what an update makes of it, as far as that
// can be compared: the rest is written again.
func (k *checker) carriedOut(c *execute.Call, s remote.Scope, o *resource.Object) bool {
	if c.Change.Action != plan.Update || len(c.Change.Detaches) > 0 || remains(s.Type, c.Change, o) {
		return false
	}
	_, w, err := k.d.filled(c)
	if err != nil {
		return false
	}
	return undone(s.Type, c.Change, w.Fields, o).Empty() && identified(s.Type, w.Fields, o)
}

// undone is what an update would still change, compared as the planner compares. A PUT
// takes away all that it does not send, other updates what they announce. The secrets
// that it writes cannot be compared.
func undone(t *catalog.Bound, c *plan.Change, fields map[string]any, o *resource.Object) diff.Delta {
	fields = withoutSecrets(c, fields)
	after, inherited := fields, map[string]any{}
	if !t.Puts() {
		after = maps.Clone(o.Fields) // what is not sent stays
		maps.Copy(after, fields)
	}
	if set := t.Neutral(); set.SetField != "" && c.External() { // others may have items of their own in it
		before, _ := c.ChangedFields[set.SetField].Old.([]any)
		have := resource.SetItems(set, o.Fields)
		after = maps.Clone(after)
		after[set.SetField] = slices.Concat(have, resource.ItemsBut(set, resource.ItemsBut(set, resource.SetItems(set, fields), before), have))
	}
	for _, f := range t.Inherits {
		p := value.ParsePath(f.Field)
		if _, sent := value.Get(fields, p); !sent {
			inherited[f.Field], _ = value.Get(o.Fields, p) // the other resource decides
		}
	}
	d := diff.CompareWith(t, after, o.Fields, diff.Whole, diff.Beside{Inherited: inherited})
	d.Changes = slices.DeleteFunc(d.Changes, func(x diff.Change) bool {
		_, sent := value.Get(fields, x.Path)
		return !sent && !t.Puts() && !c.Shows(x.Path) || writes(c, x.Path)
	})
	return d
}

// writes reports whether a field is a secret that a change writes, or is part of one.
func writes(c *plan.Change, at value.Path) bool {
	return slices.ContainsFunc(c.SecretWrites, func(e plan.Expression) bool { return at.HasPrefix(writtenBy(e)) })
}

// remains reports whether an object still has what a change announces to take away or
// to change, whatever a comparison with what is sent says.
func remains(t *catalog.Bound, c *plan.Change, o *resource.Object) bool {
	shown := catalog.WithoutSecrets(t, o.Fields)
	for field, x := range c.ChangedFields {
		p := value.ParsePath(field)
		now, there := value.Get(shown, p)
		_, sent := value.Get(c.Fields, p)
		_, unknown := x.New.(value.Unknown)
		switch {
		case unknown || x.New == any(plan.UnknownID):
			if !sent && value.Equal(x.Old, now) {
				return true
			}
		case x.Old == nil: // there was nothing, or a secret
		case x.New == nil:
			if there && isOf(x.Old, now) {
				return true
			}
		case !value.Equal(x.Old, x.New) && value.Equal(x.Old, now):
			return true
		}
	}
	return false
}

// isOf reports whether a value is what was there, or a part of it: plans hide secrets,
// and Konnect does not return them.
func isOf(was, now any) bool {
	before, wasMap := was.(map[string]any)
	after, isMap := now.(map[string]any)
	if !wasMap || !isMap {
		return now != nil && (plan.IsHidden(was) || value.Equal(was, now))
	}
	for key, v := range after {
		if w, known := before[key]; v != nil && (!known || !isOf(w, v)) {
			return false
		}
	}
	return len(after) > 0
}

// withoutSecrets is what an update sends and Konnect returns.
func withoutSecrets(c *plan.Change, fields map[string]any) map[string]any {
	out, _ := value.Clone(fields).(map[string]any)
	for _, e := range c.SecretWrites {
		value.Delete(out, writtenBy(e))
	}
	return out
}

// writtenBy is what Konnect does not return of a secret: itself, or the list that it is
// an item of.
func writtenBy(e plan.Expression) value.Path {
	p := value.ParsePath(e.Field)
	if _, item := value.Place(p[len(p)-1]); item {
		return p[:len(p)-1]
	}
	return p
}

// identified reports whether a resource has the identity and the labels that a change
// sends.
func identified(t *catalog.Bound, fields map[string]any, o *resource.Object) bool {
	for _, f := range t.Identity {
		p := value.ParsePath(f)
		want, declared := value.Get(fields, p)
		have, _ := value.Get(o.Fields, p)
		if declared && !resource.SameField(t.Neutral(), f, want, have) {
			return false
		}
	}
	labels, _ := fields["labels"].(map[string]any)
	for k, v := range labels {
		if k == label.Hash || k == label.LastUpdated || k == label.Managed {
			continue
		}
		have, ok := catalog.Labels(o)[k]
		if (v == nil) == ok || (v != nil && v != any(have)) {
			return false
		}
	}
	return true
}
