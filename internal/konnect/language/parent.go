package language

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// parents finds the parents of flat resources.
type parents struct {
	*state
	externals *externals
}

// adopt gives flat children the parent that they name, names everything and
// puts parents before children. It goes down from the roots, because a child
// may be named after its parent.
func (b *parents) adopt() {
	deepest := 0
	for _, r := range b.set.Resources {
		deepest = max(deepest, catalog.Of(r).Depth())
	}
	for depth := 0; depth <= deepest; depth++ {
		for _, r := range b.set.Resources {
			if catalog.Of(r).Depth() != depth {
				continue
			}
			switch {
			case catalog.Of(r).Parent == nil || r.Parent != nil:
			case r.Above != nil:
				r.Parent = r.Above.Parent
			default:
				b.findParent(r)
			}
			name(r)
		}
	}
	b.order()
	for _, r := range b.set.Resources {
		if r.Parent != nil && r.External == nil {
			// What others own belongs to no namespace, nor does what is below it.
			r.Namespace = r.Parent.Namespace
		}
	}
}

func (b *parents) findParent(r *resource.Resource) {
	t := catalog.Of(r)
	own, above := catalog.Words(t.Kind), diag.A(catalog.Words(t.Parent.Kind))
	e := r.ParentRef.Expr()
	switch {
	case unread(r.ParentRef):
	case r.ParentRef.IsAbsent() && r.External != nil:
		b.missingParent(r)
	case r.ParentRef.IsAbsent():
		b.diags.Add(diag.CfgNoParent, r.Pos, fmt.Sprintf("%s belongs to %s, and this one does not say to which.", diag.Sentence(diag.A(own)), above), fmt.Sprintf("add %s: with the ref or name of %s, or nest it there under %s:.", t.ParentKeys()[0], above, t.Key))
	case e != nil && e.Op == value.OpRef:
		b.lookUpParent(r, e.Name)
	case e != nil && e.Op == value.OpEnv:
		b.diags.Add(diag.CfgEnvPlace, r.ParentRef.Pos(), fmt.Sprintf("What %s belongs to cannot depend on the environment.", diag.A(own)), fmt.Sprintf("write the ref or name of %s.", above))
	default:
		b.diags.Add(diag.CfgNoParent, r.ParentRef.Pos(), fmt.Sprintf("%s belongs to %s, which is named by its ref, its name or its id.", diag.Sentence(diag.A(own)), above), fmt.Sprintf("write the ref, name or id of %s.", above))
	}
}

// lookUpParent finds a parent by its ref, written or not, else by its name.
// That two have one ref is reported elsewhere.
func (b *parents) lookUpParent(r *resource.Resource, wanted string) {
	t := catalog.Of(r)
	var names []string
	var byRef, found, others []*resource.Resource
	for _, p := range b.set.Resources {
		switch {
		case catalog.Of(p) != t.Parent && p.Explicit && p.Ref == wanted:
			others = append(others, p)
			continue
		case catalog.Of(p) != t.Parent || p.External != nil && p.External.Unnamed || !fits(b.state, r, p):
			continue
		}
		switch wanted {
		case p.Ref:
			byRef = append(byRef, p)
		case p.Name:
			found = append(found, p)
		}
		names = append(names, p.Ref)
	}
	if len(byRef) > 0 {
		found = byRef[:1]
	}
	switch {
	case len(found) == 1:
		r.Parent = found[0]
		found[0].Written[t.Key] = true
	case len(found) > 1:
		b.diags = append(b.diags, resource.Ambiguous(r.ParentRef.Pos(), fmt.Sprintf("This %s belongs to", catalog.Words(t.Kind)), wanted, found))
	case b.set.MayExist(t.Parent.Kind, wanted):
	case r.External != nil && r.External.Unnamed && r.External.ID != "":
		// The field beside the id is reported.
	case len(others) > 0:
		b.diags.Add(diag.RefKind, r.ParentRef.Pos(), fmt.Sprintf("This %s belongs to %s, and %q is %s.", catalog.Words(t.Kind), diag.A(catalog.Words(t.Parent.Kind)), wanted, diag.A(catalog.Words(catalog.Of(others[0]).Kind))), fmt.Sprintf("write the ref, name or id of %s.", diag.A(catalog.Words(t.Parent.Kind))))
	case r.External != nil && diag.Nearest(wanted, names) == "":
		b.diags = append(b.diags, parentNotDeclared(r, wanted))
	default:
		fix := fmt.Sprintf("declare it under %s.", t.Parent.Root())
		if len(names) > 0 {
			fix = suggest(wanted, names)
		}
		b.diags.Add(diag.RefUnknown, r.ParentRef.Pos(), fmt.Sprintf("This %s belongs to the %s %q, and no input declares it.", catalog.Words(t.Kind), catalog.Words(t.Parent.Kind), wanted), fix)
	}
}

// order puts parents before children and keeps the order written otherwise.
// Resources without a parent that need one are left out: they were reported.
func (b *parents) order() {
	var out []*resource.Resource
	done := map[*resource.Resource]bool{}
	var visit func(r *resource.Resource) bool
	visit = func(r *resource.Resource) bool {
		if done[r] {
			return true
		}
		if catalog.Of(r).Parent != nil && r.Parent == nil {
			return false
		}
		for _, before := range []*resource.Resource{r.Parent, r.Above} {
			if before != nil && !visit(before) {
				return false
			}
		}
		done[r] = true
		out = append(out, r)
		return true
	}
	for _, r := range b.set.Resources {
		if !visit(r) {
			b.set.LeftOut[r.Ref] = true
			b.set.LeftOut[r.Name] = true
		}
	}
	b.set.Resources = out
}

// parentsByID gives resources whose parent is named by an id or a lookup one
// that stands for it. The list grows while it is read: such a parent may have
// one itself.
func (b *parents) parentsByID() {
	for i := 0; i < len(b.set.Resources); i++ {
		r := b.set.Resources[i]
		if catalog.Of(r).Parent == nil || r.Parent != nil || r.Above != nil {
			continue
		}
		whose := func() (*resource.Resource, value.Value) { return beyond(b.state, r) }
		text, isText := r.ParentRef.Text()
		switch e := r.ParentRef.Expr(); {
		case isText && idPattern.MatchString(text):
			r.Parent = b.externals.declared(b.externals.byID(r, catalog.Of(r).Parent, r.ParentRef, whose))
		case e != nil && e.Op == value.OpLookup:
			r.Parent = b.externals.declared(b.externals.lookedUp(r, catalog.Of(r).Parent, r.ParentRef, whose))
			if r.Parent == nil {
				r.ParentRef = unreadable(r.ParentRef)
			}
		}
		if r.Parent != nil {
			r.Parent.Written[catalog.Of(r).Key] = true
		}
	}
}

// missingParent tells of an external that does not say whose it is.
func (b *parents) missingParent(r *resource.Resource) {
	t := catalog.Of(r)
	key := t.ParentKeys()[0]
	above := diag.A(catalog.Words(t.Parent.Kind))
	detail := fmt.Sprintf("Resource: %q (type: %s)\nMissing required parent field: %s", shownRef(r), r.Word, key)
	fix := fmt.Sprintf("add %s: with the ref, name or id of %s.", key, above)
	if r.External.Unnamed {
		detail = fmt.Sprintf("%s belongs to %s, and nothing says to which.", diag.Sentence(diag.A(catalog.Words(t.Kind))), above)
		fix = fmt.Sprintf("write !lookup {%s, %s: …}, with the id of %s or the ref of a declared one", strings.Replace(foundBy(r.External), "=", ": ", 1), key, above)
		if of := r.External.Uses[0].In; of.Type.Parent == r.Type && of.Parent == r {
			fix += fmt.Sprintf("; or add %s: to the same resource, with either of them or another !lookup", key)
		}
		fix += "."
	}
	b.diags.Add(diag.ExtMissingParent, r.Pos, detail, fix)
}
