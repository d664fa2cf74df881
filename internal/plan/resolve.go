package plan

import (
	"path/filepath"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/resource"
	"kongctl/internal/value"
)

const unknownID = value.UnknownText

// resolved is a declaration with all that can be known put in.
type resolved struct {
	// plain holds values to compare: Unknown where one is not there yet,
	// nothing where it is secret.
	plain   map[string]any
	links   []resolvedLink
	env     []Expression
	secrets []Expression
}

type resolvedLink struct {
	path   value.Path
	target *resource.Resource
	field  string
	id     string
	change *Change // that makes the value known
}

func (b *builder) resolve(r *resource.Resource) resolved {
	var out resolved
	plain := r.Fields.Plain(func(p value.Path, e *value.Expression) any {
		switch e.Op {
		case value.OpRef:
			if behind := b.variable(r, p); behind != nil {
				return b.fromEnv(r, p, behind, &out)
			}
			return b.follow(r, p, &out)
		case value.OpEnv:
			return b.fromEnv(r, p, e, &out)
		case value.OpSecret:
			out.secrets = append(out.secrets, Expression{Field: p.String(), Expression: secretExpression(e, b.base(r))})
			return secretHere{}
		default:
			return value.Unknown{}
		}
	})
	out.plain, _ = dropSecrets(plain).(map[string]any)
	if t := catalog.Of(r).Tree; t != nil && r.Above != nil {
		out.plain[t.Parent] = b.nested(r, &out)
	}
	return out
}

// base is the resource's base folder, relative to the plan.
func (b *builder) base(r *resource.Resource) string {
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
func (b *builder) variable(r *resource.Resource, p value.Path) *value.Expression {
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
func (b *builder) follow(r *resource.Resource, p value.Path, out *resolved) any {
	link, ok := b.Links.At(r, p)
	if !ok {
		return value.Unknown{}
	}
	v := b.through(link, out)
	if link.Target.External != nil {
		v = AsText(catalog.Of(r).Write().At(p.Generic(), nil), v)
	}
	return v
}

// nested is the id of the resource that a tree's resource nests in.
func (b *builder) nested(r *resource.Resource, out *resolved) any {
	return b.through(resource.Edge{Path: value.Path{catalog.Of(r).Tree.Parent}, Target: r.Above, Field: "id"}, out)
}

func (b *builder) through(link resource.Edge, out *resolved) any {
	if after, c := b.afterDeck(link); c != nil {
		out.links = append(out.links, resolvedLink{path: after.Path, target: after.Target, field: after.Field, id: PendingDeck, change: b.await(after, c)})
		return value.Unknown{}
	}
	l := resolvedLink{path: link.Path, target: link.Target, field: link.Field, id: unknownID}
	var v any = value.Unknown{}
	// Of what is made new only the declared is known.
	isNew := b.object(link.Target) == nil || b.remade(link.Target)
	if !isNew || !link.Target.Fields.Lookup(value.ParsePath(link.Field)).IsAbsent() || deckName(link) {
		if x, known := b.Snapshot.Target(link, b.Links); known {
			v = x
			if l.id, known = x.(string); !known {
				l.id = string(value.Canonical(x))
			}
		}
	}
	if _, unknown := v.(value.Unknown); unknown {
		l.change = b.making[link.Target]
		if deck := b.deckMakes(link.Target); deck != nil {
			l.change, l.id = deck, PendingDeck
		}
		if l.change == nil {
			l.change = b.changes[link.Target]
		}
	}
	out.links = append(out.links, l)
	return v
}

// fromEnv is the value of a variable, to compare with; converted to what the
// field takes.
func (b *builder) fromEnv(r *resource.Resource, p value.Path, e *value.Expression, out *resolved) any {
	out.env = append(out.env, Expression{Field: p.String(), Expression: expression(e, "")})
	s, ok := b.Env(e.Name)
	if !ok {
		return value.Unknown{}
	}
	v, err := value.FromEnv(s, e.Field)
	if err != nil {
		return value.Unknown{}
	}
	return catalog.Of(r).Write().At(p.Generic(), nil).Coerce(v)
}

// references are what the plan says of the links.
func (d resolved) references() map[string]Reference {
	if len(d.links) == 0 {
		return nil
	}
	out := map[string]Reference{}
	for _, l := range d.links {
		entry := Reference{Ref: l.target.Ref, Type: catalog.Of(l.target).Kind, ID: l.id, change: l.change}
		if l.field != "id" {
			entry.Field = l.field
		}
		out[l.path.String()] = entry
	}
	return out
}

// payload is what a create sends: variables stay placeholders.
func (d resolved) payload(t *catalog.Bound) map[string]any {
	out, _ := value.Clone(d.plain).(map[string]any)
	delete(out, t.MapKey)
	d.placeholders(out)
	return out
}

// key is the id of a Map resource, unknown while what it names is.
func (d resolved) key(field string) string {
	if s, ok := d.plain[field].(string); ok {
		return s
	}
	return ""
}

// hide takes values of variables out of what is shown of a field.
func (d resolved) hide(at value.Path, old, now any) (any, any) {
	for _, e := range d.env {
		p := value.ParsePath(e.Field)
		below := p.HasPrefix(at)
		if !below && !at.HasPrefix(p) {
			continue
		}
		if old != nil {
			old = masked // the former value may have had another place
		}
		if !below {
			return old, envPlaceholder(e)
		}
		now = value.Set(value.Clone(now), p[len(at):], envPlaceholder(e))
	}
	return old, now
}

// placeholders puts names in the place of the values of variables that are
// sent. A list is sent as declared: only so are its places known.
func (d resolved) placeholders(out map[string]any) {
	for _, e := range d.env {
		p := value.ParsePath(e.Field)
		if _, sent := value.Get(out, p.Whole()); !sent {
			continue
		}
		if list, ok := value.Get(d.plain, p.Whole()); ok && len(p.Whole()) < len(p) {
			value.Set(out, p.Whole(), value.Clone(list))
		}
	}
	for _, e := range d.env {
		if p := value.ParsePath(e.Field); has(out, p) {
			value.Set(out, p, envPlaceholder(e))
		}
	}
}

func has(data any, p value.Path) bool {
	_, ok := value.Get(data, p)
	return ok
}

func envPlaceholder(e Expression) string {
	name, _ := e.Expression["env"].(string)
	return "[env:" + name + "]"
}

// writable tells whether the type's request has the field.
func writable(t *catalog.Bound, name string, body *contract.Schema) bool {
	f := body.At([]string{name}, nil)
	return f != nil && !f.ReadOnly && name != t.MapKey
}
