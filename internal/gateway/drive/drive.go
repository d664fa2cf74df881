// Package drive carries out decK's work of a plan.
//
// In: the calls of a plan, a Reconciler, and a way to look at Konnect. Out: what
// is done already or has moved, what decK did, and the entities that others refer
// to. It must never import what reads or writes Konnect: the engine gives it that.
package drive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/clock"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Konnect is what decK's work needs to know of Konnect.
type Konnect interface {
	// Above says whether what a change stands below is still there, has its name
	// and is not somebody else's. It is called serially for one plan.
	Above(ctx context.Context, p *plan.Plan, c *execute.Call) ([]execute.Verdict, error)
	// InUse says of a change what refers to what it still removes as parts and is not as
	// the plan expects. It is called like Above.
	InUse(ctx context.Context, p *plan.Plan, c *execute.Call, parts []plan.Part) ([]execute.Verdict, error)
	// Entities lists what decK makes below a resource of a type and others refer
	// to, with the field that names one; none where there is no such thing.
	Entities(ctx context.Context, parent string, ancestors []string) (objects []*resource.Object, name string, err error)
	// Entity reads one, or nil.
	Entity(ctx context.Context, kind string, ancestors []string, id string) (*resource.Object, error)
}

// Config is what a driver needs.
type Config struct {
	Sources
	// Reconciler runs decK; nil where a plan has no work for it.
	Reconciler gateway.Reconciler
	Konnect    Konnect
	// GoOn lets what does not depend on a failed run of decK continue.
	GoOn bool
	// Sleep waits between looks at what decK wrote; nil is real time.
	Sleep func(context.Context, time.Duration) error
}

// Driver carries out decK's work.
type Driver struct {
	Config
	plan     *plan.Plan
	requests map[string]gateway.Request
}

// New returns a driver for one run.
func New(c Config) *Driver {
	if c.Sleep == nil {
		c.Sleep = clock.Sleep
	}
	return &Driver{Config: c}
}

// Prepare reads what decK needs: nothing is written when a part is missing or
// not what the plan was made of.
func (d *Driver) Prepare(_ context.Context, p *plan.Plan, calls []*execute.Call) error {
	d.plan, d.requests = p, map[string]gateway.Request{}
	for _, call := range calls {
		c := call.Change
		if c.Parent != nil {
			call.Name = fmt.Sprintf("decK on %s %s", c.Parent.Type, c.ResourceRef)
		}
		if d.Reconciler == nil || c.Parent == nil {
			call.Problem = errors.New("this program cannot run decK for this plan")
			continue
		}
		d.requests[c.ID], call.Problem = d.Request(p.Metadata.Inputs, c, func() (map[string]any, []string, error) {
			return call.Fields, call.Secrets, call.Problem
		})
	}
	return nil
}

// Check looks whether decK still has to do what the plan says, and nothing else.
func (d *Driver) Check(ctx context.Context, calls []*execute.Call) ([]execute.Verdict, error) {
	ctx, cancel := resource.Waiting(ctx)
	defer cancel()
	var out []execute.Verdict
	var standing []*execute.Call
	for _, c := range calls {
		above, err := d.Konnect.Above(ctx, d.plan, c)
		if err != nil {
			return nil, d.failed(err)
		}
		out = append(out, above...)
		if len(above) == 0 {
			standing = append(standing, c)
		}
	}
	found := make([]comparison, len(standing))
	g, gctx := errgroup.WithContext(ctx)
	for i, c := range standing {
		g.Go(func() (err error) {
			found[i], err = d.compare(gctx, c)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, d.failed(err)
	}
	for i, c := range standing {
		if v := found[i].verdict; v != nil {
			out = append(out, *v)
			continue
		}
		used, err := d.Konnect.InUse(ctx, d.plan, c, found[i].left)
		if err != nil {
			return nil, d.failed(err)
		}
		out = append(out, used...)
	}
	for i := range out {
		out[i].Stop = !d.GoOn
	}
	return out, nil
}

// comparison is what a look at a gateway says: a verdict, or which of the planned parts
// are left to do.
type comparison struct {
	verdict *execute.Verdict
	left    []plan.Part
}

// compare asks decK what it would do now.
func (d *Driver) compare(ctx context.Context, c *execute.Call) (comparison, error) {
	now, err := d.Reconciler.Diff(ctx, d.request(c))
	switch {
	case resource.Missing(err):
		return comparison{verdict: &execute.Verdict{Call: c, Moved: "what it belongs to does not exist any more"}}, nil
	case err != nil:
		return comparison{}, err
	case len(now) == 0:
		o, err := d.made(ctx, c)
		if err != nil {
			return comparison{}, err
		}
		return comparison{verdict: &execute.Verdict{Call: c, Done: &o}}, nil
	}
	planned := partsByName(c.Change.GatewayChanges)
	var left []plan.Part
	for _, x := range now {
		list := planned[partName{x.Kind, x.Name}]
		i := slices.IndexFunc(list, func(y plan.Part) bool { return sameChange(x, y) })
		if i < 0 {
			moved, fields := movedPart(c.Change.GatewayChanges, x)
			return comparison{verdict: &execute.Verdict{Call: c, Moved: "the gateway has changed: " + moved, Fields: fields}}, nil
		}
		left = append(left, list[i])
	}
	return comparison{left: left}, nil
}

// partName is what a part is called.
type partName struct{ kind, name string }

// partsByName are the parts of a change by what they are called: one that is made again
// is there twice.
func partsByName(parts []plan.Part) map[partName][]plan.Part {
	out := map[partName][]plan.Part{}
	for _, x := range parts {
		at := partName{x.Kind, x.Name}
		out[at] = append(out[at], x)
	}
	return out
}

// sameChange compares what is planned with what would be done now to what has the same
// name.
func sameChange(x, y plan.Part) bool {
	if x.Action != y.Action || x.Fingerprint != y.Fingerprint || len(x.ChangedFields) != len(y.ChangedFields) || isAnother(x, y) {
		return false
	}
	for field, a := range x.ChangedFields {
		b, ok := y.ChangedFields[field]
		if !ok || !value.Equal(a.Old, b.Old) || !value.Equal(a.New, b.New) {
			return false
		}
	}
	return true
}

// isAnother reports whether the part that would be deleted now was made after the plan.
func isAnother(now, planned plan.Part) bool {
	return planned.Removes != nil && now.Action == plan.Delete && now.ID != planned.Removes.ID
}

// Do runs decK and looks up what others wait for. A run of decK is one change: once it
// has written something, an interrupt lets it finish.
func (d *Driver) Do(ctx context.Context, c *execute.Call) (execute.Outcome, error) {
	done, err := d.Reconciler.Run(ctx, d.request(c))
	if err != nil {
		return execute.Outcome{Parts: done}, d.failed(err)
	}
	out, err := d.made(ctx, c)
	out.Parts = done
	return out, d.failed(err)
}

// failed stops the run, unless the rest may continue: everything may build on decK.
func (d *Driver) failed(err error) error {
	if d.GoOn {
		return err
	}
	return execute.Stop(err)
}

// request is that for a control plane that is there.
func (d *Driver) request(c *execute.Call) gateway.Request {
	req := d.requests[c.Change.ID]
	req.ControlPlane.ID = c.Ancestors[len(c.Ancestors)-1]
	return req
}
