package laws

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// nameUse is a field of a type that holds the name of another resource, in place of its
// id or because the contract has no id there, or of an item of the parent.
type nameUse struct {
	field string
	other *catalog.Bound
	at    value.Path // of the name
	// form is one that what has the name is declared in: with a secret, nothing may be
	// able to restore it.
	form feature
}

// nameUses are all such fields of a type.
func nameUses(cat *catalog.Catalog, t *catalog.Bound) (out []nameUse) {
	for above, ref := range catalog.Either(t) {
		out = append(out, nameUse{field: above + ".name", other: cat.Kind(ref.Kind), at: value.Path{"name"}})
	}
	for _, n := range t.Namings {
		for _, field := range n.Fields {
			if n.Inside != "" {
				out = append(out, nameUse{field: field, other: t.Parent, at: value.ParsePath(n.Inside)})
			} else {
				out = append(out, nameUse{field: field, other: cat.Kind(n.Kind), at: value.Path{cat.Kind(n.Kind).Identity[0]}})
			}
		}
	}
	for _, u := range slices.Clone(out) {
		for _, f := range spread(secretFeatures(u.other), 4) {
			u.form = f
			out = append(out, u)
		}
	}
	return out
}

// named is a configuration with a resource that has the name, which the field of another
// one holds.
func (u nameUse) named(t *testing.T, s *scene, name string) (text, ref string) {
	t.Helper()
	var parent string
	if u.other == s.t.Parent {
		s.n++
		ref = s.add(u.other, u.called(s, "", name), s.parent(u.other))
		parent = ref
	} else {
		parent = s.minimal(s.t.Parent)
		owner := parent
		for up := s.t.Parent; up != u.other.Parent; up = up.Parent {
			owner = s.above[owner]
		}
		s.n++
		ref = s.add(u.other, u.called(s, owner, name), owner)
	}
	s.below = parent
	p := value.ParsePath(u.field)
	for _, f := range allFeatures(s.t) {
		if !f.leadsTo(p) {
			continue
		}
		fields := s.sampled(s.t, parent, f)
		for _, at := range value.Places(fields, p) {
			if v, _ := value.Get(fields, at); reflect.TypeOf(v) == reflect.TypeOf([]any{}) {
				value.Set(fields, at, []any{name})
			} else {
				value.Set(fields, at, name)
			}
		}
		if slices.Contains(value.TextsAt(fields, p), name) {
			s.add(s.t, fields, parent)
			return s.text(), ref
		}
	}
	t.Fatalf("no sample has %s", u.field)
	return "", ""
}

// called is a declaration of what has the name.
func (u nameUse) called(s *scene, parent, name string) map[string]any {
	fields := s.sampled(u.other, parent, u.form)
	for _, at := range value.Places(fields, u.at) {
		value.Set(fields, at, name)
	}
	return fields
}

// What a field names may get another name with the field, and both have the former one
// when that is undone: the name is there before the field says it.
func TestUndoneRenameOfNamed(t *testing.T) {
	var ends tally
	afterAll(t, func() {
		t.Log(&ends)
		if ends.of("renamed") < 10 || ends.of("created again") < 12 || ends.of("renamed inside") == 0 || ends.of("with a secret") < 8 {
			t.Error("too few names were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, u := range nameUses(testkit.Catalog(t), typ) {
			t.Run(u.field+u.form.String(), func(t *testing.T) { ends.add(u.undone(t, typ), 1) })
		}
	})
}

// undone gives what is named another name and undoes that. It reports how that ended.
func (u nameUse) undone(t *testing.T, typ *catalog.Bound) (end string) {
	w := newWorld(t)
	w.keep = true
	before, ref := u.named(t, newScene(w, typ), "first")
	after, _ := u.named(t, newScene(w, typ), "then")
	end = "created again"
	if len(u.at) > 1 {
		end = "renamed inside"
	} else if !u.other.Immutable(u.at) {
		after += fmt.Sprintf("moved: [{type: %s, from: %q, to: %s}]\n", u.other.Kind, "first", ref)
		end = "renamed"
	}
	if u.form != nil && w.try(before).HasErrors() {
		return "no such form"
	}
	w.run(w.plan(before, plan.ModeSync))
	p := w.plan(after, plan.ModeSync, ref)
	if len(p.Changes) < 2 || !strings.Contains(string(w.bytes(p)), `"then"`) {
		t.Fatalf("not both change: %s", w.bytes(p))
	}
	w.run(p)
	w.settled(after, plan.ModeSync)
	lost := w.undo(p, "plans never contain secrets")
	onlySecretsAreLost(t, slices.DeleteFunc(slices.Clone(lost), func(text string) bool {
		return strings.HasSuffix(text, " uses it") || strings.HasSuffix(text, " keeps its new name")
	}))
	if len(lost) > 0 {
		return "with a secret"
	}
	w.settled(before, plan.ModeSync)
	return end
}
