package live

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"kongctl/internal/config"
	"kongctl/internal/diag"
	"kongctl/internal/target"
	"kongctl/internal/value"
)

// Missing tells of an external that was looked for and is not there.
func (s *Snapshot) Missing(x *config.Resource) bool { return s.missing[x] }

// searches tells that an external is found among others, not by its id.
func searches(x *config.Resource) bool { return x.External != nil && x.External.ID == "" }

// listed tells that a resource is looked for in the list of its scope: what is
// managed, and externals that no filter of the list finds alone.
func (r *reader) listed(x *config.Resource) bool {
	return x.External == nil || searches(x) && r.narrow[x] == nil
}

// filters finds the externals that are alone in their scope, where the list can
// be narrowed to what they ask for. A scope that several ask for is read once.
func (r *reader) filters() {
	type place struct{ kind, parent any }
	count := map[place]int{}
	at := func(x *config.Resource) place { return place{x.Type, x.Parent} }
	for _, x := range r.q.Set.Resources {
		if x.External == nil || searches(x) {
			count[at(x)]++
		}
	}
	for _, x := range r.q.Set.Resources {
		if searches(x) && count[at(x)] == 1 && !r.readAnyway(x) {
			r.narrow[x] = listFilter(x)
		}
	}
}

// readAnyway tells that the whole list is needed, whatever an external asks.
func (r *reader) readAnyway(x *config.Resource) bool {
	if x.Parent == nil {
		return r.q.All || r.prunesRoots(x.Type)
	}
	if x.Parent.External != nil {
		return false
	}
	return r.q.All || r.q.Below || r.q.Sync && Prunes(x.Type, x.Parent, r.q.Prune)
}

// longestFilter keeps an address from growing longer than servers take.
const longestFilter = 256

// listFilter is the first condition that the list of the type can be filtered
// by; nil when there is none.
func listFilter(x *config.Resource) map[string]string {
	if x.Type.List == nil {
		return nil
	}
	known := x.Type.List.Filters()
	for _, c := range conditions(x) {
		name := c.Path.String()
		if text, ok := single(c); ok && known[name] != nil && len(text) <= longestFilter {
			return map[string]string{name: text}
		}
	}
	return nil
}

func single(c config.Condition) (string, bool) {
	if c.Operator != config.In || len(c.Values) != 1 {
		return "", false
	}
	text, ok := c.Values[0].(string)
	return text, ok
}

// conditions are what an external must be like. A service that decK makes is
// known by its name.
func conditions(x *config.Resource) []config.Condition {
	if d := x.External.Deck; d != nil && x.External.Selector == nil {
		return []config.Condition{{Path: value.ParsePath(x.Type.Identity[0]), Operator: config.In, Values: []any{d.Service}}}
	}
	return x.External.Selector.Conditions
}

// externals looks for the externals of one depth, each after those that narrow
// its search.
func (r *reader) externals(ctx context.Context, depth int) error {
	var here []*config.Resource
	for _, x := range r.q.Links.Sorted() {
		if x.External != nil && x.Type.Depth() == depth {
			here = append(here, x)
		}
	}
	if err := r.ask(ctx, here); err != nil {
		return err
	}
	for _, x := range here {
		ancestors, ok := r.snap.Ancestors(x)
		switch {
		case !ok:
			r.parentless(x)
		case x.External.ID != "":
			r.byID(x, ancestors)
		case r.narrowedByNothing(x):
			r.snap.missing[x] = true // what narrows it was told of
		case r.snap.Failed(x) == nil:
			r.bySelector(x, ancestors)
		}
	}
	for _, x := range here {
		if o := r.snap.objects[x]; o != nil && !x.External.Unnamed {
			key := x.Type.Kind + " " + o.ID
			r.theirs[key] = append(r.theirs[key], x)
		}
	}
	return r.complete(ctx, here)
}

// narrowedByNothing tells that what narrows a search is itself not there.
func (r *reader) narrowedByNothing(x *config.Resource) bool {
	for _, link := range r.q.Links.From(x) {
		if r.snap.objects[link.Target] == nil {
			return true
		}
	}
	return false
}

// complete reads by itself what was found in a list that lacks a field that
// somebody wants.
func (r *reader) complete(ctx context.Context, externals []*config.Resource) error {
	g, gctx := errgroup.WithContext(ctx)
	whole := make([]*target.Object, len(externals))
	errs := make([]error, len(externals))
	for i, x := range externals {
		o := r.snap.objects[x]
		if o == nil || x.Type.Read == nil || !slices.ContainsFunc(r.wanted[x], func(field string) bool {
			_, there := value.Get(o.Fields, x.Type.FieldPath(value.ParsePath(field)))
			return !there
		}) {
			continue
		}
		ancestors, _ := r.snap.Ancestors(x)
		g.Go(func() error {
			whole[i], errs[i] = r.t.Read(gctx, target.Scope{Type: x.Type, Ancestors: ancestors}, o.ID)
			return ending(gctx, errs[i])
		})
	}
	err := g.Wait()
	for i, x := range externals {
		if whole[i] != nil {
			r.snap.objects[x] = whole[i]
		}
		if errs[i] != nil {
			r.snap.partial[x] = errs[i]
		}
	}
	return err
}

// ending is an error that every further request would meet, too; what one
// resource alone meets makes a plan partial.
func ending(ctx context.Context, err error) error {
	if err != nil && (ctx.Err() != nil || target.Fatal(err)) {
		return err
	}
	return nil
}

// asked is what was read for one external.
type asked struct {
	objects []*target.Object
	err     error
}

// ask reads what no list of a scope gives: filtered lists, and objects by id
// where more than the id is wanted.
func (r *reader) ask(ctx context.Context, externals []*config.Resource) error {
	g, gctx := errgroup.WithContext(ctx)
	found := make([]*asked, len(externals))
	for i, x := range externals {
		ancestors, ok := r.snap.Ancestors(x)
		scope := target.Scope{Type: x.Type, Ancestors: ancestors, Filter: r.narrow[x]}
		byID := x.External.ID != "" && (r.q.CheckIDs || r.wantsFields(x))
		if !ok || !byID && scope.Filter == nil {
			continue
		}
		found[i] = &asked{}
		g.Go(func() error {
			a := found[i]
			if byID {
				var o *target.Object
				if o, a.err = r.t.Read(gctx, scope, x.External.ID); o != nil {
					a.objects = []*target.Object{o}
				}
			} else {
				a.objects, a.err = r.t.List(gctx, scope)
			}
			return ending(gctx, a.err)
		})
	}
	err := g.Wait()
	for i, x := range externals {
		if found[i] == nil {
			continue
		}
		r.asked[x] = found[i].objects
		if target.Missing(found[i].err) && r.gone(x.Parent) {
			continue
		}
		if found[i].err != nil {
			r.snap.partial[x] = found[i].err
		}
	}
	return err
}

// wantsFields tells that something takes another field of an external than its
// id.
func (r *reader) wantsFields(x *config.Resource) bool {
	return len(r.wanted[x]) > 0 || x.Deck != nil
}

// want finds the fields of externals that others take, but for their ids. decK
// asks for the name of its control plane.
func (r *reader) want() {
	for _, user := range r.q.Set.Resources {
		for _, link := range r.q.Links.From(user) {
			if link.Target.External != nil && link.Field != "id" {
				r.wanted[link.Target] = append(r.wanted[link.Target], link.Field)
			}
		}
		if e := user.External; e != nil && e.Deck != nil && user.Parent.External != nil {
			r.wanted[user.Parent] = append(r.wanted[user.Parent], "name")
		}
	}
}

// byID takes an id as it is, or what was read by it.
func (r *reader) byID(x *config.Resource, ancestors []string) {
	id := x.External.ID
	objects, read := r.asked[x]
	switch {
	case r.snap.partial[x] != nil:
	case !read:
		r.snap.objects[x] = r.listedAs(x, ancestors, id)
	case len(objects) == 0:
		r.unresolved(x, config.NoID(x))
	default:
		r.snap.objects[x] = objects[0]
	}
	r.spare(x, ancestors, id)
}

// listedAs is what a list that was read anyway tells of an id; else the id alone.
func (r *reader) listedAs(x *config.Resource, ancestors []string, id string) *target.Object {
	for _, o := range r.snap.scopes[scopeKey(x.Type, ancestors)] {
		if o.ID == id {
			return o
		}
	}
	return &target.Object{ID: id, Fields: map[string]any{"id": id}}
}

// spare keeps what others own from counting as undeclared, whichever read it
// came from.
func (r *reader) spare(x *config.Resource, ancestors []string, id string) {
	for _, o := range r.snap.scopes[scopeKey(x.Type, ancestors)] {
		if o.ID == id {
			r.snap.taken[o] = true
		}
	}
}

func (r *reader) bySelector(x *config.Resource, ancestors []string) {
	objects, read := r.asked[x]
	if !read {
		objects = r.snap.scopes[scopeKey(x.Type, ancestors)]
	}
	var found []*target.Object
	for _, o := range objects {
		if r.satisfies(x, o) {
			found = append(found, o)
			r.spare(x, ancestors, o.ID)
		}
	}
	switch {
	case len(found) == 1:
		r.snap.objects[x] = found[0]
	case len(found) == 0 && x.External.Deck == nil:
		r.unresolved(x, config.NoMatch(x))
	case len(found) > 1 && r.required(x):
		matches := make([]config.Match, len(found))
		for i, o := range found {
			matches[i] = config.Match{Name: matchName(x, o), ID: o.ID}
		}
		r.diags = append(r.diags, config.ManyMatches(x, matches))
	}
}

func matchName(x *config.Resource, o *target.Object) string {
	for _, f := range append([]string{"name"}, x.Type.Identity...) {
		if s, ok := o.Fields[f].(string); ok {
			return s
		}
	}
	return ""
}

// orphaned tells that a list could not be read because the parent, which is
// known by its id alone, is not there. That is the parent's problem.
func (r *reader) orphaned(l *listing) bool {
	if !target.Missing(l.err) {
		return false
	}
	found := false
	for _, s := range l.serves {
		for _, x := range r.q.Set.Resources {
			o := r.snap.objects[x]
			if x.External == nil || x.External.ID == "" || x.Type != s.Type.Parent || o == nil || len(s.Ancestors) == 0 || o.ID != s.Ancestors[len(s.Ancestors)-1] {
				continue
			}
			found = r.gone(x) || found
		}
	}
	return found
}

// gone notes that a resource that is known by its id alone is not there.
func (r *reader) gone(x *config.Resource) bool {
	if x == nil || x.External == nil || x.External.ID == "" {
		return false
	}
	if r.snap.objects[x] != nil {
		delete(r.snap.objects, x)
		r.unresolved(x, config.NoID(x))
	}
	return true
}

// parentless is an external whose parent is not there. A parent that is itself
// an external was told of.
func (r *reader) parentless(x *config.Resource) {
	if x.External.Deck != nil {
		return // decK makes it once the parent is there
	}
	if err := r.snap.Failed(x.Parent); err != nil {
		r.snap.partial[x] = err
		return
	}
	if x.Parent.External != nil {
		r.snap.missing[x] = true
		return
	}
	r.unresolved(x, config.ParentNotThere(x))
}

// unresolved notes an external that is not there: an error, unless it may be
// made later or nothing that is planned needs it.
func (r *reader) unresolved(x *config.Resource, problem diag.Diagnostic) {
	r.snap.missing[x] = true
	if !r.q.AllowPending && r.required(x) {
		r.diags = append(r.diags, problem)
	}
}

// required tells that something that is planned needs an external, or that it
// is declared for its own sake.
func (r *reader) required(x *config.Resource) bool {
	used := x.Deck != nil
	if used && !r.q.Lenient && (r.q.DeckLeftOut == nil || !r.q.DeckLeftOut(x)) {
		return true
	}
	for _, user := range r.q.Set.Resources {
		if user.Parent != x && !r.refers(user, x) {
			continue
		}
		used = true
		if user.External == nil && !r.leftOut(user) || user.External != nil && r.required(user) {
			return true
		}
	}
	return !used && !r.leftOut(x) && !r.q.Lenient
}

func (r *reader) refers(user, x *config.Resource) bool {
	for _, link := range r.q.Links.From(user) {
		if link.Target == x {
			return true
		}
	}
	return false
}

func (r *reader) leftOut(x *config.Resource) bool {
	return r.q.Lenient || r.q.LeftOut != nil && r.q.LeftOut(x)
}

// satisfies tells whether an object is what an external asks for: every
// condition holds, and it belongs to the parents that narrow the search.
func (r *reader) satisfies(x *config.Resource, o *target.Object) bool {
	for _, c := range conditions(x) {
		v, there := value.Get(o.Fields, x.Type.FieldPath(c.Path))
		if !holds(c, v, there && v != nil) {
			return false
		}
	}
	for _, ref := range x.Type.References {
		p := value.ParsePath(ref.Field)
		if x.Fields.Lookup(p).IsAbsent() {
			continue
		}
		want, known := r.snap.Field(x, r.q.Links, p)
		got, _ := value.Get(o.Fields, p)
		if !known || !value.Equal(want, got) {
			return false
		}
	}
	return true
}

func holds(c config.Condition, v any, there bool) bool {
	switch c.Operator {
	case config.Exists:
		return there
	case config.DoesNotExist:
		return !there
	case config.In:
		return there && among(c, v, same)
	case config.NotIn:
		return !there || !among(c, v, same)
	case config.Prefix:
		return there && among(c, v, func(want, got any) bool {
			text, ok := got.(string)
			return ok && strings.HasPrefix(text, fmt.Sprint(want))
		})
	default:
		return false
	}
}

// among tells whether a value, or an item of a list, is like one of the wanted.
func among(c config.Condition, v any, like func(want, got any) bool) bool {
	got := []any{v}
	if list, ok := v.([]any); ok {
		got = list
	}
	for _, want := range c.Values {
		for _, g := range got {
			if like(want, g) {
				return true
			}
		}
	}
	return false
}

// same compares as people write: 8080 and "8080" are one.
func same(want, got any) bool { return value.Equal(want, got) || fmt.Sprint(want) == fmt.Sprint(got) }
