package live

import (
	"context"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/resource"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/value"
)

// listed tells that a resource is looked for in the list of its scope: what is
// managed, and externals that no filter of the list finds alone.
func (r *reader) listed(x *resource.Resource) bool {
	return x.External == nil || searches(x) && r.narrow[x] == nil
}

// filters finds the externals that are alone in their scope, where the list can
// be narrowed to what they ask for. A scope that several ask for is read once.
func (r *reader) filters() {
	type place struct{ kind, parent any }
	count := map[place]int{}
	at := func(x *resource.Resource) place { return place{catalog.Of(x), x.Parent} }
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
func (r *reader) readAnyway(x *resource.Resource) bool {
	if x.Parent == nil {
		return r.q.All || r.prunesRoots(catalog.Of(x))
	}
	if x.Parent.External != nil {
		return false
	}
	return r.q.All || r.q.Below || r.q.Sync && resource.Prunes(x.Type, x.Parent, r.q.Prune)
}

// longestFilter keeps an address from growing longer than servers take.
const longestFilter = 256

// listFilter is the first condition that the list of the type can be filtered
// by, or nil.
func listFilter(x *resource.Resource) map[string]string {
	if catalog.Of(x).List == nil {
		return nil
	}
	known := catalog.Of(x).List.Filters()
	for _, c := range conditions(x) {
		name := c.Path.String()
		if text, ok := single(c); ok && known[name] != nil && len(text) <= longestFilter {
			return map[string]string{name: text}
		}
	}
	return nil
}

func single(c resource.Condition) (string, bool) {
	if c.Operator != resource.In || len(c.Values) != 1 {
		return "", false
	}
	text, ok := c.Values[0].(string)
	return text, ok
}

// complete reads by itself what was found in a list that lacks a field that
// somebody wants.
func (r *reader) complete(ctx context.Context, externals []*resource.Resource) error {
	g, gctx := errgroup.WithContext(ctx)
	whole := make([]*resource.Object, len(externals))
	errs := make([]error, len(externals))
	for i, x := range externals {
		o := r.snap.objects[x]
		if o == nil || catalog.Of(x).Read == nil || !slices.ContainsFunc(r.wanted[x], func(field string) bool {
			_, there := value.Get(o.Fields, catalog.Of(x).FieldPath(value.ParsePath(field)))
			return !there
		}) {
			continue
		}
		ancestors, _ := r.snap.Ancestors(x)
		g.Go(func() error {
			whole[i], errs[i] = r.t.Read(gctx, remote.Scope{Type: catalog.Of(x), Ancestors: ancestors}, o.ID)
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
	if err != nil && (ctx.Err() != nil || resource.Fatal(err)) {
		return err
	}
	return nil
}

// asked is what was read for one external.
type asked struct {
	objects []*resource.Object
	err     error
}

// ask reads what no list of a scope gives: filtered lists, and objects by id
// where more than the id is wanted.
func (r *reader) ask(ctx context.Context, externals []*resource.Resource) error {
	g, gctx := errgroup.WithContext(ctx)
	found := make([]*asked, len(externals))
	for i, x := range externals {
		ancestors, ok := r.snap.Ancestors(x)
		scope := remote.Scope{Type: catalog.Of(x), Ancestors: ancestors, Filter: r.narrow[x]}
		byID := x.External.ID != "" && (r.q.CheckIDs == resource.CheckAllIDs || x.External.Named && !r.inList(x) || r.wantsFields(x))
		if !ok || !byID && scope.Filter == nil {
			continue
		}
		found[i] = &asked{}
		remote.Reading(r.t, 1, 0)
		g.Go(func() error {
			defer remote.Reading(r.t, 0, 1)
			a := found[i]
			if byID {
				var o *resource.Object
				if o, a.err = r.t.Read(gctx, scope, x.External.ID); o != nil {
					a.objects = []*resource.Object{o}
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
		r.matcher.asked[x] = found[i].objects
		if resource.Missing(found[i].err) && r.matcher.gone(x.Parent, language.NoID) {
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
func (r *reader) wantsFields(x *resource.Resource) bool {
	return len(r.wanted[x]) > 0 || len(x.Extras) > 0
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
		if e := user.External; e != nil && e.Made != nil && user.Parent.External != nil {
			r.wanted[user.Parent] = append(r.wanted[user.Parent], "name")
		}
	}
}
