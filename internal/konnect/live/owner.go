package live

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/value"
)

// Foreign says what to do with a root that has a declared name and does not
// belong to the declared namespace.
type Foreign uint8

// The ways to deal with what belongs to nobody or to another namespace.
const (
	// ForeignRefused: it is in the way, and that is an error.
	ForeignRefused Foreign = iota
	// ForeignPassed: it is left alone, with a warning.
	ForeignPassed
	// ForeignAdopted: what belongs to nobody is taken for the declared one.
	ForeignAdopted
	// ForeignSeized: what belongs to another namespace is, too.
	ForeignSeized
)

// owned keeps what belongs to the resource's namespace and tells of a name
// that somebody else holds.
func (m *matcher) owned(x *resource.Resource, candidates []*resource.Object) []*resource.Object {
	if !catalog.Of(x).HasLabels() {
		return candidates
	}
	own := m.own(x, candidates)
	if len(own) > 0 || len(candidates) == 0 {
		return own
	}
	o := candidates[0]
	m.snap.taken[o] = true
	if o.System {
		m.builtIn(x, o)
		return nil
	}
	other := catalog.Labels(o)[label.Namespace]
	if m.q.Foreign == ForeignSeized || (m.q.Foreign == ForeignAdopted && other == "") {
		return candidates
	}
	what, name := catalog.Words(catalog.Of(x).Kind), nameOf(x, o)
	adopt := m.adoptCommand(x, o, name)
	if other != "" {
		m.tell(x, diag.LiveOtherSpace, fmt.Sprintf("The %s %q exists (id %s) and belongs to the namespace %s; here it is declared in %s.", what, name, o.ID, other, x.Namespace),
			fmt.Sprintf("declare it in that namespace, choose another %s, or take it over: %s", resource.KnownBy(x.Type, "or"), adopt), adopt)
		return nil
	}
	m.tell(x, diag.LiveUnmanaged, fmt.Sprintf("The %s %q exists (%s) and carries no label %s: it is not managed here.", what, name, x.Type.Which(o), label.Namespace),
		fmt.Sprintf("choose another %s, or take it over: %s%s", resource.KnownBy(x.Type, "or"), adopt, m.besideFix(x, o)), adopt)
	return nil
}

// within are the objects among which a resource is found: where each namespace may have
// one of its identity, those of other namespaces are not in its way. One that is to be
// taken over must be what no other declaration is about.
func (m *matcher) within(x *resource.Resource, objects []*resource.Object) []*resource.Object {
	if !x.Type.PerNamespace {
		return objects
	}
	return slices.DeleteFunc(slices.Clone(objects), func(o *resource.Object) bool {
		if !o.OfOthers(x.Type, x.Namespace) {
			return false
		}
		return m.q.Foreign != ForeignSeized || slices.ContainsFunc(m.q.Set.Of(x.Type), func(r *resource.Resource) bool {
			want, known := resource.KnownIdentity(m.snap, m.q.Links, r)
			return r.External == nil && known && !o.OfOthers(x.Type, r.Namespace) && resource.SameIdentity(x.Type, want, o)
		})
	})
}

// builtIn reports that what Konnect made by itself is declared.
func (m *matcher) builtIn(x *resource.Resource, o *resource.Object) {
	t, name := catalog.Of(x), nameOf(x, o)
	m.tell(x, diag.LiveUnmanaged, fmt.Sprintf("The %s %q exists (id %s) and is Konnect's own: it cannot be managed.", catalog.Words(t.Kind), name, o.ID),
		fmt.Sprintf("choose another %s, or refer to it, with this in place of its fields: %s.", resource.KnownBy(x.Type, "or"), External(t, name)), "")
}

// External is what a declaration has in place of its fields to refer to a resource by
// its name.
func External(t *catalog.Bound, name string) string {
	return fmt.Sprintf("_external: {selector: {matchFields: {%s: %s}}}", t.Identity[0], value.YAMLText(name))
}

func (m *matcher) own(x *resource.Resource, candidates []*resource.Object) []*resource.Object {
	var own []*resource.Object
	for _, o := range candidates {
		if !catalog.Of(x).HasLabels() || catalog.Labels(o)[label.Namespace] == x.Namespace {
			own = append(own, o)
		}
	}
	return own
}

// tell reports a problem with a resource, unless it is left out; where what
// belongs to others is passed by, it is no error. The command is the one in the fix, or "".
func (m *matcher) tell(x *resource.Resource, code diag.Code, detail, fix string, command diag.Command) {
	if m.q.LeftOut != nil && m.q.LeftOut(x) {
		return
	}
	d := diag.New(code, x.Pos, detail, fix).Running(command)
	if m.q.Foreign == ForeignPassed && code != diag.LiveAmbiguous {
		d.Severity = diag.Warning
	}
	m.reported[x] = true
	m.diags = append(m.diags, d)
}

// AdoptCommand is the command that takes a resource over from the namespace that it
// belongs to, "" for none.
func AdoptCommand(t *catalog.Bound, name, namespace, from string) diag.Command {
	if from != "" {
		return diag.CommandOf("adopt", t.Word(), name, "--namespace", namespace, "--overwrite-namespace")
	}
	return diag.CommandOf("adopt", t.Word(), name, "--namespace", namespace)
}

// nameOf is what the object is called: by its old name where it has one still.
func nameOf(x *resource.Resource, o *resource.Object) string {
	if len(catalog.Of(x).Identity) == 1 {
		v, _ := value.Get(o.Fields, value.ParsePath(catalog.Of(x).Identity[0]))
		if s, ok := v.(string); ok {
			return s
		}
	}
	return x.Name
}
