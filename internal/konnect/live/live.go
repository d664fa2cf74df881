// Package live reads what exists, no more than a plan needs, and finds the
// declared resources in it.
//
// In: a linked configuration and a target. Out: an immutable snapshot. Reads
// of one depth run concurrently; each page is read once. It must never decide
// what to change.
package live

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
)

// Query says what to read.
type Query struct {
	Catalog *catalog.Catalog
	Set     *resource.Set
	Links   *resource.Links
	// Sync asks for what is not declared too, as far as Prune goes.
	Sync  bool
	Prune string
	// All asks for everything that is managed in the named namespaces, whether
	// it would be pruned or not.
	All bool
	// Below asks for everything that belongs to what is declared: it goes with
	// that.
	Below bool
	// Brief asks for what lists give, not for all fields.
	Brief bool
	// Foreign says what to do with a root that has a declared name and does not
	// belong to its namespace.
	Foreign Foreign
	// AllowPending lets externals be missing: what needs them waits.
	AllowPending bool
	// Lenient asks for no external that is missing: nothing is made of what
	// refers to one.
	Lenient bool
	// CheckIDs says which ids of externals must exist.
	CheckIDs resource.IDCheck
	// AttachedLeftOut are resources whose attached ones are left out. nil means none.
	AttachedLeftOut func(*resource.Resource) bool
	// Made are resources that unfinished runs created: they are looked for where
	// a list does not show them. Sleep waits between two looks.
	Made  []Made
	Sleep func(context.Context, time.Duration) error
	// LeftOut are resources that the plan will not touch: nobody needs to know
	// that one of them belongs to somebody else. nil means none.
	LeftOut func(*resource.Resource) bool
}

// Snapshot is what exists.
type Snapshot struct {
	objects map[*resource.Resource]*resource.Object
	scopes  map[string][]*resource.Object
	shared  map[string][]*resource.Object // by kind, lists over all parents
	read    map[string]bool               // kinds that were asked for
	taken   map[*resource.Object]bool
	// what could not be read: scopes by key, resources one by one
	failed  map[string]error
	partial map[*resource.Resource]error
	missing map[*resource.Resource]bool // externals that are not there
}

// Failed is why a resource could not be looked for; nil when it could.
func (s *Snapshot) Failed(r *resource.Resource) error {
	if err := s.partial[r]; err != nil {
		return err
	}
	ancestors, ok := s.Ancestors(r)
	if !ok {
		return nil
	}
	return s.failed[scopeKey(catalog.Of(r), ancestors)]
}

// Failures lists what could not be read, by kind.
func (s *Snapshot) Failures() []resource.Failure {
	var out []resource.Failure
	for key, err := range s.failed {
		kind, _, _ := strings.Cut(key, "\x00")
		out = append(out, resource.Failure{Kind: kind, Err: err})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Kind != out[j].Kind {
			return out[i].Kind < out[j].Kind
		}
		return out[i].Err.Error() < out[j].Err.Error()
	})
	return out
}

// Object is the live counterpart of a resource, or nil.
func (s *Snapshot) Object(r *resource.Resource) *resource.Object { return s.objects[r] }

// Kinds lists the types that were read.
func (s *Snapshot) Kinds() []string {
	out := make([]string, 0, len(s.read))
	for k := range s.read {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// Undeclared lists the objects of a scope that no resource declares, and
// whether the scope was read.
func (s *Snapshot) Undeclared(t *resource.Type, ancestors []string) ([]*resource.Object, bool) {
	of := catalog.OfType(t)
	if of == nil {
		return nil, false
	}
	objects, ok := s.scopes[scopeKey(of, ancestors)]
	var out []*resource.Object
	for _, o := range objects {
		if !s.taken[o] {
			out = append(out, o)
		}
	}
	return out, ok
}

// Ancestors are the ids above a resource, root first; nil and false when one of
// them does not exist.
func (s *Snapshot) Ancestors(r *resource.Resource) ([]string, bool) {
	var ids []string
	for p := r.Parent; p != nil; p = p.Parent {
		o := s.objects[p]
		if o == nil {
			return nil, false
		}
		ids = append(ids, o.ID)
	}
	slices.Reverse(ids)
	return ids, true
}

func scopeKey(t *catalog.Bound, ancestors []string) string {
	return t.Kind + "\x00" + strings.Join(ancestors, "\x00")
}

// Read reads what the query needs.
func Read(ctx context.Context, t remote.Target, q Query) (*Snapshot, diag.List, error) {
	r := &reader{
		q: q, t: t,
		snap: newSnapshot(), at: map[string]remote.Scope{},
		narrow: map[*resource.Resource]map[string]string{}, wanted: map[*resource.Resource][]string{},
		along: map[string]bool{}, went: map[string]bool{}, stages: newStages(q.Links),
	}
	r.matcher = newMatcher(&r.q, r.snap, r.stages)
	r.needed = needs(&r.q)
	r.filters()
	r.want()
	r.matcher.wanted = r.wanted
	for stage := 0; stage <= r.stages.last+1 || len(r.goes) > 0; stage++ {
		scopes := r.scopesAt(stage)
		if err := r.lists(ctx, scopes); err != nil {
			return nil, nil, err
		}
		if err := r.recall(ctx, scopes); err != nil {
			return nil, nil, err
		}
		if err := r.externals(ctx, stage); err != nil {
			return nil, nil, err
		}
		matched := r.matcher.match(stage)
		r.going(stage)
		if err := r.details(ctx, matched); err != nil {
			return nil, nil, err
		}
	}
	r.holders(ctx)
	if err := r.newIDs(ctx); err != nil {
		return nil, nil, err
	}
	return r.snap, r.matcher.diags, nil
}

// reader asks Konnect for what a query needs, stage by stage. What it reads goes
// into the snapshot; the matcher finds the resources there.
type reader struct {
	q       Query
	t       remote.Target
	snap    *Snapshot
	stages  *stages
	matcher *matcher
	// at are the scopes that were asked for, by key; goes are the undeclared
	// objects of the last stage that may be deleted, went the scopes whose
	// undeclared objects are known.
	at   map[string]remote.Scope
	goes []resource.Part
	went map[string]bool
	// narrow are the filters of externals that are read by themselves.
	narrow map[*resource.Resource]map[string]string
	// wanted are the fields of externals that others take.
	wanted map[*resource.Resource][]string
	// along are the scopes that are only read for what goes with others.
	along  map[string]bool
	needed map[need]bool
}

func newSnapshot() *Snapshot {
	return &Snapshot{
		objects: map[*resource.Resource]*resource.Object{}, scopes: map[string][]*resource.Object{}, shared: map[string][]*resource.Object{}, read: map[string]bool{},
		taken: map[*resource.Object]bool{}, failed: map[string]error{}, partial: map[*resource.Resource]error{},
		missing: map[*resource.Resource]bool{},
	}
}

// scopesAt lists the scopes to read at one stage, once each.
func (r *reader) scopesAt(stage int) []remote.Scope {
	var out []remote.Scope
	add := func(t *catalog.Bound, ancestors []string) {
		key := scopeKey(t, ancestors)
		if _, read := r.at[key]; !read {
			r.at[key] = remote.Scope{Type: t, Ancestors: ancestors}
			out = append(out, r.at[key])
		}
	}
	if stage == 0 {
		for _, t := range r.q.Catalog.All() {
			switch {
			case t.Parent != nil:
			case r.wantsRoot(t):
				add(t, nil)
				r.snap.read[t.Kind] = true
			case r.required(nil, t):
				add(t, nil)
				r.along[scopeKey(t, nil)] = true
			}
		}
		return out
	}
	for _, parent := range r.q.Set.Resources {
		if r.stages.of[parent] != stage-1 || r.snap.Object(parent) == nil {
			continue
		}
		above, _ := r.snap.Ancestors(parent)
		ancestors := append(slices.Clone(above), r.snap.Object(parent).ID)
		for _, t := range catalog.Of(parent).Children {
			compared := r.compares(parent, t)
			if compared {
				r.snap.read[t.Kind] = true
			}
			if compared || r.q.Below && parent.External == nil && goesAlong(t) || r.usesOf(parent, t) || r.required(parent, t) || r.named(parent, t) || r.spares(parent, t) || r.q.Sync && resource.Overlooks(t.Neutral(), parent, r.q.Set, r.q.Prune) {
				add(t, ancestors)
			}
			if !compared {
				r.along[scopeKey(t, ancestors)] = true
			}
		}
	}
	for _, x := range r.goes {
		for _, s := range scopesBelow(catalog.OfType(x.Type), x.Ancestors, x.Object.ID) {
			add(s.Type, s.Ancestors)
			r.along[scopeKey(s.Type, s.Ancestors)] = true
		}
	}
	return out
}

func (r *reader) wantsRoot(t *catalog.Bound) bool {
	if slices.ContainsFunc(r.q.Set.Of(t.Neutral()), r.listed) {
		return true
	}
	if r.q.All && t.HasLabels() {
		return true
	}
	return r.prunesRoots(t)
}

// compares tells that what is below a declared parent is declared, too, or in
// scope.
func (r *reader) compares(parent *resource.Resource, t *catalog.Bound) bool {
	if slices.ContainsFunc(r.q.Set.ChildrenOf(parent, t.Neutral()), r.listed) {
		return true
	}
	if t.ReadOnly || parent.External != nil {
		return false
	}
	return r.q.All || r.q.Sync && resource.Prunes(t.Neutral(), parent, r.q.Prune)
}

// required tells that something declared needs one of the resources of a type below
// a parent, or at the root, to have a value.
func (r *reader) required(parent *resource.Resource, t *catalog.Bound) bool {
	return r.needed[need{parent, t.Kind}]
}

// need is a type below a parent, or at the root, that something declared requires.
type need struct {
	parent *resource.Resource
	kind   string
}

// needs are what the declared resources require, found in one pass over them.
func needs(q *Query) map[need]bool {
	out := map[need]bool{}
	if q.Brief || q.Lenient {
		return out
	}
	for _, x := range q.Set.Resources {
		if x.External != nil {
			continue
		}
		for _, req := range x.Type.Requires {
			t := q.Catalog.Kind(req.Kind)
			if t != nil && (req.When.Field == "" || !x.Fields.Field(req.When.Field).IsAbsent()) {
				out[need{resource.Holder(x, t.Neutral()), req.Kind}] = true
			}
		}
	}
	return out
}

// named tells that something declared names resources of a type with the same parent,
// which must be there.
func (r *reader) named(parent *resource.Resource, t *catalog.Bound) bool {
	return !r.q.Brief && !r.q.Lenient && slices.ContainsFunc(r.q.Set.Children(parent), func(x *resource.Resource) bool {
		return x.External == nil && x.Type.Mentions(x.Fields, t.Kind)
	})
}

// spares reports whether a list below an external is written whose resources a sync does
// not delete: the plan names those that stay.
func (r *reader) spares(parent *resource.Resource, t *catalog.Bound) bool {
	return r.q.Sync && resource.Spares(t.Neutral(), parent, r.q.Prune)
}

// usesOf tells of children of an external that may use what a sync would delete. A mere
// id below something that is managed is not read for: who uses what goes is asked then.
func (r *reader) usesOf(parent *resource.Resource, t *catalog.Bound) bool {
	x := parent.External
	if x == nil || x.Unnamed && x.ID != "" && parent.Parent != nil && parent.Parent.External == nil {
		return false
	}
	return !t.ReadOnly && len(t.References) > 0 && r.q.Sync && r.q.Prune != resource.PruneNone && len(r.q.Set.Namespaces) > 0
}

// lists reads the scopes concurrently. A type that is listed over all parents
// is read once when several parents want it. What cannot be read is noted; it
// is an error only when nothing can.
func (r *reader) lists(ctx context.Context, scopes []remote.Scope) error {
	reads := r.group(scopes)
	g, gctx := errgroup.WithContext(ctx)
	remote.Reading(r.t, len(reads), 0)
	for _, l := range reads {
		g.Go(func() error {
			defer remote.Reading(r.t, 0, 1)
			l.objects, l.err = list(gctx, r.t, l.scope)
			if l.err != nil && (gctx.Err() != nil || resource.Fatal(l.err)) {
				return l.err
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	failed := 0
	for _, l := range reads {
		if r.orphaned(l) || r.along[scopeKey(l.scope.Type, l.scope.Ancestors)] && unavailable(l.scope.Type, l.err) {
			l.err = nil
		}
		if l.err != nil {
			failed++
		}
	}
	if failed > 0 && failed == len(reads) && len(r.snap.scopes) == 0 {
		return reads[0].err
	}
	for _, l := range reads {
		r.keep(l)
	}
	return nil
}

// listing is one call of List and the scopes that it serves.
type listing struct {
	scope   remote.Scope
	serves  []remote.Scope
	objects []*resource.Object
	err     error
}

func (r *reader) group(scopes []remote.Scope) []*listing {
	perType := map[*catalog.Bound]int{}
	for _, s := range scopes {
		perType[s.Type]++
	}
	shared := map[*catalog.Bound]*listing{}
	var out []*listing
	for _, s := range scopes {
		if s.Type.ListParent == "" || perType[s.Type] == 1 {
			out = append(out, &listing{scope: s, serves: []remote.Scope{s}})
			continue
		}
		l := shared[s.Type]
		if l == nil {
			l = &listing{scope: remote.Scope{Type: s.Type}}
			shared[s.Type] = l
			out = append(out, l)
		}
		l.serves = append(l.serves, s)
	}
	return out
}

func (r *reader) keep(l *listing) {
	if t := l.scope.Type; l.err == nil && t.ListParent != "" && len(l.scope.Ancestors) == 0 {
		r.snap.shared[t.Kind] = l.objects
	}
	for _, s := range l.serves {
		key := scopeKey(s.Type, s.Ancestors)
		if l.err != nil {
			r.snap.failed[key] = l.err
			continue
		}
		objects := l.objects
		if len(l.scope.Ancestors) != len(s.Ancestors) {
			parent := s.Ancestors[len(s.Ancestors)-1]
			objects = slices.DeleteFunc(slices.Clone(objects), func(o *resource.Object) bool { return catalog.ParentID(o) != parent })
		}
		r.snap.scopes[key] = objects
	}
}

// list reads the objects of a scope.
func list(ctx context.Context, t remote.Target, s remote.Scope) ([]*resource.Object, error) {
	if s.Type.Shape != catalog.Singleton {
		return t.List(ctx, s)
	}
	o, err := t.Read(ctx, s, "")
	if err != nil || o == nil {
		return nil, err
	}
	return []*resource.Object{o}, nil
}

// details reads one by one what the list does not give whole.
func (r *reader) details(ctx context.Context, matched []*resource.Resource) error {
	g, gctx := errgroup.WithContext(ctx)
	full := make([]*resource.Object, len(matched))
	errs := make([]error, len(matched))
	for i, x := range matched {
		if !catalog.Of(x).ListLacksFields() || r.q.Brief {
			continue
		}
		ancestors, _ := r.snap.Ancestors(x)
		id := r.snap.Object(x).ID
		remote.Reading(r.t, 1, 0)
		g.Go(func() error {
			defer remote.Reading(r.t, 0, 1)
			full[i], errs[i] = r.t.Read(gctx, remote.Scope{Type: catalog.Of(x), Ancestors: ancestors}, id)
			if errs[i] != nil && (gctx.Err() != nil || resource.Fatal(errs[i])) {
				return errs[i]
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, x := range matched {
		if full[i] != nil {
			full[i].Older = r.snap.objects[x].Older
			r.snap.objects[x] = full[i]
		}
		if errs[i] != nil {
			r.snap.partial[x] = errs[i]
		}
	}
	return nil
}
