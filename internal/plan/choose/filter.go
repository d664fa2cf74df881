// Package choose finds what a filter leaves out of a plan, and what that holds
// back.
//
// In: patterns, a linked configuration and what exists. Out: which resources and
// objects are left alone. It works on declarations and state: it must never import
// what makes changes (build) or a target.
package choose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Filter restricts a plan: what Ignore matches is left as it is, or what
// Isolate matches is all that is planned. One of the two is empty.
type Filter struct{ Ignore, Isolate []Pattern }

// Pattern picks resources: "type:T", or a ref, or the name or slug of a managed
// resource that is not declared, or what a plan that deletes it calls it.
type Pattern struct {
	Text string
	// Pos is where the pattern stands in a file; zero when it comes from a flag.
	Pos value.Pos
}

const typePrefix = "type:"

// Empty tells that nothing is left out.
func (f Filter) Empty() bool { return len(f.Ignore) == 0 && len(f.Isolate) == 0 }

// Document is the filter as a plan holds it.
func (f Filter) Document() *plan.Filters {
	if f.Empty() {
		return nil
	}
	texts := func(patterns []Pattern) []string {
		out := []string{}
		for _, p := range patterns {
			out = append(out, p.Text)
		}
		return out
	}
	return &plan.Filters{Ignore: texts(f.Ignore), Isolate: texts(f.Isolate)}
}

// Check tells of types that do not exist, before anything is read.
func (f Filter) Check(cat *resource.Types) diag.List {
	var kinds []string
	for _, t := range cat.All() {
		if !t.Attached {
			kinds = append(kinds, t.Kind)
		}
	}
	var diags diag.List
	for _, p := range slices.Concat(f.Ignore, f.Isolate) {
		kind, isType := strings.CutPrefix(p.Text, typePrefix)
		if !isType || cat.Named(kind) != nil {
			continue
		}
		fix := fmt.Sprintf("use one of %s.", strings.Join(kinds, ", "))
		if near := diag.Nearest(kind, kinds); near != "" {
			fix = fmt.Sprintf("did you mean %s%s?", typePrefix, near)
		}
		diags.Add(diag.FilterType, p.Pos, fmt.Sprintf("The pattern %s names a type that does not exist.", p.Text), fix)
	}
	return diags
}

// LeftOut tells which declared resources the filter leaves out, as far as that
// can be said before anything is read.
func (f Filter) LeftOut(set *resource.Set) func(*resource.Resource) bool {
	return NewSelection(set, nil, f).LeftOut
}

// AttachedLeftOut reports on which resources the filter leaves out what is attached.
func (f Filter) AttachedLeftOut(set *resource.Set) func(*resource.Resource) bool {
	return NewSelection(set, nil, f).AttachedLeftOut
}

// Wide tells that a pattern matches nothing that is declared: whether it
// matches what exists is only known when all of it is read.
func (f Filter) Wide(set *resource.Set) bool {
	return slices.Contains(NewSelection(set, nil, f).matched, false)
}

// Selection is what a filter makes of a configuration and what exists.
type Selection struct {
	set      *resource.Set
	snap     resource.State // nil before reading
	Patterns []Pattern
	Isolate  bool
	matched  []bool // by pattern
	// chosen are the declared resources that a pattern matches; kinds and names
	// are what else it can match.
	chosen map[*resource.Resource]bool
	kinds  map[string]bool
	names  map[string]bool
	// attached says that a pattern names a type of what is attached to others.
	attached bool
	// unplanned are declared resources that are not planned for another reason than
	// the filter: they wait, or could not be looked for.
	Unplanned map[*resource.Resource]bool
	// others are externals that are there, but for those that decK makes: they
	// stay, and so does what they use.
	Others map[*resource.Resource]bool
	// Called names an object in a sentence; nil where nothing is known besides it.
	Called func(resource.Part) string
	// Users are what refers to what would be deleted; nil where that was not read.
	Users *resource.Users
	// held says by id what is used by something that is ignored, and by what.
	held map[string]string
	// live calls what exists as plans do; nil before reading.
	live *resource.Names
	index
}

// NewSelection finds what a filter makes of a configuration and what exists; nil
// before anything was read.
func NewSelection(set *resource.Set, snap resource.State, f Filter) *Selection {
	s := &Selection{
		set: set, snap: snap, Patterns: slices.Concat(f.Ignore, f.Isolate), Isolate: len(f.Isolate) > 0,
		chosen: map[*resource.Resource]bool{}, kinds: map[string]bool{}, names: map[string]bool{}, held: map[string]string{},
	}
	if snap != nil {
		s.live = resource.NewNames(set, snap)
	}
	s.matched = make([]bool, len(s.Patterns))
	if len(s.Patterns) == 0 {
		return s
	}
	refs, names := s.called()
	for i, p := range s.Patterns {
		if kind, isType := strings.CutPrefix(p.Text, typePrefix); isType {
			if t := set.Types.Named(kind); t != nil {
				kind = t.Kind
				s.choose(set.Of(t))
				s.attached = s.attached || t.Attached
			}
			s.matched[i] = true // there may be none of a type
			s.kinds[kind] = true
			continue
		}
		s.matched[i] = s.choose(refs[p.Text])
		if s.matched[i] && s.Isolate {
			continue // a ref means this one, not what else has the name
		}
		s.names[p.Text] = true
		if !s.matched[i] {
			s.matched[i] = s.choose(names[p.Text])
		}
	}
	return s
}

func (s *Selection) choose(all []*resource.Resource) bool {
	for _, r := range all {
		s.chosen[r] = true
	}
	return len(all) > 0
}

// called are the declared resources by their refs, and by their names and those of their
// counterparts.
func (s *Selection) called() (refs, names map[string][]*resource.Resource) {
	refs, names = map[string][]*resource.Resource{}, map[string][]*resource.Resource{}
	for _, r := range s.set.Resources {
		refs[r.Ref] = append(refs[r.Ref], r)
		own := []string{r.Name}
		if s.snap != nil {
			if o := s.snap.Object(r); o != nil {
				own = append(append(own, s.live.Current(r, o)), r.Type.Names(o)...)
			}
		}
		for _, name := range own {
			names[name] = append(names[name], r)
		}
	}
	return refs, names
}

// answers are the names that an object answers to which nothing declares: its own, and
// those of its delete in a plan, so that what a plan shows leaves it out.
func (s *Selection) answers(t *resource.Type, o *resource.Object) []string {
	return append(t.Names(o), s.live.Deleted(t, o)...)
}

// LeftOut tells that a declared resource is not planned. What belongs to an
// ignored resource is ignored, too.
func (s *Selection) LeftOut(r *resource.Resource) bool {
	switch {
	case r == nil:
		return false
	case s.Unplanned[r]:
		return true
	case len(s.Patterns) == 0:
		return false
	case r.Records:
		return !slices.ContainsFunc(s.recorded(r), func(x *resource.Resource) bool { return !s.LeftOut(x) })
	case s.Isolate:
		return !s.chosen[r]
	}
	return s.chosen[r] || s.LeftOut(r.Above) || s.LeftOut(r.Parent)
}

// Spares tells that an object that nothing declares is not deleted.
func (s *Selection) Spares(t *resource.Type, o *resource.Object, parent *resource.Resource) bool {
	if s.Others[parent] || s.Maybe(t, o, parent) != nil {
		return true
	}
	return s.Omits(t, o, parent)
}

// Omits reports whether the filter leaves an object out that nothing declares.
func (s *Selection) Omits(t *resource.Type, o *resource.Object, parent *resource.Resource) bool {
	if len(s.Patterns) == 0 {
		return false
	}
	fits := s.kinds[t.Kind] || len(s.names) > 0 && slices.ContainsFunc(s.answers(t, o), func(name string) bool { return s.names[name] })
	if s.Isolate {
		return !fits
	}
	return fits || s.LeftOut(parent)
}

// undeclared goes through what exists below a resource and is not declared, and
// through what goes with that.
func (s *Selection) undeclared(r *resource.Resource, each func(*resource.Type, *resource.Object)) {
	o := s.snap.Object(r)
	if o == nil {
		return
	}
	above, _ := s.snap.Ancestors(r)
	ancestors := append(slices.Clone(above), o.ID)
	for _, t := range r.Type.Children {
		objects, _ := s.snap.Undeclared(t, ancestors)
		for _, o := range objects {
			each(t, o)
			if t.Nest != "" {
				continue // what nests in it is in the same list
			}
			for _, x := range s.snap.Below(t, ancestors, o.ID) {
				each(x.Type, x.Object)
			}
		}
	}
}
