package drive

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// referred is a resource that changes refer to and that the plan does not make.
type referred struct {
	scope remote.Scope
	id    string
}

func (r referred) key() string { return scopeKey(r.scope) + "/" + r.id }

// refers refuses changes that are left to do and refer to what does not exist any more.
// Each resource is read once; one that cannot be read is taken to be there.
func (d *Driver) refers(ctx context.Context, k *checker, calls []*execute.Call) error {
	judged := map[*execute.Call]bool{}
	for _, v := range k.verdicts {
		judged[v.Call] = judged[v.Call] || v.Done != nil || v.Moved != ""
	}
	calls = d.withBelow(calls, judged)
	named := map[string]referred{}
	for _, call := range calls {
		for path, ref := range call.Change.References {
			if r, ok := d.referred(call, path, ref); ok && !judged[call] {
				named[r.key()] = r
			}
		}
	}
	g, gctx := errgroup.WithContext(ctx)
	maps.DeleteFunc(named, func(key string, r referred) bool {
		_, known := k.gone[key]
		return known || find(k.lists[scopeKey(r.scope)], r.id) != nil
	})
	for key, r := range named {
		g.Go(func() error {
			o, err := d.Target.Read(gctx, r.scope, r.id)
			k.mu.Lock()
			defer k.mu.Unlock()
			k.gone[key] = o == nil && (err == nil || resource.Missing(err))
			return gctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, call := range calls {
		refs := call.Change.References
		for _, path := range slices.Sorted(maps.Keys(refs)) {
			r, ok := d.referred(call, path, refs[path])
			if ok && !judged[call] && k.gone[r.key()] {
				k.moved(call, fmt.Sprintf("%s refers to the %s %q (id %s), which does not exist any more", path, catalog.Words(refs[path].Type), refs[path].Ref, r.id))
				break
			}
		}
	}
	return nil
}

// withBelow adds what stands below the changes that are left to do: nothing else looks at it.
func (d *Driver) withBelow(calls []*execute.Call, judged map[*execute.Call]bool) []*execute.Call {
	out, left, seen := slices.Clone(calls), map[string]bool{}, map[*execute.Call]bool{}
	for _, call := range calls {
		seen[call] = true
		left[call.Change.ID] = !judged[call] && call.Change.Action == plan.Create
	}
	for _, c := range d.plan.Changes {
		call := d.calls[c.ID]
		if c.Parent == nil || call == nil || !left[c.Parent.Change] || seen[call] {
			continue
		}
		if !call.Before.Succeeded() {
			out, left[c.ID] = append(out, call), true
		}
	}
	return out
}

// referred is what a reference of a change leads to, where it is an id that the plan
// knows, of a root or of something below what the change stands below. What may lie in
// another region cannot be read.
func (d *Driver) referred(call *execute.Call, path string, ref plan.Reference) (referred, bool) {
	t := d.Catalog.Kind(ref.Type)
	if catalog.Abroad(d.Catalog.Kind(call.Change.ResourceType), value.ParsePath(path).Generic()) {
		return referred{}, false
	}
	if t == nil || t.Read == nil || t.Shape == catalog.Singleton || ref.Change != "" || ref.ID == "" || ref.Field != "" && ref.Field != "id" || call.Change.Action == plan.Delete {
		return referred{}, false
	}
	if t.Parent == nil {
		return referred{remote.Scope{Type: t}, ref.ID}, true
	}
	n := t.Depth()
	up := d.Catalog.Kind(call.Change.ResourceType).Parent
	for up != nil && up != t.Parent {
		up = up.Parent
	}
	if up == nil || len(call.Ancestors) < n {
		return referred{}, false
	}
	return referred{remote.Scope{Type: t, Ancestors: slices.Clone(call.Ancestors[:n])}, ref.ID}, true
}
