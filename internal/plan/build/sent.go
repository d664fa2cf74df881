package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// checkSent reports values that Konnect would refuse and that could not be
// checked before: those that come from other resources, and texts that an export
// writes in the place of what it cannot know.
func checkSent(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	for _, r := range b.Links.Sorted() {
		c := b.changes[r]
		if c == nil {
			continue
		}
		body, unknown := whole(b, r)
		b.diags = append(b.diags, checkReferred(b, r, body, unknown, c.Action == plan.Create && c.Half != nil)...)
	}
}

// CheckDeclared reports references to values that do not fit, as far as the
// configuration says what they are. It looks at nothing that exists, so that a
// configuration which cannot be planned for other reasons shows these problems, too.
func CheckDeclared(in Input) diag.List {
	in.Snapshot = &resource.Flat{}
	b := newDraft(in)
	for _, r := range in.Links.Sorted() {
		if by := b.Proposer(r.Type); r.External == nil && by != nil && !b.selection.LeftOut(r) && resolved(b, r) {
			body, unknown := whole(b, r)
			checkReferred(b, r, body, unknown, false)
		}
	}
	if b.Mode.Prunes() { // else what exists may have the value
		checkUndeclared(b)
	}
	return b.diags
}

// checkReferred reports what the values of references make wrong in a body, and returns
// what else is wrong with it. What is wrong whatever the references give, such as the
// number of items, was found when the configuration was read.
func checkReferred(b *Draft, r *resource.Resource, body map[string]any, unknown []value.Path, replaces bool) diag.List {
	check := func(body map[string]any, unknown []value.Path) ([]Violation, diag.List) {
		return b.Proposer(r.Type).Check(r, body, replaces, func(path []string) bool { return covered(unknown, path) })
	}
	refused, problems := check(body, unknown)
	links := b.Links.From(r)
	if len(links) == 0 || len(refused) == 0 {
		return problems
	}
	blank, _ := value.Clone(body).(map[string]any)
	for i, l := range links {
		if has(blank, l.Path) {
			value.Set(blank, l.Path, fmt.Sprintf("%s-%d", value.UnknownText, i))
		}
		unknown = append(unknown, l.Path)
	}
	anyway, _ := check(blank, unknown)
	for _, v := range refused {
		if !slices.ContainsFunc(anyway, func(x Violation) bool { return slices.Equal(x.Path, v.Path) && x.Detail == v.Detail }) {
			unfit(b, r, v)
		}
	}
	return problems
}

// resolved reports whether a resource refers to others, and all of them are declared.
func resolved(b *Draft, r *resource.Resource) bool {
	all := len(b.Links.From(r)) > 0
	r.Fields.Walk(func(p value.Path, v value.Value) bool {
		if e := v.Expr(); e != nil && e.Op == value.OpRef {
			_, found := b.Links.At(r, p)
			all = all && found
		}
		return true
	})
	return all
}

// whole is a resource as it is declared, with the values that are known, and the
// paths of those that are not.
func whole(b *Draft, r *resource.Resource) (map[string]any, []value.Path) {
	var unknown []value.Path
	desired := b.resolve(r)
	mark := func(p value.Path) {
		unknown = append(unknown, p)
		value.Set(desired.Plain, p, value.UnknownText)
	}
	for _, e := range desired.Secrets {
		mark(value.ParsePath(e.Field))
	}
	for _, l := range desired.Links {
		if v, _ := value.Get(desired.Plain, l.Path); v != any(value.Unknown{}) {
			continue
		}
		if v, ok := foreseen(b, l); ok {
			value.Set(desired.Plain, l.Path, r.Type.AsText(l.Path, v))
			continue
		}
		mark(l.Path)
	}
	for _, e := range desired.Env { // checked when the configuration was read
		unknown = append(unknown, value.ParsePath(e.Field))
		if p := value.ParsePath(e.Field); has(desired.Plain, p) {
			if v, _ := value.Get(desired.Plain, p); v == any(value.Unknown{}) {
				value.Set(desired.Plain, p, value.UnknownText)
			}
		}
	}
	delete(desired.Plain, r.Type.KeyField)
	return desired.Plain, unknown
}

// foreseen is the value that a reference will have after an attached change, where
// that says so.
func foreseen(b *Draft, l DesiredLink) (any, bool) {
	if v, ok := b.awaited[l.Target][l.Field]; ok {
		return v, true
	}
	if l.Target.External == nil || l.Target.External.Made == nil {
		return nil, false
	}
	if j := b.AttachedTo(l.Target.Parent); j != nil && j.Says != nil {
		return value.Get(j.Says(l.Target.External.Made.Name), value.ParsePath(l.Field))
	}
	return nil, false
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
func unfit(b *Draft, r *resource.Resource, v Violation) {
	p := v.Path
	for _, link := range b.Links.From(r) {
		if !link.Path.HasPrefix(p) && !p.HasPrefix(link.Path) {
			continue
		}
		wrongValue(b, r.Fields.Nearest(link.Path), fmt.Sprintf("The %s takes %[2]s from %[3]s of the %[4]s, and that value does not fit: %[2]s %[5]s.", r.Describe(), link.Path, link.Field, link.Target.Source(), v.Detail), resource.OtherValue)
		return
	}
}

// wrongValue reports a reference to a value that does not fit, once.
func wrongValue(b *Draft, at value.Pos, detail, fix string) {
	if !slices.ContainsFunc(b.diags, func(d diag.Diagnostic) bool { return d.Code == diag.RefValue && d.Pos == at }) {
		b.diags.Add(diag.RefValue, at, detail, fix)
	}
}
