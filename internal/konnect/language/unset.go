package language

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// unset leaves out the fields that say null where Konnect takes none: that means
// the same as not to write them where a declaration is whole. They are noted: a merge
// takes them back, and null for an immutable field asks for a resource without it. What
// only another form of the resource has says nothing. Fields that are required stay, to
// be reported, and so do labels, which apply takes away.
func unset(r *resource.Resource) value.Value {
	t := catalog.Of(r)
	r.Unset, r.Nulled = nil, nil
	plain, _ := r.Fields.Plain(placeholder).(map[string]any)
	var clean func(p value.Path, v value.Value) value.Value
	clean = func(p value.Path, v value.Value) value.Value {
		switch v.Kind() {
		case value.List:
			items := make([]value.Value, 0, len(v.Items()))
			for i, item := range v.Items() {
				items = append(items, clean(p.Index(i), item))
			}
			return value.ListAt(v.Pos(), items)
		case value.Map:
			at := catalog.SchemaAt(t.Write(), p, plain)
			if at == nil {
				return v
			}
			forms := catalog.SchemaAt(t.Write(), p, nil)
			inner, _ := v.Plain(placeholder).(map[string]any)
			object := at.Object(inner)
			var entries []value.Entry
			for _, e := range v.Entries() {
				if e.Value.Kind() == value.Null && ofAnotherForm(object, forms, e.Key) {
					continue
				}
				if e.Value.Kind() == value.Null && e.Key != t.MapKey && mayGo(object, e.Key) && !takesLabel(t, p.Child(e.Key)) && !knownBy(t, p.Child(e.Key)) {
					if at := p.Child(e.Key); asksForNew(t, at) {
						r.Unset = append(r.Unset, at)
					} else {
						r.Nulled = append(r.Nulled, at)
					}
					continue
				}
				e.Value = clean(p.Child(e.Key), e.Value)
				entries = append(entries, e)
			}
			return value.MapAt(v.Pos(), entries...)
		default:
			return v
		}
	}
	return clean(nil, r.Fields)
}

// knownBy reports whether a field is the one that resources of a type are known by: it
// cannot be null, whatever Konnect would take.
func knownBy(t *catalog.Bound, at value.Path) bool {
	return t.Shape != catalog.Singleton && len(t.Identity) == 1 && at.String() == t.Identity[0]
}

// withoutNulls leaves out what says null and may be worked out from other fields: that
// is done where it is not written.
func withoutNulls(t *catalog.Bound, v value.Value) value.Value {
	for _, l := range t.Loads {
		if len(l.From) > 0 && v.Field(l.Field).Kind() == value.Null {
			v = v.Without(l.Field)
		}
	}
	return v
}

// asksForNew reports whether null for an optional field asks for a new resource. Items of
// lists are compared with their list.
func asksForNew(t *catalog.Bound, at value.Path) bool {
	generic := at.Generic()
	return len(generic) == len(at) && t.Immutable(generic) && !t.IsIdentity(generic)
}

// mayGo reports whether null for a key means the same as not to write it.
func mayGo(o *contract.Object, key string) bool {
	switch f := o.Field(key); {
	case f != nil:
		return !f.Required && !f.Schema.Nullable
	case o.Values != nil:
		return !o.Values.Nullable
	default:
		return false
	}
}

// ofAnotherForm reports whether a mapping has no such key, and could have it in another
// form of the resource: null says there what it has, nothing.
func ofAnotherForm(o *contract.Object, forms *contract.Schema, key string) bool {
	if forms == nil || o.Field(key) != nil || o.Values != nil || o.Open {
		return false
	}
	f := forms.Object(nil).Field(key)
	return f != nil && !f.Schema.ReadOnly
}

// known puts the values of variables into the fields by which a resource is found:
// they must be known while planning, and are in the plan.
func (b *reader) known(r *resource.Resource) {
	t := catalog.Of(r)
	for _, field := range t.Identity {
		p := value.ParsePath(field)
		v := r.Fields.Lookup(p)
		e := v.Expr()
		if s := catalog.SchemaAt(t.Write(), p, nil); e == nil || e.Op != value.OpEnv || s == nil || s.Secret {
			continue
		}
		b.take(r, p, v, e)
	}
}

// take puts the value of a variable into a field. It reports one that cannot be had,
// and false.
func (b *reader) take(r *resource.Resource, p value.Path, v value.Value, e *value.Expression) bool {
	t := catalog.Of(r)
	text, ok := b.opts.Env(e.Name)
	if !ok {
		code, detail, fix := diag.Unread(fmt.Sprintf("%s takes %s", diag.Sentence(diag.A(catalog.Words(t.Kind))), p), e.Name, text)
		b.diags.Add(code, v.Pos(), detail, fix)
		put(r, p, value.ExprAt(v.Pos(), value.Expression{Op: value.OpNone}))
		return false
	}
	x, err := value.FromEnv(text, e.Field)
	if err != nil {
		b.diags.Add(diag.SrcExtract, v.Pos(), fmt.Sprintf("%s takes %s from the environment variable %s: %v.", diag.Sentence(diag.A(catalog.Words(t.Kind))), p, e.Name, err), fmt.Sprintf("set %s to JSON that has %s, or correct the path.", e.Name, e.Field))
		put(r, p, value.ExprAt(v.Pos(), value.Expression{Op: value.OpNone}))
		return false
	}
	b.taken[v.Pos()] = e.Name
	put(r, p, value.From(v.Pos(), t.Write().At(p.Generic(), nil).Coerce(x)))
	return true
}

// derive makes the fields by which a resource is found of others, where these take
// their values from variables: they must be known while planning. Null says as little
// as no key at all.
func (b *reader) derive(r *resource.Resource) {
	t := catalog.Of(r)
	for _, l := range t.Loads {
		if len(l.From) == 0 || !t.IsIdentity([]string{l.Field}) {
			continue
		}
		if r.Fields.Field(l.Field).Kind() == value.Null {
			r.Fields = r.Fields.Without(l.Field)
		}
		if r.Fields.Has(l.Field) {
			continue
		}
		written, taken := r.Fields, false
		for _, name := range l.From {
			p := value.ParsePath(name)
			v := r.Fields.Lookup(p)
			if e := v.Expr(); e != nil && e.Op == value.OpEnv && t.Write().At(p, nil) != nil {
				if !b.take(r, p, v, e) {
					return // without the variable nothing is known of it
				}
				taken = true
			}
		}
		if !taken {
			continue
		}
		known, _ := catalog.Normalizer(t)(r.Fields)
		if r.Fields = written; known.Has(l.Field) {
			r.Fields = r.Fields.With(value.Entry{Key: l.Field, KeyPos: known.KeyPos(l.Field), Value: known.Field(l.Field)})
		}
	}
}

// put sets the value at a path.
func put(r *resource.Resource, at value.Path, v value.Value) {
	r.Fields = r.Fields.Map(func(p value.Path, old value.Value) value.Value {
		if p.String() == at.String() {
			return v
		}
		return old
	})
}
