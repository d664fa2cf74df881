package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kongctl/internal/catalog"
	"kongctl/internal/diag"
	"kongctl/internal/value"
)

// adopt gives flat children the parent that they name, and puts parents before
// children.
func (b *builder) adopt() {
	b.nameAll(func(r *Resource) bool { return r.Type.Parent == nil })
	for _, r := range b.set.Resources {
		if r.Type.Parent == nil || r.Parent != nil {
			continue
		}
		if r.Above != nil {
			continue // follows the one it nests in
		}
		b.findParent(r)
	}
	for _, r := range b.set.Resources {
		for above := r.Above; above != nil && r.Parent == nil; above = above.Above {
			r.Parent = above.Parent
		}
	}
	b.order()
	b.nameAll(func(r *Resource) bool { return r.Type.Parent != nil })
	for _, r := range b.set.Resources {
		if r.Parent != nil {
			r.Namespace, r.Protected = r.Root().Namespace, r.Root().Protected
		}
	}
}

func (b *builder) findParent(r *Resource) {
	t := r.Type
	if r.parentRef.IsAbsent() {
		b.diags.Add(diag.CfgNoParent, r.Pos, fmt.Sprintf("A %s belongs to a %s, and this one does not say which.", catalog.Words(t.Kind), catalog.Words(t.Parent.Kind)), fmt.Sprintf("add %s: with the ref or name of one, or nest it below it under %s.", t.ParentKeys()[0], t.Key))
		return
	}
	e := r.parentRef.Expr()
	if e == nil || e.Op != value.OpRef {
		b.diags.Add(diag.CfgNoParent, r.parentRef.Pos(), fmt.Sprintf("The parent of a %s is a %s of this configuration, by ref or name.", catalog.Words(t.Kind), catalog.Words(t.Parent.Kind)), "write the ref or the name of one that is declared.")
		return
	}
	var names []string
	var found []*Resource
	for _, p := range b.set.Resources {
		if p.Type != t.Parent {
			continue
		}
		if p.Ref == e.Name || p.Name == e.Name {
			found = append(found, p)
		}
		names = append(names, p.Ref)
	}
	switch len(found) {
	case 1:
		r.Parent = found[0]
		found[0].Written[t.Key] = true
	case 0:
		fix := fmt.Sprintf("declare it under %s.", t.Parent.Root())
		if len(names) > 0 {
			fix = suggest(e.Name, names)
		}
		b.diags.Add(diag.RefUnknown, r.parentRef.Pos(), fmt.Sprintf("This %s belongs to the %s %q, and no input declares it.", catalog.Words(t.Kind), catalog.Words(t.Parent.Kind), e.Name), fix)
	default:
		b.diags.Add(diag.RefAmbiguous, r.parentRef.Pos(), fmt.Sprintf("Several resources are called %q.", e.Name), "give the one you mean a ref, and use that.")
	}
}

// order puts parents before children and keeps the order written otherwise.
// Resources without a parent that need one are dropped: they were told of.
func (b *builder) order() {
	var out []*Resource
	done := map[*Resource]bool{}
	var visit func(r *Resource) bool
	visit = func(r *Resource) bool {
		if done[r] {
			return true
		}
		if r.Type.Parent != nil && r.Parent == nil {
			return false
		}
		for _, first := range []*Resource{r.Parent, r.Above} {
			if first != nil && !visit(first) {
				return false
			}
		}
		done[r] = true
		out = append(out, r)
		return true
	}
	for _, r := range b.set.Resources {
		visit(r)
	}
	b.set.Resources = out
}

func (b *builder) nameAll(which func(*Resource) bool) {
	for _, r := range b.set.Resources {
		if which(r) {
			b.name(r)
		}
	}
}

// name settles what a resource is called: by its own name, or by its parent's
// ref and what tells it apart below it.
func (b *builder) name(r *Resource) {
	r.Name = ownName(r)
	if r.Ref != "" {
		if r.Name == "" {
			r.Name = r.Ref
		}
		return
	}
	switch {
	case r.Type.Parent == nil:
		r.Ref = r.Name
	case r.Parent != nil:
		above := r.Parent.Ref
		if r.Above != nil {
			above = r.Above.Ref
		}
		own := r.Name
		if r.Type.Shape == catalog.Singleton {
			own = strings.ReplaceAll(r.Type.Key, "_", "-")
		}
		r.Ref = strings.Trim(above+"-"+slug(own), "-")
	}
	if r.Name == "" {
		r.Name = r.Ref
	}
}

var notSlug = regexp.MustCompile(`[^a-zA-Z0-9._]+`)

func slug(s string) string { return strings.Trim(notSlug.ReplaceAllString(s, "-"), "-") }

// ownName is the name, the title, or what the identity says.
func ownName(r *Resource) string {
	for _, f := range []string{"name", "title"} {
		if s, ok := r.Fields.Field(f).Text(); ok && s != "" && (f == "name" || len(r.Type.Identity) != 1 || r.Type.Tree == nil) {
			return s
		}
	}
	var parts []string
	for _, f := range r.Type.Identity {
		v := r.Fields.Lookup(value.ParsePath(f))
		switch s, ok := v.Text(); {
		case ok && len(s) <= 63:
			parts = append(parts, s)
		case ok:
			sum := sha256.Sum256([]byte(strings.TrimSpace(s)))
			parts = append(parts, hex.EncodeToString(sum[:4]))
		case v.Kind() == value.Expr && v.Expr().Op == value.OpRef:
			parts = append(parts, v.Expr().Name)
		}
	}
	return strings.Join(parts, "-")
}

// identity is what must differ between two resources of one type and parent.
func identity(r *Resource) (string, bool) {
	var parts []string
	for _, f := range r.Type.Identity {
		v := r.Fields.Lookup(value.ParsePath(f))
		switch {
		case v.Kind() == value.Expr:
			parts = append(parts, "!"+string(v.Expr().Op)+" "+v.Expr().Name+"#"+v.Expr().Field)
		case v.IsAbsent() || v.Kind() == value.Null:
			parts = append(parts, "")
		default:
			parts = append(parts, strings.TrimSpace(fmt.Sprint(v.Plain(nil))))
		}
	}
	return strings.Join(parts, "\x00"), slices.ContainsFunc(parts, func(s string) bool { return s != "" })
}

// unique finds refs given twice and resources declared twice.
func (b *builder) unique() {
	refs := map[string]*Resource{}
	type place struct {
		t             *catalog.Bound
		parent, above *Resource
		identity      string
	}
	seen := map[place]*Resource{}
	for _, r := range b.set.Resources {
		if r.Explicit {
			if first, ok := refs[r.Ref]; ok {
				b.diags.Add(diag.CfgDuplicateRef, r.Pos, fmt.Sprintf("The ref %q is taken by the %s at %s.", r.Ref, catalog.Words(first.Type.Kind), first.Pos), "give one of the two another ref.")
				continue
			}
			refs[r.Ref] = r
		}
		id, ok := identity(r)
		if !ok && r.Type.Shape != catalog.Singleton {
			b.noIdentity(r)
			continue
		}
		at := place{r.Type, r.Parent, r.Above, id}
		if first, ok := seen[at]; ok {
			b.diags.Add(diag.CfgDuplicate, r.Pos, fmt.Sprintf("The %s %q is declared at %s too.", catalog.Words(r.Type.Kind), r.Name, first.Pos), "keep one of the two.")
			continue
		}
		seen[at] = r
	}
}

func (b *builder) noIdentity(r *Resource) {
	b.diags.Add(diag.CfgNoIdentity, r.Pos, fmt.Sprintf("A %s is known by its %s, and this one has none.", catalog.Words(r.Type.Kind), strings.Join(r.Type.Identity, ", ")), fmt.Sprintf("add %s: …", r.Type.Identity[0]))
}
