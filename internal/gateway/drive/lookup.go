package drive

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// How often and how long to look for an entity that decK just wrote: reads may
// be behind writes for a moment.
const (
	serviceTries = 4
	serviceWait  = 250 * time.Millisecond
)

// made is the control plane and, by ref, the services of decK that the plan refers
// to and the other entities whose values it takes.
func (d *Driver) made(ctx context.Context, c *execute.Call) (execute.Outcome, error) {
	look := &lookup{konnect: d.Konnect, call: c, found: map[string]*resource.Object{}}
	for _, x := range d.plan.Dependencies {
		if x.Change == c.Change.ID {
			look.wanted = append(look.wanted, x)
		}
	}
	for try := 0; ; try++ {
		if err := look.once(ctx); err != nil {
			return execute.Outcome{}, err
		}
		if len(look.wanted) == 0 {
			return execute.Outcome{Object: &resource.Object{ID: c.Ancestors[len(c.Ancestors)-1]}, Made: look.found}, nil
		}
		if try == serviceTries {
			return execute.Outcome{}, look.missing()
		}
		if err := d.Sleep(ctx, serviceWait<<try); err != nil {
			return execute.Outcome{}, err
		}
	}
}

// lookup looks for entities that decK wrote.
type lookup struct {
	konnect Konnect
	call    *execute.Call
	wanted  []plan.Dependency
	found   map[string]*resource.Object // by ref
}

// once takes what is there by now, as decK left it, off the list.
func (l *lookup) once(ctx context.Context) error {
	var objects []*resource.Object
	var name string
	if slices.ContainsFunc(l.wanted, func(d plan.Dependency) bool { return d.ResourceID == "" }) {
		var err error
		if objects, name, err = l.konnect.Entities(ctx, l.call.Change.Parent.Type, l.call.Ancestors); err != nil {
			return err
		}
	}
	var left []plan.Dependency
	for _, d := range l.wanted {
		o, err := l.object(ctx, d, objects, name)
		if err != nil {
			return err
		}
		if o == nil || stale(d, o.Fields) != "" {
			left = append(left, d)
			continue
		}
		l.found[d.Ref] = o
	}
	l.wanted = left
	return nil
}

// object is an entity, by its id or its name; nil where it is not there.
func (l *lookup) object(ctx context.Context, d plan.Dependency, services []*resource.Object, name string) (*resource.Object, error) {
	if d.ResourceID != "" {
		return l.konnect.Entity(ctx, d.ResourceType, l.call.Ancestors, d.ResourceID)
	}
	for _, o := range services {
		if o.Fields[name] == d.Name && o.ID != d.Replaces {
			return o, nil
		}
	}
	return nil, nil
}

// stale is a field that is not yet what decK made of it; "" for none.
func stale(d plan.Dependency, fields map[string]any) string {
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
	what := fmt.Sprintf("service %q", d.Name)
	if d.ResourceID != "" {
		what = fmt.Sprintf("%s %q", resource.Words(d.ResourceType), d.Ref)
	}
	if len(d.Values) > 0 {
		return fmt.Errorf("%s of the control plane %q is not what decK wrote", what, l.call.Change.ResourceName)
	}
	return fmt.Errorf("%s not found in the control plane %q", what, l.call.Change.ResourceName)
}
