package diff

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// onlyNew is why an immutable field is not reset.
const onlyNew = "only a new resource can have another value"

// undeclared takes fields that exist and are not declared back to what they are
// without a declaration. Fields that the service works out itself stay, and so do
// those that only a new resource could change, unless there is one or they are declared
// as null. A merge takes back what is declared as null alone.
func (c *comparer) undeclared(p value.Path, o *contract.Object, desired, current map[string]any) {
	for _, k := range slices.Sorted(maps.Keys(current)) {
		at := p.Child(k)
		if _, declared := desired[k]; declared || c.skip(at) || c.mode == Merge && !c.nulled(at) {
			continue
		}
		f := o.Field(k)
		if f == nil {
			switch {
			case o.Values == nil && !o.Open || len(p) == 0 || value.Empty(current[k]) || c.wasSecret(at):
			case c.mode != New && c.fixed(at):
				c.keepFixed(at, current[k], nil, true)
			default:
				c.add(at, current[k], nil)
				c.delta.Changes[len(c.delta.Changes)-1].Omit = o.Open && c.t.Puts()
			}
			continue
		}
		if s := f.Schema; !s.ReadOnly && !s.Secret {
			c.reset(at, f, current[k])
		}
	}
}

// former are the fields of another variant of a union than the declared one: a PUT
// takes them away, and a new resource lacks them.
func (c *comparer) former(p value.Path, o *contract.Object, desired, current map[string]any) {
	s := c.t.Write().At(p, nil)
	if o.Open || o.Values != nil || s == nil {
		return
	}
	if _, either := catalog.ByName(c.t, p.Child("name").Generic()); either {
		return // Konnect answers with id and name of what one of them declares
	}
	all := s.Object(nil)
	for _, k := range slices.Sorted(maps.Keys(current)) {
		_, declared := desired[k]
		f := all.Field(k)
		if declared || f == nil || o.Field(k) != nil || f.Schema.ReadOnly || f.Schema.Secret || blank(current[k]) || c.wasSecret(p.Child(k)) {
			continue
		}
		if c.mode == New && (c.skip(p.Child(k)) || c.t.IsComputed(p.Child(k))) {
			continue
		}
		c.delta.Changes = append(c.delta.Changes, Change{Path: p.Child(k), Old: current[k], Omit: true, Immutable: c.fixed(p.Child(k))})
	}
}

// wasSecret reports whether a field is a secret in the variant that exists.
func (c *comparer) wasSecret(at value.Path) bool {
	s := c.t.Write().At(at, c.current)
	return s != nil && s.Secret
}

// reset takes one field back.
func (c *comparer) reset(at value.Path, f *contract.Field, have any) {
	s := f.Schema
	if c.mode == New {
		if to, known := made(c, at, s, have); known && !c.same(at, s, to, have) {
			c.add(at, have, to)
		}
		return
	}
	if v, ok := c.Inherited[at.String()]; ok {
		c.inherit(at, s, v, have)
		return
	}
	if c.workedOut(at, s, have) {
		return
	}
	if c.t.IsComputed(at) || f.Required && !s.HasDefault() {
		c.keep(at, have, "")
		return
	}
	below, isMap := have.(map[string]any)
	to, ok := c.resetTo(at, s)
	switch {
	case c.fixed(at):
		if !c.same(at, s, to, have) {
			c.keepFixed(at, have, to, !f.Required)
		}
	case isMap && ok && to == nil && c.t.Puts() && onlyDefaults(s, below):
		// It holds nothing but defaults.
	case isMap && to != nil && c.t.Puts() && len(s.Branches()) > 0:
		if !c.same(at, s, to, have) { // another form may lack what is inside
			c.add(at, have, to)
		}
	case isMap && (!ok || to != nil) && inside(s):
		// What is inside is merged: each part is reset by itself.
		c.object(at, s, map[string]any{}, below)
	case !ok:
		c.keep(at, have, "")
	case !c.same(at, s, to, have):
		c.add(at, have, to)
		added := &c.delta.Changes[len(c.delta.Changes)-1]
		added.Omit = to == nil && (c.t.Puts() || c.inWhole(at))
		added.Rewrite = to == nil && !added.Omit && !s.Nullable && !c.takesNull(at)
	}
}

// made is what a new resource has in a field that nobody declares, and whether that is
// known.
func made(c *comparer, at value.Path, s *contract.Schema, have any) (to any, known bool) {
	k, listed := catalog.KeptAt(c.t, at)
	to, inherits := c.Inherited[at.String()]
	_, unknown := to.(value.Unknown)
	switch {
	case inherits:
		return to, !unknown
	case catalog.Inherits(c.t, at) || c.t.IsComputed(at):
		return nil, false
	case listed && k.Unset(have, c.desired):
		return have, true
	case listed && k.Copies != "":
		return c.desired[k.Copies], true
	case listed && k.Default != nil:
		return k.Default, true
	}
	if to, _ = c.resetTo(at, s); value.Empty(to) {
		to = nil // it is not sent
	}
	return to, true
}

// inherit gives a field what another resource has for it. A value that is not
// known yet cannot be sent, and a PUT without it gives it.
func (c *comparer) inherit(at value.Path, s *contract.Schema, to, have any) {
	_, unknown := to.(value.Unknown)
	switch {
	case unknown && c.t.Puts():
		c.delta.Changes = append(c.delta.Changes, Change{Path: at, Old: have, New: to, Omit: true})
	case unknown, c.same(at, s, to, have):
	case to == nil && !s.Nullable && !c.t.Puts():
		c.keep(at, have, "")
	default:
		c.delta.Changes = append(c.delta.Changes, Change{Path: at, Old: have, New: to, Omit: to == nil && c.t.Puts()})
	}
}

// nulled reports whether a field is declared as null, or what it is part of.
func (c *comparer) nulled(at value.Path) bool {
	return c.unset(at) && c.fixed(at) || slices.ContainsFunc(c.Nulled, at.HasPrefix)
}

// unset reports whether an immutable field is declared as null.
func (c *comparer) unset(at value.Path) bool {
	return slices.ContainsFunc(c.Unset, func(p value.Path) bool { return p.String() == at.String() })
}

// keepFixed notes an immutable field that stays. Where it is declared as null, it does
// not: that is a change, to what a new resource has.
func (c *comparer) keepFixed(at value.Path, have, to any, optional bool) {
	before := len(c.delta.Kept)
	c.keep(at, have, onlyNew)
	if len(c.delta.Kept) == before {
		return
	}
	if c.unset(at) {
		c.delta.Kept = c.delta.Kept[:before]
		c.add(at, have, to)
		return
	}
	c.delta.Kept[before].Null = optional
}

// keep notes a field that stays, unless it has what it has without a declaration.
// Without a reason it is one of those that the catalog lists.
func (c *comparer) keep(at value.Path, have any, why string) {
	k, listed := catalog.KeptAt(c.t, at)
	if why == "" && !listed || blank(have) {
		return
	}
	dropped := slices.ContainsFunc(k.Words, func(f string) bool { return c.desired[f] == nil && !blank(c.current[f]) })
	switch {
	case !listed || k.Pinned:
	case k.Unset(have, c.desired), !dropped && (k.Unset(have, c.current) || k.Made(have, c.desired) || k.Made(have, c.current)):
		return // one that is made of what is dropped now is not what a new resource has
	}
	if why == "" {
		why = k.Why
	}
	c.delta.Kept = append(c.delta.Kept, Kept{Path: at, Value: have, Why: why, Chosen: listed && k.Pinned})
}

// workedOut gives a field what Konnect works out for it from the declared ones beside
// it, and reports whether the catalog knows what that is. Of values that are not
// known yet nothing can be said.
func (c *comparer) workedOut(at value.Path, s *contract.Schema, have any) bool {
	k, listed := catalog.KeptAt(c.t, at)
	if !listed || k.From == nil {
		return false
	}
	to := k.From(c.desired)
	if _, unknown := to.(value.Unknown); to != nil && !unknown && !c.same(at, s, to, have) {
		c.add(at, have, to)
	}
	return to != nil
}

// resetTo is what a field has when it is not declared, and whether an update can
// give it that.
func (c *comparer) resetTo(at value.Path, s *contract.Schema) (any, bool) {
	switch {
	case s.HasDefault():
		return value.Clone(s.Default), true
	case s.Nullable, c.t.Puts(), c.takesNull(at), c.inWhole(at):
		return nil, true
	case free(s) && !catalog.Nullable(s.Object(nil).Values):
		return map[string]any{}, true // it is replaced whole
	case c.takesNoItems(at):
		return []any{}, true
	case c.t.Rewrite != nil && !inside(s):
		return nil, true
	default:
		return nil, false
	}
}

// onlyDefaults reports whether a mapping says no more than none: all that it holds is
// what it has by default, and secrets, which are not reset.
func onlyDefaults(s *contract.Schema, have map[string]any) bool {
	o := s.Object(have)
	if len(o.Names()) == 0 {
		return false
	}
	for k, v := range have {
		f := o.Field(k)
		if blank(v) || f != nil && (f.Schema.ReadOnly || f.Schema.Secret) {
			continue
		}
		if f == nil {
			return false
		}
		below, isMap := v.(map[string]any)
		if (!f.Schema.HasDefault() || !value.Equal(f.Schema.Default, v)) && (!isMap || !onlyDefaults(f.Schema, below)) {
			return false
		}
	}
	return true
}

// takesNull reports whether an update takes null for a field that a create cannot
// have so.
func (c *comparer) takesNull(at value.Path) bool {
	if c.t.Update == nil {
		return false
	}
	s := c.t.Update.Body().At(at, c.desired)
	return s != nil && s.Nullable
}

// takesNoItems reports whether an update takes a list without items for a field.
func (c *comparer) takesNoItems(at value.Path) bool {
	if c.t.Update == nil {
		return false
	}
	s := c.t.Update.Body().At(at, c.desired)
	return s != nil && s.Type == "array" && (s.MinItems == nil || *s.MinItems == 0)
}

// inWhole reports whether a field stands in a mapping that an update replaces: what is
// left out of it goes.
func (c *comparer) inWhole(at value.Path) bool {
	for n := 1; n < len(at) && c.t.Update != nil; n++ {
		if s := c.t.Update.Body().At(at[:n], c.desired); s != nil && s.Whole {
			return true
		}
	}
	return false
}

// inside reports whether a PATCH merges what is inside a mapping: it has fields,
// or keys that null removes.
func inside(s *contract.Schema) bool {
	o := s.Object(nil)
	return len(o.Names()) > 0 || o.Open || o.Values != nil && catalog.Nullable(o.Values)
}

// free reports whether a mapping has keys that people choose, and no others.
func free(s *contract.Schema) bool {
	o := s.Object(nil)
	return len(o.Names()) == 0 && o.Values != nil
}
