package plan

import (
	"bytes"
	"slices"

	"kongctl/internal/gateway"
	"kongctl/internal/resource"
	"kongctl/internal/value"
)

// afterDeck follows a reference to the field of an entity that decK changes in
// this run, also through fields that take theirs from there. Others are returned
// as they are.
func (b *builder) afterDeck(link resource.Edge) (resource.Edge, *gateway.Change) {
	for next := link; ; {
		if c := b.deckUpdates(next.Target, next.Field); c != nil {
			return resource.Edge{Path: link.Path, Target: next.Target, Field: next.Field}, c
		}
		further, ok := b.Links.At(next.Target, value.ParsePath(next.Field))
		if !ok || next.Field == "id" {
			return link, nil
		}
		next = further
	}
}

// deckUpdates is the change that decK makes to a field of an entity; nil where
// the field stays as it is.
func (b *builder) deckUpdates(s *resource.Resource, field string) *gateway.Change {
	j := b.deckWorkOn(s)
	o := b.object(s)
	if j == nil || o == nil {
		return nil
	}
	for i, c := range j.Changes {
		if c.Action == gateway.Update && c.ID == o.ID && c.Touches(value.ParsePath(field)) {
			return &j.Changes[i]
		}
	}
	return nil
}

// deckWorkOn is decK's work on the control plane of an external entity, whichever
// entry of the configuration it belongs to; nil where decK does nothing there.
func (b *builder) deckWorkOn(s *resource.Resource) *GatewayJob {
	if s.External == nil || !s.Type.ReadOnly || s.Parent == nil {
		return nil
	}
	for _, j := range b.Gateway {
		cp := j.ControlPlane
		if resource.Same(b.Snapshot, cp, s.Parent) && !b.replaced[cp] && b.broken[cp] == nil && b.pending[cp] == nil && !b.selection.deckLeftOut(cp) {
			return j
		}
	}
	return nil
}

// deckChange is the change of decK on a control plane. It may be asked for before
// it is planned: entries that are the same control plane come in any order.
func (b *builder) deckChange(cp *resource.Resource) *Change {
	if b.coming[cp] == nil {
		b.coming[cp] = &Change{}
	}
	return b.coming[cp]
}

// await notes that a field of an entity is taken after decK ran, and what it will
// be where that may be shown.
func (b *builder) await(link resource.Edge, c *gateway.Change) *Change {
	values := b.awaited[link.Target]
	if values == nil {
		values = map[string]any{}
		b.awaited[link.Target] = values
	}
	if x, ok := c.After(value.ParsePath(link.Field)); ok && !bytes.Contains(value.Canonical(x), []byte(gateway.Hidden)) {
		values[link.Field] = x
	}
	return b.deckChange(b.deckWorkOn(link.Target).ControlPlane)
}

// expected is the value that a field has after this plan, also where it is taken
// after decK ran and decK's plan says what it will be; else it is Unknown.
func (b *builder) expected(r *resource.Resource, p value.Path) any {
	desired := b.resolve(r)
	v, _ := value.Get(desired.Plain, p)
	if _, unknown := v.(value.Unknown); !unknown {
		return v
	}
	for _, l := range desired.Links {
		if x, known := b.awaited[l.Target][l.Field]; known && l.ID == PendingDeck && l.Path.String() == p.String() {
			return r.Type.AsText(p.Generic(), x)
		}
	}
	return v
}

// listAwaited adds the entities whose values are taken after decK ran to what the
// plan depends on.
func (b *builder) listAwaited() {
	for _, s := range b.Links.Sorted() {
		values, ok := b.awaited[s]
		if !ok {
			continue
		}
		j := b.deckWorkOn(s)
		c, list := b.deckChange(j.ControlPlane), b.plan.DeckDependencies
		if i := slices.IndexFunc(list, func(d DeckDependency) bool { return d.GatewayServiceRef == s.Ref && d.change == c }); i >= 0 {
			list[i].Values = values
			continue
		}
		b.plan.DeckDependencies = append(list, DeckDependency{
			GatewayServiceRef: s.Ref, ControlPlaneID: b.Snapshot.Object(s.Parent).ID, ControlPlaneName: b.controlPlaneName(j.ControlPlane),
			ResourceType: s.Type.Kind, ResourceID: b.Snapshot.Object(s).ID, Values: values, change: c,
		})
	}
}
