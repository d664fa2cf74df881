// Package diff compares what is declared with what exists.
//
// In: a type and plain values. Out: the fields that differ, and whether they
// can be changed or need a new resource. It is pure: it must never import what
// reads, plans or writes, nor look at a clock or the network.
package diff

import (
	"maps"
	"slices"
	"sort"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Mode says what a missing declaration means.
type Mode uint8

// The modes.
const (
	// Merge leaves alone what is not declared.
	Merge Mode = iota
	// Whole takes what is not declared back to its default.
	Whole
	// New is Whole for a resource that takes the place of another: nothing that
	// is not declared is left.
	New
)

// Change is a field that differs.
type Change struct {
	Path     value.Path
	Old, New any
	// Immutable fields need a new resource.
	Immutable bool
	// Hidden fields are not returned; Old is what tells of the difference.
	Hidden bool
	// Omit resets the field by leaving it out of a PUT, Rewrite by leaving it out of the
	// one beside the PATCH of its type.
	Omit, Rewrite bool
	// Places are where the items of a declared order are in New.
	Places []int
}

// Kept is a field that is not declared and keeps its value, though a resource
// without it would have another one.
type Kept struct {
	Path  value.Path
	Value any
	// Why it is not reset.
	Why string
	// Chosen: it may be the value that Konnect chose for the resource.
	Chosen bool
	// Null: declared as null, it would ask for a new resource.
	Null bool
}

// Delta is all that differs between a resource and its declaration, and what
// cannot be taken back.
type Delta struct {
	Changes []Change
	Kept    []Kept
	// Unseen are declared fields that Konnect does not return, and of which nothing
	// shows a difference.
	Unseen []value.Path
}

// Empty tells that there is nothing to do.
func (d Delta) Empty() bool { return len(d.Changes) == 0 }

// Replace tells that a new resource is needed.
func (d Delta) Replace() bool {
	return slices.ContainsFunc(d.Changes, func(c Change) bool { return c.Immutable })
}

// Rewrites tells that what the PATCH of the type cannot take away goes by a PUT.
func (d Delta) Rewrites() bool {
	return slices.ContainsFunc(d.Changes, func(c Change) bool { return c.Rewrite })
}

// Compare compares the declared fields with the current ones. Identity fields,
// the labels of roots and secrets are not its business.
func Compare(t *catalog.Bound, desired, current map[string]any, mode Mode) Delta {
	return CompareWith(t, desired, current, mode, Beside{})
}

// Beside is what a declaration says besides its fields.
type Beside struct {
	// Inherited are values that other resources give to fields that are left out, by
	// the field's path; Unknown where the value is not known yet.
	Inherited map[string]any
	// Unset are immutable fields that are declared as null and left out, Nulled the
	// other ones: a merge takes them back.
	Unset, Nulled []value.Path
	// Ordered reports that somebody wrote the order which the declaration holds.
	// Unlisted are the ids of what it does not list and what stays, after it.
	Ordered  bool
	Unlisted []string
	// Former are the ids that exist of what an order lists and what is created again,
	// by place; Gone are those of all that is created again.
	Former map[int]string
	Gone   []string
}

// CompareWith compares with what a declaration says besides its fields.
func CompareWith(t *catalog.Bound, desired, current map[string]any, mode Mode, with Beside) Delta {
	c := comparer{t: t, mode: mode, desired: desired, current: current, Beside: with}
	c.object(nil, t.Write(), desired, current)
	c.hideSecrets()
	sort.Slice(c.delta.Changes, func(i, j int) bool {
		return c.delta.Changes[i].Path.String() < c.delta.Changes[j].Path.String()
	})
	return c.delta
}

type comparer struct {
	t       *catalog.Bound
	mode    Mode
	desired map[string]any
	current map[string]any
	Beside
	delta Delta
}

func (c *comparer) add(p value.Path, old, desired any) {
	c.delta.Changes = append(c.delta.Changes, Change{Path: p, Old: old, New: desired, Immutable: c.fixed(p)})
}

// fixed reports whether a change of a field needs a new resource.
func (c *comparer) fixed(p value.Path) bool { return catalog.Fixed(c.t, p, c.current) }

// hideSecrets leaves secrets out of what the changed fields had, by the form that the
// resource has now: the declared form may not know them.
func (c *comparer) hideSecrets() {
	if c.delta.Empty() {
		return
	}
	shown := catalog.WithoutSecrets(c.t, c.current)
	for i, x := range c.delta.Changes {
		if !x.Hidden {
			c.delta.Changes[i].Old, _ = value.Get(shown, x.Path)
		}
	}
}

// skip leaves out what is compared elsewhere.
func (c *comparer) skip(p value.Path) bool {
	return c.t.IsIdentity(p) || (len(p) == 1 && p[0] == "labels" && c.t.HasLabels())
}

func (c *comparer) object(p value.Path, s *contract.Schema, desired, current map[string]any) {
	o := s.Object(desired)
	if s == nil {
		o = &contract.Object{Open: true} // inside a mapping whose keys people choose
	}
	for _, k := range slices.Sorted(maps.Keys(desired)) {
		at := p.Child(k)
		if c.skip(at) {
			continue
		}
		f := o.Field(k)
		var fs *contract.Schema
		if f != nil {
			fs = f.Schema
		} else {
			fs = o.Values
		}
		c.field(at, fs, desired[k], current)
	}
	if c.mode != Merge || len(c.Unset)+len(c.Nulled) > 0 {
		c.undeclared(p, o, desired, current)
	}
	if c.t.Puts() || c.mode == New || c.inWhole(p.Child("")) {
		c.former(p, o, desired, current)
	}
}

func (c *comparer) field(p value.Path, s *contract.Schema, desired any, current map[string]any) {
	k := p[len(p)-1]
	have, present := current[k]
	if c.hidden(p, desired, present) {
		return
	}
	if c.chosen(p, s, desired) {
		if c.mode == Whole && !c.workedOut(p, s, have) {
			c.keep(p, have, "")
		}
		return
	}
	if c.t.Orders != "" && p.String() == catalog.OrderField(c.t) {
		c.order(p, desired, have)
		return
	}
	if list, isList := desired.([]any); isList && s != nil && s.Secret && slices.Contains(list, nil) {
		return // places of secrets, which Konnect does not show
	}
	dm, isMap := desired.(map[string]any)
	hm, haveMap := have.(map[string]any)
	if isMap && haveMap && c.merged(s, dm) {
		c.object(p, s, dm, hm)
		return
	}
	if !c.same(p, s, desired, have) {
		c.add(p, have, desired)
	}
}

// merged reports whether a mapping is compared key by key: it has fields, or a PATCH
// merges the keys that people choose. What has no schema stands inside such a
// mapping.
func (c *comparer) merged(s *contract.Schema, desired map[string]any) bool {
	if s == nil {
		return !c.t.Puts()
	}
	o := s.Object(desired)
	return len(o.Names()) > 0 || o.Values != nil || o.Open && !c.t.Puts()
}

// chosen tells of a null that lets the service choose a value, which it has
// done. That it does so for null too must be said by the catalog beside the
// contract: an API's version can be null, its slug never is.
func (c *comparer) chosen(p value.Path, s *contract.Schema, desired any) bool {
	return desired == nil && s != nil && s.Computed && slices.Contains(c.t.Computed, p.String())
}

// hidden handles fields that Konnect does not return.
func (c *comparer) hidden(p value.Path, desired any, present bool) bool {
	for _, e := range c.t.Evidence {
		if e.Of != p.String() {
			continue
		}
		seen, ok := value.Get(c.current, value.ParsePath(e.Seen))
		text, isText := seen.(string)
		written, known := desired.(string)
		if ok && isText && known && !e.Same(written, text) {
			c.delta.Changes = append(c.delta.Changes, Change{Path: p, Old: text, New: desired, Immutable: c.fixed(p), Hidden: true})
		} else {
			c.delta.Unseen = append(c.delta.Unseen, p)
		}
		return true
	}
	if present || c.returned(p) {
		return false
	}
	c.delta.Unseen = append(c.delta.Unseen, p)
	return true
}

// returned tells whether Konnect returns the field at all. Fields that a
// response has elsewhere are found under the name that the request has for them.
func (c *comparer) returned(p value.Path) bool {
	op := c.t.Read
	if op == nil {
		op = c.t.List
	}
	if op == nil || len(c.t.Elsewhere) > 0 {
		return true
	}
	_, s := op.Success()
	if s == nil {
		return true
	}
	if w := op.Wrapper(); w != "" {
		s = s.At([]string{w}, nil)
	}
	if name, item, ok := op.Envelope(); ok && (name != "" || s.Type == "array") {
		s = item
	}
	if at := s.At(p.Generic(), nil); at != nil && at.WriteOnly {
		return false
	}
	return catalog.Holds(s, p)
}

// same compares two values as Konnect would.
func (c *comparer) same(p value.Path, s *contract.Schema, desired, have any) bool {
	equal := value.Equal
	if c.t.IsUnordered(p) {
		equal = SameSet
	}
	have = c.asNamed(p.Generic(), desired, have)
	desired, have = c.documents(p, declarable(s, desired)), c.documents(p, declarable(s, have))
	a, b := normal(s, desired), normal(s, have)
	if blank(a) && blank(b) || equal(a, b) {
		return true
	}
	a, b = c.meaning(p, s, desired, have), c.meaning(p, s, have, desired)
	return equal(normal(s, a), normal(s, b)) || equal(filled(c, p, s, a), filled(c, p, s, b))
}

// declarable is a value without what no form of its schema has: answers may say
// more of the items of a list than a request can, such as their ids.
func declarable(s *contract.Schema, v any) any {
	s = s.Deref()
	if s == nil {
		return v
	}
	switch x := v.(type) {
	case []any:
		out := make([]any, len(x))
		for i, y := range x {
			out[i] = declarable(s.Items, y)
		}
		return out
	case map[string]any:
		if s.Type != "" && s.Type != "object" {
			return v // a form without a mapping here, which differs from any mapping
		}
		o := s.Object(nil)
		out := make(map[string]any, len(x))
		for k, y := range x {
			if fs := fieldOf(o, k); fs != nil {
				out[k] = declarable(fs, y)
			} else if o.Open {
				out[k] = y
			}
		}
		return out
	}
	return v
}

// blank values stand for nothing: Konnect may keep an empty text as none.
func blank(v any) bool { return value.Empty(v) || v == "" }

// filled forgives elements that the service has filled with defaults, and with what it
// works out: lists are compared whole, so their elements are filled likewise.
func filled(c *comparer, p value.Path, s *contract.Schema, v any) any {
	return normal(s, c.fill(p.Generic(), s, value.Clone(v)))
}

// fill adds what nobody has to say to the mappings inside a value.
func (c *comparer) fill(p value.Path, s *contract.Schema, v any) any {
	s = s.Deref()
	if s == nil {
		return v
	}
	switch x := v.(type) {
	case []any:
		for i := range x {
			x[i] = c.fill(p, s.Items, x[i])
		}
	case map[string]any:
		o := s.Object(x)
		for _, n := range o.Names() {
			f := o.Field(n)
			if _, ok := x[n]; !ok && f.Schema.HasDefault() && !f.Schema.ReadOnly {
				x[n] = value.Clone(f.Schema.Default)
			}
			if y, ok := x[n]; ok {
				x[n] = c.fill(p.Child(n), f.Schema, y)
			} else if to := worked(c.t, p.Child(n), x); to != nil {
				x[n] = to
			}
			if m, isMap := x[n].(map[string]any); isMap && len(m) == 0 && !f.Required {
				delete(x, n) // it says as little as none
			}
		}
	}
	return v
}

// worked is what Konnect works out for a field of what stands beside it; nil where the
// catalog does not know.
func worked(t *catalog.Bound, p value.Path, beside map[string]any) any {
	if !isWorked(t, p) {
		return nil
	}
	k, _ := catalog.KeptAt(t, p)
	return k.From(beside)
}

// isWorked reports whether the catalog knows what Konnect works out for a field.
func isWorked(t *catalog.Bound, p value.Path) bool {
	k, _ := catalog.KeptAt(t, p)
	return k.From != nil && k.Field == p.String()
}

// normal drops nulls from mappings, read-only fields and secrets: absent and
// null mean the same there, and secrets are not compared.
func normal(s *contract.Schema, v any) any {
	return s.Filter(v, func(field *contract.Schema, _ bool, v any) bool {
		return v == nil || (field != nil && (field.ReadOnly || field.Secret))
	})
}

// SameSet reports whether two lists hold the same items in any order.
func SameSet(a, b any) bool {
	x, ok1 := a.([]any)
	y, ok2 := b.([]any)
	if !ok1 || !ok2 || len(x) != len(y) {
		return false
	}
	key := func(list []any) []string {
		out := make([]string, len(list))
		for i, v := range list {
			if _, unknown := v.(value.Unknown); unknown {
				return nil
			}
			out[i] = string(value.Canonical(v))
		}
		sort.Strings(out)
		return out
	}
	kx, ky := key(x), key(y)
	return kx != nil && slices.Equal(kx, ky)
}
