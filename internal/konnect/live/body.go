package live

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
)

// bodiesAtOnce is how many bodies are read at once.
const bodiesAtOnce = 8

// ReadBodies reads groups of objects with all their fields, and adds what there is
// once below each, and what holds the order in which the first one of a group has a
// place. What cannot be read by itself is as it was listed; what is gone
// has no object, and what could not be read has no fields.
func ReadBodies(ctx context.Context, t remote.Target, groups [][]resource.Part) ([][]resource.Part, error) {
	out := make([][]resource.Part, len(groups))
	for i, group := range groups {
		if first := catalog.OfType(group[0].Type); catalog.OrderOf(first) != nil {
			out[i] = append(out[i], resource.Part{Type: catalog.OrderOf(first).Neutral(), Ancestors: group[0].Ancestors})
		}
		for _, x := range group {
			out[i] = append(out[i], x)
			out[i] = append(out[i], settingsBelow(x)...)
		}
	}
	return out, readBodies(ctx, t, out)
}

// ReadSettings reads what exists once below each of the objects: settings, and orders.
// What could not be read has no fields.
func ReadSettings(ctx context.Context, t remote.Target, of []resource.Part) ([]resource.Part, error) {
	var out []resource.Part
	for _, x := range of {
		if x.Object != nil {
			out = append(out, settingsBelow(x)...)
		}
	}
	err := readBodies(ctx, t, [][]resource.Part{out})
	return slices.DeleteFunc(out, func(x resource.Part) bool { return x.Object == nil }), err
}

// settingsBelow lists what always exists once below an object, not read yet.
func settingsBelow(x resource.Part) []resource.Part {
	var out []resource.Part
	for _, child := range catalog.OfType(x.Type).Children {
		if child.Shape == catalog.Singleton && !child.ReadOnly && !child.Optional() && child.Read != nil && (x.Object.Fields == nil || child.HasBelow(x.Object.Fields)) {
			out = append(out, resource.Part{Type: child.Neutral(), Ancestors: append(slices.Clone(x.Ancestors), x.Object.ID)})
		}
	}
	return out
}

// readBodies reads what has no fields yet, or not all.
func readBodies(ctx context.Context, t remote.Target, out [][]resource.Part) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(bodiesAtOnce)
	for i := range out {
		for j, x := range out[i] {
			b := catalog.OfType(x.Type)
			bare := x.Object == nil || x.Object.Fields == nil
			if x.Type.ReadOnly || !bare && !b.ListLacksFields() {
				continue
			}
			g.Go(func() (err error) {
				id := ""
				if x.Object != nil {
					id = x.Object.ID
				}
				if out[i][j].Object, err = ReadOne(gctx, t, remote.Scope{Type: b, Ancestors: x.Ancestors}, id); err != nil {
					out[i][j].Object = &resource.Object{ID: id}
				}
				return gctx.Err()
			})
		}
	}
	return g.Wait()
}

// ReadOne reads one object, from its list where it cannot be read by itself; nil
// where it is gone.
func ReadOne(ctx context.Context, t remote.Target, s remote.Scope, id string) (*resource.Object, error) {
	if s.Type.Read != nil {
		o, err := t.Read(ctx, s, id)
		if resource.Missing(err) {
			return nil, nil
		}
		return o, err
	}
	objects, err := t.List(ctx, s)
	for _, o := range objects {
		if o.ID == id {
			return o, nil
		}
	}
	return nil, err
}
