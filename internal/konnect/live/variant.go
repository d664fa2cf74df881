package live

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// variant chooses among objects of one identity, where Konnect keeps several of them:
// the one that has the declared value of the field in which they differ. Where only one
// is declared and only one is there, it is that one, whatever it has in the field.
// Nothing is guessed: where some are left that no declaration is about, a declaration
// that is about none of them may be a change of one or a new one. That is reported.
func (m *matcher) variant(x *resource.Resource, candidates []*resource.Object, scope string) (_ []*resource.Object, ok bool) {
	if x.Type.Variant == "" {
		return candidates, true
	}
	all := m.alike(x, scope)
	own := m.own(x, all)
	want, known := m.wants(x)
	exact := withVariant(x.Type, all, want)
	if !known {
		exact = nil
	}
	switch {
	case len(exact) > 0:
		return exact, true
	case !x.Several && len(own) == 1:
		return candidates, true
	}
	left := m.left(x, own)
	if len(left) == 0 {
		if left = m.inTheWay(x, all, want); len(left) < 2 {
			return left, true
		}
	}
	for _, o := range left {
		m.snap.taken[o] = true
	}
	m.unclear(x, left, want, known)
	return nil, false
}

// alike are the objects of a scope with the identity of a resource, whatever their variant.
func (m *matcher) alike(x *resource.Resource, scope string) []*resource.Object {
	want, known := resource.SharedIdentity(m.snap, m.q.Links, x)
	if !known {
		return nil
	}
	return m.identified(x, want, scope)
}

// wants is what a resource declares for the field that tells it apart.
func (m *matcher) wants(x *resource.Resource) (any, bool) {
	if x.Type.Variant == "" {
		return nil, false
	}
	return resource.FieldValue(m.snap, m.q.Links, x, value.ParsePath(x.Type.Variant))
}

func withVariant(t *resource.Type, objects []*resource.Object, want any) []*resource.Object {
	var out []*resource.Object
	for _, o := range objects {
		if have, _ := value.Get(o.Fields, value.ParsePath(t.Variant)); resource.SameField(t, t.Variant, want, have) {
			out = append(out, o)
		}
	}
	return out
}

// left are the objects of the resource's own that no other declaration is about.
func (m *matcher) left(x *resource.Resource, own []*resource.Object) []*resource.Object {
	out := slices.Clone(own)
	if len(out) == 0 {
		return nil
	}
	for _, r := range m.index.namesakes(x) {
		if r == x || r.Namespace != x.Namespace {
			continue
		}
		if want, known := m.wants(r); known {
			about := withVariant(x.Type, out, want)
			out = slices.DeleteFunc(out, func(o *resource.Object) bool { return slices.Contains(about, o) })
		}
	}
	return out
}

// inTheWay are the objects of others that have the name which a new resource gets. One
// of another namespace that differs in its variant is not, nor is one that is declared
// as external.
func (m *matcher) inTheWay(x *resource.Resource, all []*resource.Object, want any) []*resource.Object {
	if want == nil {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(o *resource.Object) bool {
		return catalog.Labels(o)[label.Namespace] != "" || len(m.theirs[x.Type.Kind+" "+o.ID]) > 0
	})
}

// unclear reports a declaration that may be about one of several objects, or about none.
func (m *matcher) unclear(x *resource.Resource, left []*resource.Object, want any, known bool) {
	t, field := catalog.Of(x), x.Type.Variant
	has, fix, change := fmt.Sprintf("declares no %s", field), fmt.Sprintf("declare the %s of the one that is meant.", field), diag.Command("")
	if !known {
		has = fmt.Sprintf("takes its %s from elsewhere, and the value is not known yet", field)
		fix = fmt.Sprintf("write the %s itself.", field)
	}
	if text, ok := want.(string); ok {
		has = fmt.Sprintf("has the %s %q", field, text)
		change = changeCommand(t, left[0].ID, field, text)
		fix = fmt.Sprintf("if it is one of them, change that one first: %s. To have it beside them, declare them, too, as external where others own them; what is to go is removed in a later plan.", change)
	}
	m.tell(x, diag.LiveAmbiguous, fmt.Sprintf("The %s %s. Konnect has its %s with another %s, which no input declares:\n%s\nIt may be one of these, or a new one.", x.Describe(), has, resource.KnownBy(x.Type, "and"), field, ids(x.Type, left)), fix, change)
}

// changeCommand is a command that changes one field of a resource.
func changeCommand(t *catalog.Bound, id, field, text string) diag.Command {
	return diag.CommandOf("api "+strings.ToLower(t.Update.Method), t.Path+"/"+id, field+"="+text)
}

// besideFix is how to have a resource beside one of the same name that belongs to nobody.
func (m *matcher) besideFix(x *resource.Resource, o *resource.Object) string {
	if x.Type.Variant == "" {
		return ""
	}
	want, _ := m.wants(x)
	if want == nil || len(withVariant(x.Type, []*resource.Object{o}, want)) > 0 {
		return ""
	}
	return fmt.Sprintf(". To have both, declare that one as external under %s: {ref: other, _external: {id: %s}}", x.Type.Root, o.ID)
}

// apartFix is how to make clear which of several objects a resource is.
func (m *matcher) apartFix(x *resource.Resource, found []*resource.Object) (string, diag.Command) {
	if x.Type.PerNamespace && len(m.own(x, found)) == 0 {
		adopt := m.adoptCommand(x, found[0], found[0].ID)
		return fmt.Sprintf("take over the one that is meant, by its id: %s", adopt), adopt
	}
	return "delete or rename all but one of them in Konnect.", ""
}

// adoptCommand takes over an object: by its id, where others have its name.
func (m *matcher) adoptCommand(x *resource.Resource, o *resource.Object, name string) diag.Command {
	t := catalog.Of(x)
	if want, known := resource.SharedIdentity(m.snap, m.q.Links, x); known && (t.Variant != "" || t.PerNamespace) && len(m.index.same(x.Type, scopeKey(t, nil), want)) > 1 {
		name = o.ID
	}
	return AdoptCommand(t, name, x.Namespace, catalog.Labels(o)[label.Namespace])
}
