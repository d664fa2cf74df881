// Package propose says how Konnect is brought to what a configuration declares:
// what a call sends, what it changes, what it expects to find, and how to undo
// it.
//
// In: a resource, what exists of it, and what is desired. Out: a proposal, which
// the planner makes a change of. It is pure: it must never read or write
// anything, and never import what does (client, live).
package propose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Proposer proposes changes of Konnect.
type Proposer struct{}

var _ build.Proposer = Proposer{}

// For is the proposer of every type of Konnect.
func For(*resource.Type) build.Proposer { return Proposer{} }

// Propose says what to do with one resource.
func (p Proposer) Propose(s build.Subject) build.Proposal {
	out := p.propose(s)
	guardVersion(s, &out)
	return out
}

func (p Proposer) propose(s build.Subject) build.Proposal {
	switch {
	case s.Drop:
		return p.drop(s)
	case s.Detach != nil:
		return p.detach(s)
	case s.Mode == plan.ModeAdopt && s.Namespace != "":
		return p.adopt(s)
	case s.Live == nil:
		return p.create(s)
	default:
		return p.update(s)
	}
}

func (p Proposer) create(s build.Subject) build.Proposal {
	t := catalog.OfType(s.Type)
	action, op := plan.Create, t.Create
	if !t.Optional() {
		action, op = plan.Update, t.Update // there as soon as its parent is
	}
	desired := s.Desired
	desired.Plain = kept(s, desired.Plain, op)
	out := build.Proposal{Action: action, Fields: desired.Payload(s.Type), Secrets: desired.Secrets, Call: call(op)}
	out.ShownOnce = unwritten(s, catalog.ShownOnce(t))
	if t.MapKey != "" {
		out.ID = desired.Key(t.MapKey)
	}
	if t.HasLabels() {
		out.Fields["labels"] = newLabels(s, desired)
	}
	if s.Replaces {
		d := compare(s, desired, s.Was, diff.New)
		out.Changes = fieldChanges(desired, d, labels(s, s.Was), goneSecrets(t, s.Was.Fields, d)...)
	}
	return out
}

func (p Proposer) update(s build.Subject) build.Proposal {
	t, o := catalog.OfType(s.Type), s.Live
	s.Desired.Plain = completed(s, cmp.Or(t.Update, t.WriteOp()), o.Fields)
	live, words := inWordsOf(s, s.Desired.Plain, o)
	d, marks := compare(s, s.Desired, live, diffMode(s.Mode)), labels(s, o)
	s.Desired.Plain = words.asItIs(&d, s.Desired.Plain, o.Fields)
	none, changed := nullSecrets(s), func() bool { return !d.Empty() || marks.changed() || len(s.Desired.Asked) > 0 }
	none.known(&d)
	unsure := none.unsure(s, &d, changed())
	out := build.Proposal{Immutable: immutable(d), Changes: fieldChanges(s.Desired, d, marks, goneSecrets(t, o.Fields, d)...), Keeps: append(notes(s, d), none.notes()...), Held: held(s, d)}
	if t.Update == nil || !changed() {
		out.Unseen = append(unseen(s.Desired, d, nil), unsure...)
		return out
	}
	out.Action, out.Secrets, out.Call = plan.Update, resent(t, s.Desired, d), call(updating(t, d))
	out.Unseen = unseen(s.Desired, d, out.Secrets)
	out.Filled = slices.ContainsFunc(d.Changes, func(c diff.Change) bool { return c.Omit })
	out.Fields, out.Places = updatePayload(t, o.Fields, s.Desired, d), places(d)
	besideSecrets(t, out.Fields, o.Fields, s.Desired, out.Secrets)
	if t.HasLabels() {
		out.Fields["labels"] = marks.payload
	}
	if unmarkable(t) {
		out.Notes = append(out.Notes, notMarked)
	}
	guardSecrets(s, &out)
	out.Current, out.Expect = p.Record(s.Type, o, s.Desired.Env)
	return out
}

// unwritten are the fields that a resource does not declare.
func unwritten(s build.Subject, fields []value.Path) []string {
	var out []string
	for _, p := range fields {
		if v := s.Resource.Fields.Lookup(p); v.IsAbsent() || v.Kind() == value.Null {
			out = append(out, p.String())
		}
	}
	return out
}

// notMarked is said of what a plan changes or deletes and nothing marks.
const notMarked = "it cannot be marked as managed, because Konnect has no labels for its type: make sure that nobody else manages it"

// unmarkable reports whether roots of a type carry no labels, and there may be several.
func unmarkable(t *catalog.Bound) bool {
	return t.Parent == nil && t.Shape != catalog.Singleton && !t.HasLabels()
}

func (p Proposer) drop(s build.Subject) build.Proposal {
	t := catalog.OfType(s.Type)
	out := build.Proposal{Action: plan.Delete, Call: call(t.Delete)}
	if unmarkable(t) {
		out.Notes = append(out.Notes, notMarked)
	}
	out.Notes = append(out.Notes, uncounted(t)...)
	for _, child := range t.Children {
		if child.Set != "" && child.HasBelow(s.Live.Fields) {
			out.Notes = append(out.Notes, fmt.Sprintf("its %s leave it before it is deleted", child.Set))
		}
	}
	out.Current, out.Expect = p.Record(s.Type, s.Live, nil)
	return out
}

// uncounted says what goes with a resource that is deleted, where no plan reads that.
func uncounted(t *catalog.Bound) []string {
	if len(t.Uncounted) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Konnect also deletes its %s, which plans do not read", diag.Join(t.Uncounted, "and"))}
}

// detach is an update of some fields alone.
func (p Proposer) detach(s build.Subject) build.Proposal {
	t := catalog.OfType(s.Type)
	var d diff.Delta
	for _, x := range s.Detach {
		d.Changes = append(d.Changes, diff.Change{Path: value.ParsePath(x.Field), Old: x.CurrentValue, New: x.DesiredValue})
	}
	out := build.Proposal{Action: plan.Update, Call: call(t.Update)}
	out.Fields = updatePayload(t, s.Live.Fields, s.Desired, d)
	is := build.Desired{Plain: s.Live.Fields, Secrets: ofForm(t, s.Desired.Secrets, s.Live.Fields)}
	out.Secrets = resent(t, is, d)
	besideSecrets(t, out.Fields, s.Live.Fields, is, out.Secrets)
	out.Changes = fieldChanges(build.Desired{}, d, labelDelta{})
	out.Current, out.Expect = p.Record(s.Type, s.Live, s.Desired.Env)
	return out
}

// adopt writes the labels that mark what exists as managed, and nothing else.
func (p Proposer) adopt(s build.Subject) build.Proposal {
	t, o := catalog.OfType(s.Type), s.Live
	before, marked := catalog.Labels(o)[label.Namespace]
	d := labelDelta{changes: []labelChange{{"kongctl.namespace", orNil(before, marked), s.Namespace}}}
	want := map[string]any{label.Namespace: s.Namespace, label.Managed: "true", label.LastUpdated: plan.NowText}
	if _, old := catalog.Labels(o)[label.Hash]; old {
		want[label.Hash] = nil // of a declaration that is not this one
	}
	if s.Resource != nil && s.Resource.Protected && !o.Owner.Protected {
		want[label.Protected] = "true"
		d.changes = append(d.changes, labelChange{"kongctl.protected", false, true})
	}
	if s.Hash != nil {
		want[label.Hash] = s.Hash()
	}
	d.payload = want
	if !t.LabelsMerge() {
		d.payload = whole(catalog.Labels(o), want)
	}
	out := build.Proposal{Action: plan.Update, Call: call(t.Update)}
	out.Fields = updatePayload(t, o.Fields, build.Desired{Env: s.Desired.Env}, diff.Delta{})
	out.Fields["labels"] = d.payload
	out.Changes = fieldChanges(s.Desired, diff.Delta{}, d)
	out.Current, out.Expect = p.Record(s.Type, o, s.Desired.Env)
	return out
}

// Check reports what Konnect would refuse of a resource, and texts of an export
// that stand for what Konnect does not return: what takes the place of a resource
// cannot have them.
func (Proposer) Check(r *resource.Resource, body map[string]any, replaces bool, skip func(path []string) bool) ([]build.Violation, diag.List) {
	t := catalog.Of(r)
	var out []build.Violation
	for _, v := range t.Validate(t.WriteOp(), body, skip) {
		out = append(out, build.Violation{Path: v.Path, Detail: v.Detail})
	}
	var diags diag.List
	if replaces {
		r.Fields.Walk(func(p value.Path, v value.Value) bool {
			if text, ok := v.Text(); ok && text == catalog.Placeholder {
				diags.Add(diag.ValFormat, v.Pos(), "The field "+p.String()+" of the "+r.Describe()+" still holds the placeholder of an export, and the plan replaces the resource.", "write the value itself.")
			}
			return true
		})
	}
	return out, diags
}

// call is the request that carries an operation.
func call(op *contract.Operation) plan.ExecutionContext {
	sent := op.Carrier()
	return plan.ExecutionContext{HTTPMethod: sent.Method, APIEndpoint: sent.Path}
}
