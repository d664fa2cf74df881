package plan

import (
	"fmt"
	"slices"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/resource"
	"kongctl/internal/value"
)

// checkSent reports values that Konnect would refuse and that could not be
// checked before: those that come from other resources, and texts that an export
// writes in the place of what it cannot know.
func (b *builder) checkSent() {
	if b.Mode != ModeSync && b.Mode != ModeApply {
		return
	}
	for _, r := range b.Links.Sorted() {
		c := b.changes[r]
		if c == nil {
			continue
		}
		body, unknown := b.whole(r)
		if len(b.Links.From(r)) > 0 {
			skip := func(path []string) bool { return covered(unknown, path) }
			for _, v := range catalog.Of(r).Validate(catalog.Of(r).WriteOp(), body, skip) {
				b.unfit(r, v)
			}
		}
		if c.Action == Create && c.half != nil {
			b.placeholdersLeft(r)
		}
	}
}

// whole is a resource as it is declared, with the values that are known, and the
// paths of those that are not.
func (b *builder) whole(r *resource.Resource) (map[string]any, []value.Path) {
	var unknown []value.Path
	desired := b.resolve(r)
	mark := func(p value.Path) {
		unknown = append(unknown, p)
		value.Set(desired.plain, p, value.UnknownText)
	}
	for _, e := range desired.secrets {
		mark(value.ParsePath(e.Field))
	}
	for _, l := range desired.links {
		if v, _ := value.Get(desired.plain, l.path); v == any(value.Unknown{}) {
			mark(l.path)
		}
	}
	for _, e := range desired.env { // checked when the configuration was read
		unknown = append(unknown, value.ParsePath(e.Field))
		if p := value.ParsePath(e.Field); has(desired.plain, p) {
			if v, _ := value.Get(desired.plain, p); v == any(value.Unknown{}) {
				value.Set(desired.plain, p, value.UnknownText)
			}
		}
	}
	delete(desired.plain, catalog.Of(r).MapKey)
	return desired.plain, unknown
}

// covered reports whether a path is one of those given, or leads to or from one.
func covered(paths []value.Path, at value.Path) bool {
	for _, p := range paths {
		if at.HasPrefix(p) {
			return true
		}
	}
	return false
}

// unfit reports a value that a resource takes from another and cannot have.
func (b *builder) unfit(r *resource.Resource, v contract.Violation) {
	p := value.Path(v.Path)
	const fix = "refer to another field, or write the value itself."
	for _, link := range b.Links.From(r) {
		if !link.Path.HasPrefix(p) && !p.HasPrefix(link.Path) {
			continue
		}
		at := r.Fields.Nearest(link.Path)
		if !slices.ContainsFunc(b.diags, func(d diag.Diagnostic) bool { return d.Code == diag.RefValue && d.Pos == at }) {
			b.diags.Add(diag.RefValue, at, fmt.Sprintf("The %s takes %s from %s of the %s, which %s.", r.Describe(), link.Path, link.Field, source(link), v.Detail), fix)
		}
		return
	}
}

func source(link resource.Edge) string {
	if link.Target.External != nil {
		return fmt.Sprintf("external %q", link.Target.Ref)
	}
	return link.Target.Describe()
}

// placeholdersLeft reports texts of an export that stand for what Konnect does
// not return: what takes the place of a resource cannot have them.
func (b *builder) placeholdersLeft(r *resource.Resource) {
	r.Fields.Walk(func(p value.Path, v value.Value) bool {
		if text, ok := v.Text(); ok && text == catalog.Placeholder {
			b.diags.Add(diag.ValFormat, v.Pos(), fmt.Sprintf("The field %s of the %s still holds the placeholder of an export, and the plan replaces the resource.", p, r.Describe()), "write the value itself.")
		}
		return true
	})
}
