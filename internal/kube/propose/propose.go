// Package propose says how Kubernetes objects are brought about: what is applied,
// what differs, and what is deleted.
//
// In: a declaration and what was read. Out: a proposal. It is pure: it reads and
// writes nothing, and must never import the engine or what carries out changes.
package propose

import (
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/live"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Proposer proposes changes of what was read.
type Proposer struct {
	Read  *live.State
	Scope object.Scope
	// Rebase names a file from the plan's folder.
	Rebase func(file string) string
}

var _ build.Proposer = Proposer{}

// The rules that refuse changes: of objects of other inventories, and of fields
// of other managers.
const (
	ByPolicy  = "inventory-policy"
	ByManager = "field-manager"
)

// stdin is the file of what came from standard input.
const stdin = "-"

// Propose says what to do with one object.
func (p Proposer) Propose(s build.Subject) build.Proposal {
	switch {
	case s.Drop:
		return p.remove(s)
	case object.ItemOf(s.Resource).IsInventory():
		return p.inventory(s)
	default:
		return p.apply(s)
	}
}

// apply applies the manifest where that changes something.
func (p Proposer) apply(s build.Subject) build.Proposal {
	item, f := object.ItemOf(s.Resource), p.Read.Found(s.Resource)
	out := build.Proposal{Fields: s.Desired.Payload(s.Type), Secrets: s.Desired.Secrets, Call: call("PATCH", item.ID)}
	live.Complete(out.Fields, item.ID, p.Scope.Inventory.ID)
	p.hide(&out, item)
	if f != nil {
		live.Mark(out.Fields, f.Mark)
		out.Unchecked = f.Unchecked
		if f.Refused != "" {
			out.Refused, out.RefusedBy = f.Refused, ByPolicy
		}
	}
	if s.Live == nil {
		out.Action = plan.Create
		return out
	}
	out.Current, out.Expect = p.record(s.Live, out.Fields)
	if f != nil && f.Secret {
		out.Current = map[string]any{"apiVersion": out.Current["apiVersion"], "kind": out.Current["kind"], "metadata": out.Current["metadata"]}
	}
	object.HideFields(out.Current, secretPaths(s, f), plan.Hidden)
	switch {
	case f == nil:
		return out
	case f.Refused != "":
		out.Action = plan.Update
		return out
	case item.Ignored, f.Same && !moved(s, f) && len(s.Desired.Asked) == 0:
		return build.Proposal{}
	}
	if out.Changes = p.changes(s, f); len(out.Changes) > 0 {
		out.Action = plan.Update
	}
	if f.Conflict != "" {
		out.Action, out.Refused, out.RefusedBy = plan.Update, f.Conflict, ByManager
	}
	return out
}

// moved reports whether values that were known when the object was read are not
// any more: what they come from is made new.
func moved(s build.Subject, f *live.Found) bool {
	return f.Known && object.HoldsUnknown(s.Desired.Plain)
}

// changes lists the fields that the apply changes.
func (p Proposer) changes(s build.Subject, f *live.Found) []plan.FieldChange {
	out := p.differing(s, f)
	if f.NewSecret && f.After == nil && len(out) == 0 || len(s.Desired.Asked) > 0 {
		for _, e := range s.Desired.Secrets {
			if !slices.ContainsFunc(out, func(c plan.FieldChange) bool { return c.Field == e.Field }) {
				out = append(out, plan.FieldChange{Field: e.Field, CurrentValue: plan.Hidden, DesiredValue: plan.Hidden})
			}
		}
	}
	secret := object.IsSecret(object.ItemOf(s.Resource).GVK.GroupKind())
	paths := secretPaths(s, f)
	for i, c := range out {
		path := value.ParsePath(c.Field)
		if secret && len(path) == 2 && path[0] == "data" && !s.Resource.Fields.Lookup(value.Path{"stringData", path[1]}).IsAbsent() {
			out[i].Field = value.Path{"stringData", path[1]}.String() // as it is written
		}
		if f.Secret || secret && object.SecretField(path[0]) || object.Touches(path, paths) {
			out[i].CurrentValue, out[i].DesiredValue = hidden(c.CurrentValue), hidden(c.DesiredValue)
			continue
		}
	}
	return out
}

// differing compares what is with what a dry run made of it, or, where there was
// none, with what is declared.
func (p Proposer) differing(s build.Subject, f *live.Found) []plan.FieldChange {
	if f.After == nil || moved(s, f) {
		payload := s.Desired.Payload(s.Type)
		live.Complete(payload, object.ItemOf(s.Resource).ID, p.Scope.Inventory.ID)
		live.Mark(payload, f.Mark)
		return append(added(s.Live.Fields, payload, nil), p.dropped(s, f, payload)...)
	}
	was, errWas := object.Fields(f.Live)
	now, errNow := object.Fields(f.After)
	if errWas != nil || errNow != nil {
		return nil // both came as JSON
	}
	out := differences(strip(was), strip(now), nil)
	if len(out) == 0 && f.Owned {
		return []plan.FieldChange{{Field: "metadata.managedFields", CurrentValue: "owned by others", DesiredValue: "owned by " + p.Scope.Options.Manager}}
	}
	return out
}

// secretPaths are the fields that come from secrets and variables.
func secretPaths(s build.Subject, f *live.Found) []value.Path {
	var out []value.Path
	if f != nil {
		out = append(out, f.Hidden...)
	}
	for _, e := range s.Desired.Env {
		out = append(out, value.ParsePath(e.Field))
	}
	return out
}

// dropped lists the fields that were applied and are not declared any more.
func (p Proposer) dropped(s build.Subject, f *live.Found, payload map[string]any) []plan.FieldChange {
	var out []plan.FieldChange
	for _, at := range f.Dropped(p.Scope.Options.Manager) {
		now, there := value.Get(s.Live.Fields, at)
		if _, declared := value.Get(payload, at); there && !declared {
			out = append(out, plan.FieldChange{Field: at.String(), CurrentValue: now})
		}
	}
	return out
}

func hidden(v any) any {
	if v == nil {
		return nil
	}
	return plan.Hidden
}

// hide leaves the values of a Secret out of the plan: the run takes them from the
// document.
func (p Proposer) hide(out *build.Proposal, item *object.Item) {
	for _, at := range item.Secrets {
		value.Set(out.Fields, at, plan.Hidden)
		if item.File == stdin {
			continue // they travel beside the plan
		}
		e := plan.InputExpression(p.Rebase(item.File), item.Document, slices.Concat(item.At, at))
		if file := item.Contents[at.String()]; file != "" {
			e = plan.ThroughFile(e, p.Rebase(file))
		}
		out.Expressions = append(out.Expressions, plan.Expression{Field: at.String(), Expression: e})
	}
}

// remove deletes an object, or gives it up where it asks to be kept.
func (p Proposer) remove(s build.Subject) build.Proposal {
	id := idOf(s.Live)
	out := build.Proposal{Action: plan.Delete, Stage: 1, Call: call("DELETE", id)}
	if p.Read.Refused != "" {
		out.Refused, out.RefusedBy = p.Read.Refused, ByPolicy
	}
	out.Current, out.Expect = p.Record(s.Type, s.Live, nil)
	x := p.Read.Removed(s.Live)
	if x == nil { // it is declared, and links order what is
		return out
	}
	if x.Refused != "" {
		out.Refused, out.RefusedBy = x.Refused, ByPolicy
	}
	if out.Stage = x.Stage; x.Keep == "" {
		return out
	}
	gvk := x.Live.GroupVersionKind()
	out.Action, out.Call = plan.Update, call("PATCH", id)
	out.Call.APIEndpoint += Detach
	out.Fields = map[string]any{"apiVersion": gvk.GroupVersion().String(), "kind": gvk.Kind, "metadata": place(id)}
	out.Changes = []plan.FieldChange{{
		Field: value.Path{"metadata", "annotations", object.Owner}.String(), CurrentValue: x.Live.GetAnnotations()[object.Owner], DesiredValue: nil,
	}}
	return out
}

// Detach ends the endpoint of a change that gives an object up.
const Detach = "#detach"

func place(id object.ID) map[string]any {
	out := map[string]any{"name": id.Name}
	if id.Namespace != "" {
		out["namespace"] = id.Namespace
	}
	return out
}

// Check leaves the values of objects to the server.
func (Proposer) Check(*resource.Resource, map[string]any, bool, func([]string) bool) ([]build.Violation, diag.List) {
	return nil, nil
}
