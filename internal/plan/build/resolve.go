package build

import (
	"path/filepath"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Desired is a declaration with all that can be known put in.
type Desired struct {
	// Plain holds values to compare: Unknown where one is not there yet,
	// nothing where it is secret.
	Plain   map[string]any
	Links   []DesiredLink
	Env     []plan.Expression
	Secrets []plan.Expression
	// Asked are the secrets of an existing resource that were asked for by name.
	Asked []plan.Expression
}

// DesiredLink is a value that comes from another resource.
type DesiredLink struct {
	Path   value.Path
	Target *resource.Resource
	Field  string
	ID     string
	change *plan.Change // that makes the value known
}

// resolve is the declaration of a resource, with what others have in it and keep.
func (b *Draft) resolve(r *resource.Resource) Desired {
	out := b.declared(r)
	keepItems(b, r, &out)
	return out
}

// declared is the declaration of a resource alone.
func (b *Draft) declared(r *resource.Resource) Desired {
	var out Desired
	plain := r.Fields.Plain(func(p value.Path, e *value.Expression) any {
		switch e.Op {
		case value.OpRef:
			if behind := variable(b, r, p); behind != nil {
				return fromEnv(b, r, p, behind, &out)
			}
			return follow(b, r, p, &out)
		case value.OpEnv:
			return fromEnv(b, r, p, e, &out)
		case value.OpSecret:
			out.Secrets = append(out.Secrets, plan.Expression{Field: p.String(), Expression: plan.SecretExpression(e, base(b, r))})
			return secretHere{}
		default:
			return value.Unknown{}
		}
	})
	out.Plain, _ = dropSecrets(plain).(map[string]any)
	for _, u := range r.Named {
		if usesAnother(b, r, u) {
			out.forget(u.At)
			value.Set(out.Plain, u.ID, through(b, resource.Edge{Path: u.ID, Target: u.Target, Field: "id"}, &out))
		}
	}
	if r.Type.Nest != "" && r.Above != nil {
		out.Plain[r.Type.Nest] = nested(b, r, &out)
	}
	return out
}

// forget takes out the value of a field, and where it comes from.
func (d *Desired) forget(at value.Path) {
	value.Delete(d.Plain, at)
	d.Links = slices.DeleteFunc(d.Links, func(l DesiredLink) bool { return l.Path.String() == at.String() })
	d.Env = slices.DeleteFunc(d.Env, func(e plan.Expression) bool { return e.Field == at.String() })
}

// usesAnother reports whether a live resource has to be led from what it uses to what a
// field of its declaration names: another one, or the same that is created again.
func usesAnother(b *Draft, r *resource.Resource, u resource.NamedUse) bool {
	o := b.Snapshot.Object(r)
	if o == nil || u.ID == nil || u.Target.External != nil {
		return false
	}
	has, ok := value.Get(o.Fields, u.ID)
	if !ok {
		return false // the name says it all
	}
	to := b.Snapshot.Object(u.Target)
	return b.replaced[u.Target] || to == nil || has != any(to.ID)
}

// base is the resource's base folder, relative to the plan.
func base(b *Draft, r *resource.Resource) string {
	rel, err := filepath.Rel(b.Dir, r.Base)
	if err != nil {
		return filepath.ToSlash(r.Base)
	}
	return filepath.ToSlash(rel)
}

// secretHere marks a secret until it is dropped.
type secretHere struct{}

// dropSecrets takes secrets out of mappings; in a list their place stays.
func dropSecrets(x any) any {
	switch d := x.(type) {
	case secretHere:
		return nil
	case map[string]any:
		for k, v := range d {
			if _, secret := v.(secretHere); secret {
				delete(d, k)
				continue
			}
			d[k] = dropSecrets(v)
		}
	case []any:
		for i, v := range d {
			d[i] = dropSecrets(v)
		}
	}
	return x
}

// variable is the expression that a reference leads to where the field it
// names comes from the environment: the plan must not hold that value either.
func variable(b *Draft, r *resource.Resource, p value.Path) *value.Expression {
	for {
		link, ok := b.Links.At(r, p)
		if !ok {
			return nil
		}
		r, p = link.Target, value.ParsePath(link.Field)
		e := r.Fields.Lookup(p).Expr()
		switch {
		case e == nil:
			return nil
		case e.Op == value.OpEnv:
			return e
		case e.Op != value.OpRef:
			return nil
		}
	}
}

// follow finds the value of a reference. What a change of this plan makes is
// not known yet.
func follow(b *Draft, r *resource.Resource, p value.Path, out *Desired) any {
	link, ok := b.Links.At(r, p)
	if !ok {
		return value.Unknown{}
	}
	v := through(b, link, out)
	if id := olderVersion(b, r, link, v); id != "" {
		v, out.Links[len(out.Links)-1].ID = id, id
	}
	return r.Type.AsText(p, v)
}

// olderVersion is the id that a live resource has in a field where it is that of an
// older version of what the field refers to; "" elsewhere. A reference follows no
// newer version by itself.
func olderVersion(b *Draft, r *resource.Resource, link resource.Edge, now any) string {
	own, target := b.Snapshot.Object(r), b.Snapshot.Object(link.Target)
	if own == nil || target == nil || link.Field != "id" || now != any(target.ID) {
		return ""
	}
	have, _ := value.Get(own.Fields, link.Path)
	if id, ok := have.(string); ok && slices.Contains(target.Older, id) {
		return id
	}
	return ""
}

// nested is the id of the resource that a tree's resource nests in.
func nested(b *Draft, r *resource.Resource, out *Desired) any {
	return through(b, resource.Edge{Path: value.Path{r.Type.Nest}, Target: r.Above, Field: "id"}, out)
}

func through(b *Draft, link resource.Edge, out *Desired) any {
	if after, c := afterAttached(b, link); c != nil {
		out.Links = append(out.Links, DesiredLink{Path: after.Path, Target: after.Target, Field: after.Field, ID: attachedAt(b, after.Target).Type.Unknown, change: await(b, after, c)})
		return value.Unknown{}
	}
	l := DesiredLink{Path: link.Path, Target: link.Target, Field: link.Field, ID: plan.UnknownID}
	var v any = value.Unknown{}
	// Of what is made new only the declared is known.
	isNew := b.object(link.Target) == nil || remade(b, link.Target)
	if !isNew || !link.Target.Fields.Lookup(value.ParsePath(link.Field)).IsAbsent() || madeName(link) {
		if x, known := resource.EdgeValue(b.Snapshot, b.Links, link); known && !movesWith(b, link) {
			v = x
			if l.ID, known = x.(string); !known {
				l.ID = string(value.Canonical(x))
			}
		}
	}
	if _, unknown := v.(value.Unknown); unknown {
		l.change = b.Making[link.Target]
		if made := madeBy(b, link.Target); made != nil {
			l.change, l.ID = made, b.AttachedTo(link.Target.Parent).Type.Unknown
		}
		if l.change == nil {
			l.change = b.changes[link.Target]
		}
	}
	out.Links = append(out.Links, l)
	return v
}

// movesWith reports whether the declared value behind a reference holds what a replaced
// resource gives, and a change of this plan writes it.
func movesWith(b *Draft, link resource.Edge) bool {
	if b.changes[link.Target] == nil {
		return false
	}
	field, moves := value.ParsePath(link.Field), false
	link.Target.Fields.Lookup(field).Walk(func(in value.Path, v value.Value) bool {
		next, ok := b.Links.At(link.Target, slices.Concat(field, in))
		if v.Expr() == nil || !ok {
			return true
		}
		absent := next.Target.Fields.Lookup(value.ParsePath(next.Field)).IsAbsent()
		moves = moves || absent && (b.object(next.Target) == nil || remade(b, next.Target)) || !absent && movesWith(b, next)
		return true
	})
	return moves
}

// fromEnv is the value of a variable, to compare with; converted to what the
// field takes.
func fromEnv(b *Draft, r *resource.Resource, p value.Path, e *value.Expression, out *Desired) any {
	out.Env = append(out.Env, plan.Expression{Field: p.String(), Expression: plan.NewExpression(e, "")})
	s, ok := b.Env(e.Name)
	if !ok {
		return value.Unknown{}
	}
	v, err := value.FromEnv(s, e.Field)
	if err != nil {
		return value.Unknown{}
	}
	return r.Type.Coerce(p.Generic(), v)
}

// references are what the plan says of the links.
func (d Desired) references() map[string]plan.Reference {
	if len(d.Links) == 0 {
		return nil
	}
	out := map[string]plan.Reference{}
	for _, l := range d.Links {
		entry := plan.Reference{Ref: l.Target.Ref, Type: l.Target.Type.Kind, ID: l.ID, Made: l.change, Lookup: plan.Named(l.Target.Name)}
		if l.Field != "id" {
			entry.Field = l.Field
		}
		out[l.Path.String()] = entry
	}
	return out
}

// Payload is what a create sends: variables stay placeholders.
func (d Desired) Payload(t *resource.Type) map[string]any {
	out, _ := value.Clone(d.Plain).(map[string]any)
	delete(out, t.KeyField)
	d.Placeholders(out)
	return out
}

// Key is the id of a Map resource, unknown while what it names is.
func (d Desired) Key(field string) string {
	if s, ok := d.Plain[field].(string); ok {
		return s
	}
	return ""
}

// Hide takes values of variables out of what is shown of a field.
func (d Desired) Hide(at value.Path, old, now any) (any, any) {
	for _, e := range d.Env {
		p := value.ParsePath(e.Field)
		below := p.HasPrefix(at)
		if !below && !at.HasPrefix(p) {
			continue
		}
		if old != nil {
			old = plan.Hidden // the former value may have had another place
		}
		if !below {
			return old, plan.EnvPlaceholder(e)
		}
		now = value.Set(value.Clone(now), p[len(at):], plan.EnvPlaceholder(e))
	}
	return old, now
}

// Placeholders puts names in the place of the values of variables that are
// sent. A list is sent as declared: only so are its places known.
func (d Desired) Placeholders(out map[string]any) {
	for _, e := range d.Env {
		p := value.ParsePath(e.Field)
		if _, sent := value.Get(out, p.Whole()); !sent {
			continue
		}
		if list, ok := value.Get(d.Plain, p.Whole()); ok && len(p.Whole()) < len(p) {
			value.Set(out, p.Whole(), value.Clone(list))
		}
	}
	for _, e := range d.Env {
		if p := value.ParsePath(e.Field); has(out, p) {
			value.Set(out, p, plan.EnvPlaceholder(e))
		}
	}
}

func has(data any, p value.Path) bool {
	_, ok := value.Get(data, p)
	return ok
}

// madeName reports whether a reference leads to the name of something that
// another target makes.
func madeName(link resource.Edge) bool {
	_, known := link.MadeName()
	return known
}
