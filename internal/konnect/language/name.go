package language

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/value"
)

// name settles what a resource is called: by its own name, or by its parent's
// ref and what tells it apart below it.
func name(r *Resource) {
	r.Name = ownName(r)
	switch {
	case r.Ref != "":
	case r.Type.Parent == nil:
		r.Ref = r.Name
	case r.Parent != nil:
		above := r.Parent.Ref
		if r.Above != nil {
			above = r.Above.Ref
		}
		own := r.Name
		if r.Type.Shape == catalog.Singleton || own == "" {
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
	if r.External != nil {
		return r.External.name(r.Type)
	}
	for _, f := range []string{"name", "title"} {
		if s, ok := r.Fields.Field(f).Text(); ok && s != "" && (f == "name" || len(r.Type.Identity) != 1 || r.Type.Tree == nil) {
			return s
		}
	}
	var parts []string
	for _, f := range r.Type.Identity {
		v := r.Fields.Lookup(value.ParsePath(f))
		switch s, ok := v.Text(); {
		case ok && len(s) <= maxRef:
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

// Called tells whether the resource has the name in a field of its own: what
// is only named after others does not answer to their names.
func (r *Resource) Called(name string) bool {
	if r.External != nil {
		return !r.External.Unnamed && r.External.name(r.Type) == name
	}
	for _, f := range append([]string{"name", "title"}, r.Type.Identity...) {
		if s, ok := r.Fields.Lookup(value.ParsePath(f)).Text(); ok && s == name {
			return true
		}
	}
	return false
}

// Identity is what must differ between two resources of one type and parent,
// as one text. References in it are followed; where one leads nowhere, or
// follow is nil, the identity is not known.
func (r *Resource) Identity(follow func(value.Path) *Resource) (string, bool) {
	fields := r.Type.Identity
	parts := make([]string, 0, len(fields)+1)
	if r.Type.Tree != nil && r.Above != nil {
		parts = append(parts, r.Above.anchor())
	} else if r.Type.Tree != nil {
		fields = append([]string{r.Type.Tree.Parent}, fields...)
	}
	for _, f := range fields {
		p := value.ParsePath(f)
		v := r.Fields.Lookup(p)
		switch {
		case v.Kind() == value.Expr && v.Expr().Op == value.OpRef && follow != nil:
			target := follow(p)
			if target == nil {
				return "", false
			}
			parts = append(parts, target.anchor()+strings.TrimPrefix(v.Expr().Field, keyID))
		case v.Kind() == value.Expr:
			return "", false
		case v.IsAbsent() || v.Kind() == value.Null:
			parts = append(parts, "")
		default:
			parts = append(parts, strings.TrimSpace(fmt.Sprint(v.Plain(func(value.Path, *value.Expression) any { return nil }))))
		}
	}
	return strings.Join(parts, "\x00"), true
}

// anchor stands for the resource in the identity of another.
func (r *Resource) anchor() string { return "\x01" + strconv.Itoa(r.number) + "#" }

// Twice tells that two declarations mean one resource.
func Twice(r, other *Resource) diag.Diagnostic {
	pos, otherPos := r.namePos(), other.namePos()
	if pos == otherPos { // one mapping, used twice
		pos, otherPos = r.Pos, other.Pos
	}
	detail, fix := fmt.Sprintf("The %s is declared at %s too.", r.Describe(), otherPos), "keep one of the two."
	if by := r.Type.Identity; len(by) == 1 {
		field := shortName(r.Type, by[0])
		detail = fmt.Sprintf("The %s has the same %s as the one at %s.", r.Describe(), field, otherPos)
		fix = fmt.Sprintf("keep one of the two, or give it another %s.", field)
	}
	return diag.New(diag.CfgDuplicate, pos, detail, fix)
}

// namePos is where the one field stands that a resource is known by, else where
// the resource does.
func (r *Resource) namePos() value.Pos {
	if by := r.Type.Identity; len(by) == 1 {
		if v := r.Fields.Lookup(value.ParsePath(by[0])); !v.IsAbsent() {
			return v.Pos()
		}
	}
	return r.Pos
}

// SameRef tells that two resources of one type go by one ref, which one of them
// at least was not given but has of its name.
func SameRef(r, other *Resource) diag.Diagnostic {
	detail := fmt.Sprintf("The %s goes by %q, which is made of its name, and so does the %s at %s.", r.Describe(), r.Ref, other.Describe(), other.namePos())
	pos := r.namePos()
	switch {
	case r.Explicit:
		pos = r.refPos
		detail = fmt.Sprintf("The ref %q is what the %s at %s goes by, because it has no ref.", r.Ref, other.Describe(), other.namePos())
	case other.Explicit:
		detail = fmt.Sprintf("The %s has no ref, so it goes by %q, which is the ref of the %s at %s.", r.Describe(), r.Ref, catalog.Words(other.Type.Kind), other.refPos)
	}
	return diag.New(diag.CfgDuplicateRef, pos, detail, "give one of the two a ref that no other has.")
}

// unique finds refs given twice and resources declared twice. Where references
// tell resources apart, package ref looks again.
func (b *builder) unique() {
	type place struct {
		t        *catalog.Bound
		parent   *Resource
		identity string
	}
	refs := map[string]*Resource{}
	seen := map[place]*Resource{}
	for _, r := range b.set.Resources {
		if r.Explicit {
			if other, ok := refs[r.Ref]; ok {
				b.diags.Add(diag.CfgDuplicateRef, r.refPos, fmt.Sprintf("The ref %q is taken by the %s at %s.", r.Ref, catalog.Words(other.Type.Kind), other.refPos), "give one of the two another ref.")
				continue
			}
			refs[r.Ref] = r
		}
		if r.External != nil {
			continue // two may mean one object
		}
		id, known := r.Identity(nil)
		if !known || r.blank() && r.Type.Shape != catalog.Singleton {
			continue
		}
		at := place{r.Type, r.Parent, id}
		if other, ok := seen[at]; ok {
			b.diags = append(b.diags, Twice(r, other))
			continue
		}
		seen[at] = r
	}
}

// blank tells that nothing stands in the fields of the identity.
func (r *Resource) blank() bool {
	for _, f := range r.Type.Identity {
		v := r.Fields.Lookup(value.ParsePath(f))
		if s, ok := v.Text(); !v.IsAbsent() && (!ok || strings.TrimSpace(s) != "") {
			return false
		}
	}
	return true
}

// identified tells whether a field of the identity was written.
func (r *Resource) identified() bool {
	for _, f := range r.Type.Identity {
		if !r.Fields.Lookup(value.ParsePath(f)).IsAbsent() {
			return true
		}
	}
	return false
}
