package drive

import (
	"cmp"
	"context"
	"fmt"
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

// present is a resource that is there before a change brings it about.
type present struct {
	k    *checker
	call *execute.Call
	s    remote.Scope
	o    *resource.Object
}

// mode is how a resource that exists is compared with what a change makes. Sync takes back
// what the change does not send, apply keeps it, and what a replace makes has no more
// than that.
func (x present) mode() diff.Mode {
	switch c := x.call.Change; {
	case c.Action == plan.Create && c.Replace:
		return diff.New
	case x.k.d.plan.Metadata.Mode == plan.ModeSync:
		return diff.Whole
	default:
		return diff.Merge
	}
}

// unlike is what differs between a resource that exists and what a change makes.
func (x present) unlike(ctx context.Context) (diff.Delta, error) {
	t, o := x.s.Type, x.o
	id, w, err := x.k.d.filled(x.call)
	if err != nil {
		return diff.Delta{}, err
	}
	mode, with := x.mode(), diff.Beside{}
	if mode != diff.Merge {
		if with.Inherited, err = x.inherited(ctx, id, w.Fields); err != nil {
			return diff.Delta{}, err
		}
	}
	fields := withoutSecrets(x.call.Change, w.Fields)
	if c := x.call.Change; mode == diff.Merge && c.Action == plan.Create && t.WriteOp() != nil { // an update keeps what items have besides
		hidden := func(in value.Path) bool {
			return slices.ContainsFunc(c.Expressions, func(e plan.Expression) bool { return value.ParsePath(e.Field).HasPrefix(in) })
		}
		fields = diff.Completed(t, catalog.BodyOf(t, cmp.Or(t.Update, t.WriteOp())), fields, o.Fields, mode, with, hidden)
	}
	d := diff.CompareWith(t, fields, o.Fields, mode, with)
	d.Changes = slices.DeleteFunc(d.Changes, func(c diff.Change) bool { return writes(x.call.Change, c.Path) })
	if t.HasLabels() {
		d.Changes = append(d.Changes, unlikeLabels(w.Fields, o, mode)...)
	}
	return d, nil
}

// fulfilled reports whether nothing is left to do for a create.
func fulfilled(t *catalog.Bound, d diff.Delta, fields map[string]any, o *resource.Object) bool {
	return d.Empty() && identified(t, fields, o)
}

// unlikeLabels are the labels that differ, but for those that say when and what kongctl
// wrote. Protection counts in any mode: a plan says whether a resource is protected.
func unlikeLabels(fields map[string]any, o *resource.Object, mode diff.Mode) []diff.Change {
	sent, _ := fields["labels"].(map[string]any)
	have := catalog.Labels(o)
	var out []diff.Change
	if was, is := label.ValueProtects(sent[label.Protected]), label.Protects(have); was != is {
		out = append(out, diff.Change{Path: value.Path{"kongctl", "protected"}, Old: is, New: was})
	}
	keys := maps.Clone(sent)
	if mode != diff.Merge {
		for k := range have {
			keys[k] = sent[k]
		}
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		is, there := have[k]
		switch want := keys[k]; {
		case label.Ours(k), want == nil && !there, there && want == any(is):
		case there:
			out = append(out, diff.Change{Path: value.Path{"labels", k}, Old: is, New: want})
		default:
			out = append(out, diff.Change{Path: value.Path{"labels", k}, New: want})
		}
	}
	return out
}

// inherited are the values that fields which a change leaves out take from other
// resources, by field, as these are after the plan.
func (x present) inherited(ctx context.Context, id string, fields map[string]any) (map[string]any, error) {
	out, t := map[string]any{}, x.s.Type
	for _, f := range t.Inherits {
		if _, sent := value.Get(fields, value.ParsePath(f.Field)); sent {
			continue
		}
		from, of := remote.Scope{Type: t.Parent}, ""
		if f.From == "" {
			n := len(x.s.Ancestors) - 1
			from.Ancestors, of = x.s.Ancestors[:n], x.s.Ancestors[n]
		} else {
			ref, _ := t.Reference(value.ParsePath(f.From).Generic())
			from.Type = x.k.d.Catalog.Kind(ref.Kind)
			if of, _ = fields[f.From].(string); f.From == t.MapKey {
				of = id
			}
		}
		if from.Type == nil || of == "" || len(from.Ancestors) == 0 && from.Type.Parent != nil {
			out[f.Field], _ = value.Get(x.o.Fields, value.ParsePath(f.Field)) // what has it cannot be read
			continue
		}
		v, err := willHave(ctx, x.k, from, of, value.ParsePath(f.Of))
		if err != nil {
			return nil, err
		}
		out[f.Field] = f.As(t, v)
	}
	return out, nil
}

// willHave is what a field of a resource has when the plan is carried out: what the
// plan is still to send, or what it has. Unknown is a value that is not made yet.
func willHave(ctx context.Context, k *checker, s remote.Scope, id string, field value.Path) (any, error) {
	for _, call := range k.d.calls {
		c := call.Change
		if c.Action != plan.Update || c.ResourceType != s.Type.Kind || c.ResourceID != id || call.Done() {
			continue
		}
		if v, sent := value.Get(c.Fields, field); sent && !plan.HoldsHidden(v) && v != any(plan.UnknownID) {
			return v, nil
		} else if sent {
			return value.Unknown{}, nil
		}
	}
	o := find(k.lists[scopeKey(s)], id)
	if o == nil {
		var err error
		if o, err = k.d.Target.Read(ctx, s, id); err != nil || o == nil {
			return value.Unknown{}, err
		}
	}
	v, _ := value.Get(o.Fields, field)
	return v, nil
}

// early looks for what a create makes that refers to what is not there yet: what has its
// name refers to something else, so the create cannot be carried out.
func (x present) early(ctx context.Context) error {
	t, c, open := x.s.Type, x.call.Change, x.call.Open()
	known := identity(t, "", nil)
	if slices.ContainsFunc(open, func(f string) bool { return touchesAny(value.ParsePath(f), known) }) || len(open) == 0 {
		return nil // what it is known by is not there yet
	}
	id := c.ResourceID
	if _, made := c.References[t.MapKey]; made {
		v, _ := value.Get(x.call.Fields, value.ParsePath(t.MapKey))
		id, _ = v.(string)
	}
	o, err := x.k.existing(ctx, x.s, id, c, remote.Write{Fields: x.call.Fields})
	if err != nil || o == nil || x.k.beingReplaced(c, o) {
		return err
	}
	ref := c.References[open[0]]
	x.k.moved(x.call, fmt.Sprintf("it exists already%s, and %s refers to the %s %q, which is still to be written", o.InParentheses(), open[0], catalog.Words(ref.Type), ref.Ref))
	return nil
}

func touchesAny(p value.Path, fields map[string]any) bool {
	for f := range fields {
		if q := value.ParsePath(f); p.HasPrefix(q) || q.HasPrefix(p) {
			return true
		}
	}
	return false
}

// variant is what has the identity of what a create makes and came after the plan, of a
// type of which several may share it: a plan that is made now may take it for the
// resource. What other changes of the plan are about is not, nor is what belongs to
// another namespace and has another value of the field in which they differ.
func (x present) variant(fields map[string]any) *resource.Object {
	t, c, p := x.s.Type, x.call.Change, x.k.d.plan
	if t.Variant == "" || p.Metadata.Inverse {
		return nil
	}
	want, variant := identity(t, "", fields), value.ParsePath(t.Variant)
	declared := want[t.Variant] != nil
	delete(want, t.Variant)
	planned := func(o *resource.Object) bool {
		have, _ := value.Get(o.Fields, variant)
		return slices.ContainsFunc(p.Changes, func(other *plan.Change) bool {
			if other == c || other.ResourceType != c.ResourceType {
				return false
			}
			v, _ := value.Get(other.Fields, variant)
			return other.ResourceID == o.ID || other.Action == plan.Create && resource.SameIdentity(t.Neutral(), identity(t, "", other.Fields), o) && resource.SameField(t.Neutral(), t.Variant, v, have)
		})
	}
	for _, o := range x.k.lists[scopeKey(x.s)] {
		owner := catalog.Labels(o)[label.Namespace]
		theirs := declared && owner != "" && owner != c.Namespace
		if resource.SameIdentity(t.Neutral(), want, o) && !slices.Contains(c.Beside, o.ID) && !theirs && !planned(o) {
			return o
		}
	}
	return nil
}

// foreign is what the resource of a first update, which comes with its parent, has and a
// plan that is made now would change: somebody wrote it after the plan was created. What
// is still as Konnect makes it is the plan's to write.
func (x present) foreign(ctx context.Context) ([]execute.MovedField, error) {
	c := x.call.Change
	if x.o == nil || c.Action != plan.Update || c.CurrentState != nil || x.call.Before.Uncertain() || x.k.d.brought(c.Parent) {
		return nil, nil
	}
	_, w, err := x.k.d.filled(x.call)
	if err != nil {
		return nil, nil //nolint:nilerr // it refers to what is not made yet
	}
	d, err := x.unlike(ctx)
	if err != nil || d.Empty() {
		return nil, err
	}
	nothing := map[string]any{}
	if diff.Compare(x.s.Type, nothing, x.o.Fields, diff.Whole).Empty() {
		bare := diff.Compare(x.s.Type, nothing, x.o.Fields, diff.New)
		d.Changes = slices.DeleteFunc(d.Changes, func(f diff.Change) bool {
			_, sent := value.Get(w.Fields, f.Path)
			return sent && !slices.ContainsFunc(bare.Changes, func(c diff.Change) bool { return c.Path.HasPrefix(f.Path) || f.Path.HasPrefix(c.Path) })
		})
	}
	return differing(c, d), nil
}

// brought reports whether an earlier part of this run created a parent, or may have.
func (d *Driver) brought(parent *plan.ParentRef) bool {
	if parent == nil || d.calls[parent.Change] == nil {
		return false
	}
	before := d.calls[parent.Change].Before
	return before.Succeeded() || before.Uncertain()
}
