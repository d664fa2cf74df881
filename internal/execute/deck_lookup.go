package execute

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// How often and how long to look for an entity that decK just wrote: reads may
// be behind writes for a moment.
const (
	serviceTries = 4
	serviceWait  = 250 * time.Millisecond
)

// services looks up the services of decK that the plan refers to, and the other
// entities whose values it takes, by ref.
func (r *run) services(ctx context.Context, c *plan.Change, ancestors []string) (*resource.Object, error) {
	look := &lookup{run: r, change: c, ancestors: ancestors, found: map[string]any{}}
	for _, d := range r.Plan.DeckDependencies {
		if d.Change == c.ID {
			look.wanted = append(look.wanted, d)
		}
	}
	for try := 0; ; try++ {
		if err := look.once(ctx); err != nil {
			return nil, err
		}
		if len(look.wanted) == 0 {
			return &resource.Object{ID: ancestors[len(ancestors)-1], Fields: look.found}, nil
		}
		if try == serviceTries {
			return nil, look.missing()
		}
		if err := r.sleep(ctx, serviceWait<<try); err != nil {
			return nil, err
		}
	}
}

// lookup looks for entities that decK wrote.
type lookup struct {
	run       *run
	change    *plan.Change
	ancestors []string
	wanted    []plan.DeckDependency
	found     map[string]any // fields by ref
}

// once takes what is there by now, as decK left it, off the list.
func (l *lookup) once(ctx context.Context) error {
	objects, err := l.list(ctx)
	if err != nil {
		return err
	}
	var left []plan.DeckDependency
	for _, d := range l.wanted {
		fields, err := l.fields(ctx, d, objects)
		if err != nil {
			return err
		}
		if fields == nil || stale(d, fields) != "" {
			left = append(left, d)
			continue
		}
		l.found[d.GatewayServiceRef] = fields
	}
	l.wanted = left
	return nil
}

// list reads the services, where one is looked for by its name.
func (l *lookup) list(ctx context.Context) ([]*resource.Object, error) {
	if !slices.ContainsFunc(l.wanted, func(d plan.DeckDependency) bool { return d.ResourceID == "" }) {
		return nil, nil
	}
	t := l.served()
	if t == nil {
		return nil, fmt.Errorf("%s has no services", l.change.Parent.Type)
	}
	objects, err := l.run.Target.List(ctx, remote.Scope{Type: t, Ancestors: l.ancestors})
	if resource.Missing(err) {
		return nil, nil
	}
	return objects, err
}

// fields are those of an entity; nil where it is not there.
func (l *lookup) fields(ctx context.Context, d plan.DeckDependency, services []*resource.Object) (map[string]any, error) {
	if d.ResourceID == "" {
		for _, o := range services {
			if o.Fields[l.served().Identity[0]] == d.ServiceName && o.ID != d.Replaces {
				return o.Fields, nil
			}
		}
		return nil, nil
	}
	t := l.run.Catalog.Kind(d.ResourceType)
	if t == nil || t.Read == nil {
		return nil, fmt.Errorf("this program cannot read a %s", d.ResourceType)
	}
	o, err := l.run.Target.Read(ctx, remote.Scope{Type: t, Ancestors: l.ancestors}, d.ResourceID)
	switch {
	case resource.Missing(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return o.Fields, nil
}

// stale is a field that is not yet what decK made of it; "" for none.
func stale(d plan.DeckDependency, fields map[string]any) string {
	for field, want := range d.Values {
		if is, _ := value.Get(fields, value.ParsePath(field)); !value.Equal(is, want) {
			return field
		}
	}
	return ""
}

// missing says what was not found, or not as decK left it.
func (l *lookup) missing() error {
	d := l.wanted[0]
	what := fmt.Sprintf("service %q", d.ServiceName)
	if d.ResourceID != "" {
		what = fmt.Sprintf("%s %q", catalog.Words(d.ResourceType), d.GatewayServiceRef)
	}
	if len(d.Values) > 0 {
		return fmt.Errorf("%s of the control plane %q is not what decK wrote", what, l.change.ResourceName)
	}
	return fmt.Errorf("%s not found in the control plane %q", what, l.change.ResourceName)
}

// served is the type of what decK makes and others refer to.
func (l *lookup) served() *catalog.Bound {
	t := l.run.Catalog.Kind(l.change.Parent.Type)
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

// ofService is a field of an entity that decK wrote.
func ofService(o *resource.Object, ref plan.Reference) (any, error) {
	fields, _ := o.Fields[ref.Ref].(map[string]any)
	name := ref.Field
	if name == "" {
		name = "id"
	}
	v, ok := value.Get(fields, value.ParsePath(name))
	if !ok || v == nil {
		return nil, fmt.Errorf("%s %s has no %s", ref.Type, ref.Ref, name)
	}
	return v, nil
}
