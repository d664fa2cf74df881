package build

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/value"
)

// release lets a declared resource stop using what the plan deletes, before
// that. Where its update waits for what is created again, another one detaches
// it first.
func release(b *Draft, r *resource.Resource, uses []used) {
	o := b.object(r)
	if o == nil {
		return
	}
	desired, rewritten, ok := withoutUses(b, r, o, uses)
	if !ok {
		return
	}
	if rewritten {
		rewrite(b, r, o, desired)
	}
	update := b.changes[r]
	if update == nil {
		return // its list was older than what it was compared with
	}
	var first []used
	for _, u := range uses {
		if b.WaitsFor(update, u.by) {
			first = append(first, u)
			continue
		}
		b.Need(u.by, update)
		if rewritten {
			b.together = append(b.together, Need{update, u.by})
		}
	}
	if len(first) > 0 {
		detach(b, r, o, desired, update, first)
	}
}

// withoutUses is the declaration with the uses dropped, or led to what is created
// again, where it leaves their fields to Konnect.
func withoutUses(b *Draft, r *resource.Resource, o *resource.Object, uses []used) (desired Desired, rewritten, ok bool) {
	desired = b.resolve(r)
	for _, u := range uses {
		field := value.ParsePath(u.user.Use.Field)
		p := value.Listed(o.Fields, field) // a list is declared whole
		now, declared := value.Get(desired.Plain, p)
		if !declared {
			if now, declared = sent(b, r, p); !declared {
				now, _ = value.Get(o.Fields, p)
			}
		}
		if !slices.Contains(value.TextsAt(now, field[len(p):]), u.object.Object.ID) || filledIn(b, r, p) && makingOf(b, u) == nil {
			continue
		}
		left, fits := instead(b, r.Type, p, field, now, u, &desired)
		if fits && !declares(b, r, p, field, u.object.Object.ID) {
			value.Set(desired.Plain, p, left)
			rewritten = true
			continue
		}
		stillUses(b, u)
		return desired, false, false
	}
	return desired, rewritten, true
}

// declares reports whether a declaration has a field, and of a set that others share, the
// item with an id.
func declares(b *Draft, r *resource.Resource, p, field value.Path, id string) bool {
	if r.Fields.Lookup(p).IsAbsent() || !sharesSet(r) {
		return !r.Fields.Lookup(p).IsAbsent()
	}
	items, _ := value.Get(b.declared(r).Plain, p)
	return slices.Contains(value.TextsAt(items, field[len(p):]), id)
}

// sent is what the update of a resource sends for a field, by itself or with the
// object around it.
func sent(b *Draft, r *resource.Resource, p value.Path) (any, bool) {
	c := b.changes[r]
	if c == nil {
		return nil, false
	}
	for n := len(p); n > 0; n-- { // or of what it is inside
		x, changed := c.ChangedFields[p[:n].String()]
		if !changed {
			continue
		}
		if x.New == nil {
			return nil, true // it goes, by being left out or with another form of a union
		}
		if now, there := value.Get(x.New, p[n:]); there && n < len(p) { // of a field itself, what is sent tells
			return now, true
		}
	}
	return value.Get(c.Fields, p)
}

// filledIn reports whether the update of a resource leaves a field out, for the target
// to fill in from another resource that this plan changes.
func filledIn(b *Draft, r *resource.Resource, p value.Path) bool {
	c := b.changes[r]
	if c == nil {
		return false
	}
	_, sends := value.Get(c.Fields, p)
	_, unknown := c.ChangedFields[p.String()].New.(value.Unknown)
	return unknown && !sends
}

// instead is the value at p, a field or the list whose items have it, without a
// use: with what is created again in its place, else without it.
func instead(b *Draft, t *resource.Type, p, field value.Path, now any, u used, desired *Desired) (any, bool) {
	made := makingOf(b, u)
	if made == nil {
		return t.Without(field.Generic(), now, []string{u.object.Object.ID})
	}
	out := map[string]any{"": value.Clone(now)}
	lead := func(at value.Path) {
		if x, _ := value.Get(out, at); x == any(u.object.Object.ID) {
			value.Set(out, at, value.Unknown{})
			desired.Links = append(desired.Links, DesiredLink{Path: slices.Concat(p, at[1:]), Target: made, Field: "id", ID: plan.UnknownID, change: b.Making[made]})
		}
	}
	for _, at := range value.Places(out, append(value.Path{""}, field[len(p):]...)) {
		x, _ := value.Get(out, at)
		list, isList := x.([]any)
		if !isList {
			lead(at)
		}
		for i := range list {
			lead(at.Index(i))
		}
	}
	return out[""], true
}

// makingOf is the declared resource that takes the place of a deleted one.
func makingOf(b *Draft, u used) *resource.Resource {
	if !u.by.Replace {
		return nil
	}
	r := b.declaredAt[ObjectKey(u.object.Type, u.object.Object.ID, u.object.Ancestors)]
	if r == nil || b.Making[r] == nil {
		return nil
	}
	return r
}

// rewrite plans the update of a resource again.
func rewrite(b *Draft, r *resource.Resource, o *resource.Object, desired Desired) {
	desired.Asked = secretsToWrite(b, r, desired)
	p := b.Proposer(r.Type).Propose(b.subject(r, o, desired))
	c := b.changes[r]
	if c == nil {
		c = newChange(b, r, plan.Update, desired)
		fillUpdate(c, r, o, p)
		noteRefusal(b, c, p)
		return
	}
	c.References, c.Expressions = desired.references(), slices.Clone(desired.Env)
	for _, link := range desired.Links {
		b.Need(c, link.change)
	}
	fillUpdate(c, r, o, p)
}

// detach drops references by an update of its own; the other update, which
// waits for what is created again, expects its result.
func detach(b *Draft, r *resource.Resource, o *resource.Object, desired Desired, update *plan.Change, uses []used) {
	dropped, after, can := dropUses(r.Type, o, uses)
	if !can {
		stillUses(b, uses[0])
		return
	}
	c := newChange(b, r, plan.Update, Desired{})
	b.changes[r] = update
	base := Desired{Env: desired.Env, Secrets: desired.Secrets, Plain: map[string]any{}}
	for _, e := range desired.Env { // their values must not be in the plan
		top := value.ParsePath(e.Field)[0]
		base.Plain[top] = desired.Plain[top]
	}
	c.Expressions = slices.Clone(base.Env)
	c.ResourceID, c.ResourceName = o.ID, b.names.Current(r, o)
	subject := b.subject(r, o, base)
	subject.Detach = dropped
	p := b.Proposer(r.Type).Propose(subject)
	fill(c, p)
	noteRefusal(b, c, p)
	c.DropUnusedExpressions()
	for _, u := range uses {
		c.Detaches = append(c.Detaches, plan.Detached{Field: u.user.Use.Field, Type: u.object.Type.Kind, Ref: u.by.ResourceRef, ID: u.object.Object.ID})
		b.Need(u.by, c)
		b.together = append(b.together, Need{c, u.by})
	}
	left := *o
	left.Fields = after
	expectAfter(b, update, c, r, &left, desired)
}

// dropUses are the changes of an object's fields that drop uses, and its fields
// after them; false where they cannot be dropped.
func dropUses(t *resource.Type, o *resource.Object, uses []used) (dropped []plan.FieldChange, after map[string]any, can bool) {
	ids := map[string][]string{}
	var fields []string
	for _, u := range uses {
		if f := u.user.Use.Field; ids[f] == nil {
			fields = append(fields, f)
		}
		ids[u.user.Use.Field] = append(ids[u.user.Use.Field], u.object.Object.ID)
	}
	after, _ = value.Clone(o.Fields).(map[string]any)
	for _, f := range fields {
		field := value.ParsePath(f)
		p := value.Listed(o.Fields, field)
		now, _ := value.Get(after, p)
		left, can := t.Without(field.Generic(), now, ids[f])
		if !can {
			return nil, nil, false
		}
		value.Set(after, p, left)
		if i := slices.IndexFunc(dropped, func(x plan.FieldChange) bool { return x.Field == p.String() }); i >= 0 {
			dropped[i].DesiredValue = left // another reference in the items of the same list
			continue
		}
		dropped = append(dropped, plan.FieldChange{Field: p.String(), CurrentValue: now, DesiredValue: left})
	}
	return dropped, after, true
}

// detachLate lets a resource be detached only when all is done that the delete
// waits for which it is detached for: what fails before leaves it alone.
func detachLate(b *Draft) {
	before := map[*plan.Change][]*plan.Change{}
	for _, n := range b.Needs {
		before[n.Change] = append(before[n.Change], n.Before)
	}
	for _, n := range slices.Clone(b.Needs) {
		c, del := n.Before, n.Change
		if len(c.Detaches) == 0 || del.Action != plan.Delete {
			continue
		}
		for _, x := range before[del] {
			if len(x.Detaches) == 0 && !Reaches(before, x, c) {
				b.Need(c, x)
				before[c] = append(before[c], x)
			}
		}
	}
}

// expectAfter lets an update start from what another one leaves.
func expectAfter(b *Draft, update, first *plan.Change, r *resource.Resource, o *resource.Object, desired Desired) {
	b.Need(update, first)
	b.together = append(b.together, Need{first, update})
	b.record(update, r.Type, o, desired)
	update.Expect.UpdatedAt, update.After = "", first
	for _, x := range first.FieldChanges {
		if now, ok := update.ChangedFields[x.Field]; ok {
			update.ChangedFields[x.Field] = plan.OldNew{Old: x.DesiredValue, New: now.New}
		}
	}
	for i, x := range update.FieldChanges {
		update.FieldChanges[i].CurrentValue = update.ChangedFields[x.Field].Old
	}
}

// bound lists the fields by which a resource must be created again: references
// that it cannot drop, to what is created again.
func bound(b *Draft, r *resource.Resource, desired Desired) []string {
	if !r.Type.Updatable || r.Type.Fixed {
		return nil // its fields are all immutable, or it is never deleted
	}
	o, ids := b.object(r), map[string][]string{}
	var fields []string
	for _, l := range desired.Links {
		ref, isRef := r.Type.Reference(l.Path.Generic())
		if !isRef || l.Field != "id" || ref.OnDelete == resource.Keeps || !b.replaced[l.Target] || r.Type.IsIdentity(l.Path.Generic()) {
			continue
		}
		if ids[ref.Field] == nil {
			fields = append(fields, ref.Field)
		}
		ids[ref.Field] = append(ids[ref.Field], b.Snapshot.Object(l.Target).ID)
	}
	return slices.DeleteFunc(fields, func(f string) bool {
		p := value.ParsePath(f)
		if !slices.ContainsFunc(value.TextsAt(o.Fields, p), func(id string) bool { return slices.Contains(ids[f], id) }) {
			return true // it does not refer to it yet
		}
		now, _ := value.Get(o.Fields, value.Listed(o.Fields, p))
		_, can := r.Type.Without(p.Generic(), now, ids[f])
		return can
	})
}

// leadsToReplaced reports whether a value holds the id of something that the
// plan deletes and creates again.
func leadsToReplaced(b *Draft, x any) bool {
	text := string(value.Canonical(x))
	for r := range b.replaced {
		if o := b.Snapshot.Object(r); o != nil && o.ID != "" && strings.Contains(text, o.ID) {
			return true
		}
	}
	return false
}
