package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// name settles what a resource is called: by its own name, or by its parent's
// ref and what tells it apart below it.
func name(r *resource.Resource) {
	r.Name = r.OwnName()
	own := r.RefName()
	switch {
	case r.Ref != "":
	case catalog.Of(r).Parent == nil:
		r.Ref = resource.ShortRef(own)
	case r.Parent != nil:
		above := r.Parent.Ref
		if r.Above != nil {
			above = r.Above.Ref
		}
		if catalog.Of(r).Shape == catalog.Singleton || own == "" {
			own = strings.ReplaceAll(catalog.Of(r).Key, "_", "-")
		}
		r.Ref = resource.ShortRef(strings.Trim(above+"-"+slug(own), "-"))
	}
	if r.Name == "" {
		r.Name = resource.ShownRef(r.Ref, "")
	}
}

var notSlug = pattern.New(`[^a-zA-Z0-9._]+`)

func slug(s string) string { return strings.Trim(notSlug.ReplaceAllString(s, "-"), "-") }

// Ref returns a text as a ref: itself where it is one, else what is left of it in the
// letters of one; "" where that is not one either.
func Ref(s string) string {
	for _, ref := range []string{s, slug(s)} {
		if refPattern.MatchString(ref) && len(ref) <= maxRef {
			return ref
		}
	}
	return ""
}

// unique finds refs given twice and resources declared twice. Where references
// tell resources apart, resource.Link looks again.
func (b *reader) unique() {
	type place struct {
		t        *catalog.Bound
		parent   *resource.Resource
		identity string
		variant  string
	}
	variants(b)
	refs := map[string]*resource.Resource{}
	seen := map[place]*resource.Resource{}
	for _, r := range slices.Concat(b.sideRefs, b.set.Resources) {
		if r.Explicit {
			if other, ok := refs[r.Ref]; ok {
				b.diags.Add(diag.CfgDuplicateRef, r.RefPos, fmt.Sprintf("The ref %q is taken by the %s at %s.", r.Ref, catalog.Words(catalog.Of(other).Kind), other.RefPos), "give one of the two another ref.")
				continue
			}
			refs[r.Ref] = r
		}
		if r.External != nil || r.Written == nil {
			continue // two may mean one object; a ref of several has no identity
		}
		id, known := r.Identity(nil)
		if !known || blank(r) && catalog.Of(r).Shape != catalog.Singleton {
			continue
		}
		at := place{catalog.Of(r), r.Parent, id, r.Variant()}
		if other, ok := seen[at]; ok {
			b.diags = append(b.diags, resource.Twice(r, other))
			continue
		}
		seen[at] = r
	}
}

// variants puts the values of variables into the fields that tell resources of one
// identity apart, where there are several: like what a resource is found by, they must
// be known while planning.
func variants(b *reader) {
	type group struct {
		t                   *catalog.Bound
		parent              *resource.Resource
		identity, namespace string
	}
	all := map[group][]*resource.Resource{}
	for _, r := range b.set.Resources {
		id, known := r.Identity(nil)
		if t := catalog.Of(r); t.Variant != "" && r.External == nil && known {
			of := group{t, r.Parent, id, r.Namespace}
			all[of] = append(all[of], r)
		}
	}
	for _, r := range b.set.Resources {
		id, _ := r.Identity(nil)
		p := value.ParsePath(catalog.Of(r).Variant)
		v := r.Fields.Lookup(p)
		if e := v.Expr(); len(all[group{catalog.Of(r), r.Parent, id, r.Namespace}]) > 1 && e != nil && e.Op == value.OpEnv {
			b.take(r, p, v, e)
		}
	}
}

// blank tells that nothing stands in the fields of the identity.
func blank(r *resource.Resource) bool {
	for _, f := range catalog.Of(r).Identity {
		v := r.Fields.Lookup(value.ParsePath(f))
		if s, ok := v.Text(); !v.IsAbsent() && (!ok || strings.TrimSpace(s) != "") {
			return false
		}
	}
	return true
}

// identified tells whether a field of the identity was written.
func identified(r *resource.Resource) bool {
	for _, f := range catalog.Of(r).Identity {
		if !r.Fields.Lookup(value.ParsePath(f)).IsAbsent() {
			return true
		}
	}
	return false
}
