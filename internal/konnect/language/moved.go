package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

const (
	keyMoved = "moved"
	keyType  = "type"
	keyFrom  = "from"
	keyTo    = "to"

	moveForm = "{type: portal, from: old-name, to: new-name}"
)

// move is a written move, before it is known what it is about.
type move struct {
	pos, typePos, toPos value.Pos
	kind, from, to      string
}

// mover reads which resources were known by another name.
type mover struct {
	*state
	moves []move
}

// read reads the list of moves of a document.
func (b *mover) read(e value.Entry) {
	switch e.Value.Kind() {
	case value.Null:
	case value.List:
		for _, item := range e.Value.Items() {
			if item.Kind() != value.Map {
				b.wrongShape(item, fmt.Sprintf("A move must be a mapping and is %s.", shape(item)), "write "+moveForm)
				continue
			}
			b.readMove(item)
		}
	default:
		b.wrongShape(e.Value, fmt.Sprintf("%s must be a list of mappings and is %s.", keyMoved, shape(e.Value)), fmt.Sprintf("write a list: %s: [%s]", keyMoved, moveForm))
	}
}

func (b *mover) readMove(v value.Value) {
	m := move{pos: v.Pos(), typePos: v.Field(keyType).Pos(), toPos: v.Field(keyTo).Pos()}
	keys := []string{keyType, keyFrom, keyTo}
	texts := map[string]*string{keyType: &m.kind, keyFrom: &m.from, keyTo: &m.to}
	whole, meant := true, map[string]bool{}
	for _, e := range v.Entries() {
		text := texts[e.Key]
		if text == nil {
			b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("There is no field %q in a move.", e.Key), suggest(e.Key, keys))
			meant[diag.Nearest(e.Key, keys)] = true
			continue
		}
		s, ok := e.Value.Text()
		if !ok || s == "" {
			whole = false
			fix := "write " + moveForm
			if e.Value.Kind() == value.Number {
				fix = fmt.Sprintf("write it in quotes: %s: %q", e.Key, e.Value.Written())
			}
			b.wrongShape(e.Value, fmt.Sprintf("The field %s of a move must be a text and is %s.", e.Key, shape(e.Value)), fix)
		}
		*text = s
	}
	for _, key := range keys {
		if v.Has(key) {
			continue
		}
		whole = false
		if !meant[key] {
			b.diags.Add(diag.CfgMoved, m.pos, fmt.Sprintf("A move needs %s, and this one has no %s.", diag.Join(keys, "and"), key), "write "+moveForm)
		}
	}
	if whole {
		b.moves = append(b.moves, m)
	}
}

// settle finds the resources that moves are about.
func (b *mover) settle() {
	for _, m := range b.moves {
		t := b.cat.Kind(b.cat.Types().Now(m.kind))
		if t == nil {
			b.diags.Add(diag.CfgMoved, m.typePos, fmt.Sprintf("Unknown resource type %q.", m.kind), suggestKind(b.cat, m.kind))
			continue
		}
		if why, fix := unmovable(t); why != "" {
			b.diags.Add(diag.CfgMoved, m.typePos, why, fix)
			continue
		}
		if m.from == m.to {
			b.diags.Add(diag.CfgMoved, m.pos, fmt.Sprintf("The %s %q keeps its name.", catalog.Words(t.Kind), m.to), "remove this move.")
			continue
		}
		if r := b.moveTarget(t, m); r != nil && b.mayMove(r, m) && b.nameChanges(r, m) {
			b.set.Moves = append(b.set.Moves, resource.Move{Resource: r, From: m.from, Pos: m.pos})
		}
	}
}

// unmovable tells why resources of a type cannot be renamed.
func unmovable(t *catalog.Bound) (why, fix string) {
	a := diag.Sentence(diag.A(catalog.Words(t.Kind)))
	if t.ReadOnly {
		return a + " is managed elsewhere.", "remove this move."
	}
	switch field := catalog.Renamed(t); {
	case field == "":
		return a + " has no name that could be changed.", "remove this move."
	case t.Immutable(value.ParsePath(field)):
		if _, ok := catalog.Eased(t, value.ParsePath(field)); !ok {
			return nameStays(t, "")
		}
	}
	return "", ""
}

// nameStays is why a move cannot change the name of a resource, and what to do.
func nameStays(t *catalog.Bound, unless string) (why, fix string) {
	return fmt.Sprintf("Konnect cannot change the %s of %s%s.", catalog.Renamed(t), diag.A(catalog.Words(t.Kind)), unless), "remove this move: the resource is deleted and created again."
}

// nameChanges refuses a move of a resource whose name Konnect cannot change in the
// declared form.
func (b *mover) nameChanges(r *resource.Resource, m move) bool {
	t := catalog.Of(r)
	at := value.ParsePath(catalog.Renamed(t))
	fields, _ := r.Fields.Plain(placeholder).(map[string]any)
	if !catalog.Fixed(t, at, fields) {
		return true
	}
	x, _ := catalog.Eased(t, at)
	why, fix := nameStays(t, fmt.Sprintf(", unless %s is %s", x.Where, diag.Join(x.Is, "or")))
	b.diags.Add(diag.CfgMoved, m.typePos, why, fix)
	return false
}

func suggestKind(cat *catalog.Catalog, got string) string {
	var kinds []string
	for _, t := range cat.All() {
		kinds = append(kinds, t.Kind)
	}
	if near := diag.Nearest(got, kinds); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "write the type as plans and kongctl explain name it, for example " + moveForm
}

// moveTarget finds the resource that has the new name: by ref, else by name.
func (b *mover) moveTarget(t *catalog.Bound, m move) *resource.Resource {
	var byRef, byName []*resource.Resource
	var names []string
	for _, r := range b.set.Resources {
		if catalog.Of(r) == t && r.External != nil && (r.Ref == m.to || r.Called(m.to)) {
			b.diags.Add(diag.CfgMoved, m.toPos, fmt.Sprintf("The %s is external: its owner renames it.", r.Describe()), "remove this move.")
			return nil
		}
		if catalog.Of(r) != t || r.External != nil {
			continue
		}
		own := nameText(r)
		names = append(names, own)
		if r.Ref == m.to {
			byRef = append(byRef, r)
		}
		if own == m.to {
			byName = append(byName, r)
		}
	}
	found := byRef
	if len(found) == 0 {
		found = byName
	}
	what := catalog.Words(t.Kind)
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		var lines []string
		for _, r := range found {
			lines = append(lines, fmt.Sprintf("%s at %s", r.Describe(), r.Pos))
		}
		b.diags.Add(diag.CfgMoved, m.toPos, fmt.Sprintf("Several resources are called %q:\n%s", m.to, strings.Join(lines, "\n")), "write the ref of the one you mean.")
	case b.set.MayExist(t.Kind, m.to):
	default:
		fix := fmt.Sprintf("declare it under %s with the new name, or remove this move.", t.Root())
		if near := diag.Nearest(m.to, names); near != "" {
			fix = fmt.Sprintf("did you mean %s?", near)
		}
		b.diags.Add(diag.CfgMoved, m.toPos, fmt.Sprintf("No input declares the %s %q.", what, m.to), fix)
	}
	return nil
}

// nameText is the name of a resource that a move can change.
func nameText(r *resource.Resource) string { return textOf(r, catalog.Renamed(catalog.Of(r))) }

func textOf(r *resource.Resource, field string) string {
	s, _ := r.Fields.Lookup(value.ParsePath(field)).Text()
	return s
}

// alikeButNamed reports whether two resources have nothing but their names to tell them
// apart.
func alikeButNamed(r, other *resource.Resource) bool {
	t := catalog.Of(r)
	return other.Type == r.Type && other.Variant() == r.Variant() && other.Parent == r.Parent && other.Above == r.Above && !slices.ContainsFunc(t.Identity, func(f string) bool {
		return f != catalog.Renamed(t) && textOf(r, f) != textOf(other, f)
	})
}

// mayMove refuses a move whose old name is still in use, or that contradicts
// another.
func (b *mover) mayMove(r *resource.Resource, m move) bool {
	what := catalog.Words(catalog.Of(r).Kind)
	for _, other := range b.set.Resources {
		if other.External == nil && other != r && alikeButNamed(r, other) && nameText(other) == m.from {
			b.diags.Add(diag.CfgMoved, m.pos, fmt.Sprintf("The %s %q is still declared, at %s.", what, m.from, other.Pos), "remove its declaration, or this move.")
			return false
		}
	}
	for _, other := range b.set.Moves {
		switch {
		case other.Resource == r:
			b.diags.Add(diag.CfgMoved, m.pos, fmt.Sprintf("The move at %s renames %q to the same %s.", other.Pos, other.From, what), "keep the one whose old name Konnect has.")
			return false
		case alikeButNamed(r, other.Resource) && other.From == m.from:
			b.diags.Add(diag.CfgMoved, m.pos, fmt.Sprintf("The move at %s gives the %s %q another name.", other.Pos, what, m.from), "keep one of the two.")
			return false
		}
	}
	return true
}
