package drive

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// holder is a live resource with what it belongs to.
type holder struct {
	resource.Part
	parent *resource.Object
}

// holders reads all resources of a type whose values no two may share.
func holders(ctx context.Context, t remote.Target, of *catalog.Bound) ([]holder, error) {
	if of.Parent == nil {
		objects, err := t.List(ctx, remote.Scope{Type: of})
		return parts(of, nil, nil, objects), err
	}
	if of.Depth() > 1 {
		return nil, nil
	}
	parents, err := t.List(ctx, remote.Scope{Type: of.Parent})
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var out []holder
	g, gctx := errgroup.WithContext(ctx)
	for _, parent := range parents {
		g.Go(func() error {
			ancestors := []string{parent.ID}
			objects, err := everything(gctx, t, remote.Scope{Type: of, Ancestors: ancestors})
			if err != nil && !resource.Missing(err) {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			out = append(out, parts(of, ancestors, parent, objects)...)
			return nil
		})
	}
	err = g.Wait()
	return out, err
}

func parts(t *catalog.Bound, ancestors []string, parent *resource.Object, objects []*resource.Object) []holder {
	var out []holder
	for _, o := range objects {
		out = append(out, holder{resource.Part{Type: t.Neutral(), Ancestors: ancestors, Object: o}, parent})
	}
	return out
}

// everything reads a list, or the one resource below a parent.
func everything(ctx context.Context, t remote.Target, s remote.Scope) ([]*resource.Object, error) {
	if s.Type.Shape != catalog.Singleton {
		return t.List(ctx, s)
	}
	o, err := t.Read(ctx, s, "")
	if o == nil || err != nil {
		return nil, err
	}
	return []*resource.Object{o}, nil
}

// taken says which value of a CREATE no two resources may share and another one
// has that keeps it; "" where all are free. It never shows the value.
func (d *Driver) taken(c *plan.Change, w remote.Write, all []holder) string {
	t := d.Catalog.Kind(c.ResourceType)
	for _, f := range t.Unique {
		p := value.ParsePath(f)
		text := uniqueText(t, p, w.Fields)
		if text == "" {
			continue
		}
		for _, x := range all {
			if uniqueText(t, p, x.Object.Fields) == text && !d.freed(x.Part, f) {
				return fmt.Sprintf("%s must be unique, and the %s has the same value", f, plan.HolderName(x.Part, x.parent))
			}
		}
	}
	return ""
}

func uniqueText(t *catalog.Bound, p value.Path, fields map[string]any) string {
	v, _ := value.Get(fields, p)
	text, _ := v.(string)
	return t.UniqueText(p, text)
}

// freed reports whether a change of this run takes the value from a resource, or
// has done so.
func (d *Driver) freed(x resource.Part, field string) bool {
	return slices.ContainsFunc(plan.Freed(d.plan, x, field), func(c *plan.Change) bool { return d.calls[c.ID].Expected() })
}

// replaces reports whether a change is the CREATE of a replace that takes a value
// which no two resources may share.
func (d *Driver) replaces(c *plan.Change) bool {
	if c.Action != plan.Create || !c.Replace {
		return false
	}
	t := d.Catalog.Kind(c.ResourceType)
	return t != nil && len(t.Unique) > 0
}

// unique refuses replaces that take values which others have by now.
func (k *checker) unique(ctx context.Context, calls []*execute.Call) error {
	for _, call := range calls {
		c := call.Change
		if !k.d.replaces(c) || k.settled[c.ID] {
			continue
		}
		_, w, err := k.d.filled(call)
		if err != nil {
			continue // it is checked right before the DELETE
		}
		all, seen := k.holders[c.ResourceType]
		if !seen {
			if all, err = holders(ctx, k.d.Target, k.d.Catalog.Kind(c.ResourceType)); err != nil {
				return err
			}
			k.holders[c.ResourceType] = all
		}
		if why := k.d.taken(c, w, all); why != "" {
			k.moved(call, why)
		}
	}
	return nil
}
