package drive

import (
	"context"
	"fmt"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
)

// Entities lists what another target makes below a resource of a type and others
// refer to, with the field that names one.
func (d *Driver) Entities(ctx context.Context, parent string, ancestors []string) (objects []*resource.Object, name string, err error) {
	t := d.served(parent)
	if t == nil {
		return nil, "", fmt.Errorf("%s has no services", parent)
	}
	objects, err = d.Target.List(ctx, remote.Scope{Type: t, Ancestors: ancestors})
	if resource.Missing(err) {
		return nil, "", nil
	}
	return objects, t.Identity[0], err
}

// Entity reads one of those by its id; nil where it is not there.
func (d *Driver) Entity(ctx context.Context, kind string, ancestors []string, id string) (*resource.Object, error) {
	t := d.Catalog.Kind(kind)
	if t == nil || t.Read == nil {
		return nil, fmt.Errorf("this program cannot read a %s", kind)
	}
	o, err := d.Target.Read(ctx, remote.Scope{Type: t, Ancestors: ancestors}, id)
	if resource.Missing(err) {
		return nil, nil
	}
	return o, err
}

// served is the type of what another target makes below a type.
func (d *Driver) served(parent string) *catalog.Bound {
	t := d.Catalog.Kind(parent)
	if t == nil {
		return nil
	}
	for _, child := range t.Children {
		if child.Writer != "" && child.Referred {
			return child
		}
	}
	return nil
}
