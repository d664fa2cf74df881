// Package drive carries out the changes of a plan in a cluster: it applies and
// deletes objects, waits for them, and keeps the inventory.
//
// In: a plan and a connection. Out: what objects became, and errors that are
// asked by behaviour. It does what the plan says and decides nothing. It must
// never import what reads for plans or makes them.
package drive

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
)

// Config is what a driver works with.
type Config struct {
	// Cluster opens the connection.
	Cluster func(ctx context.Context) (*cluster.Cluster, error)
	// Sleep waits; it fails when the context ends.
	Sleep func(ctx context.Context, d time.Duration) error
	Now   func() time.Time
	// Warn hears what people should know although nothing failed, and Status every
	// status of an object that is waited for; nil hears nothing.
	Warn   func(string)
	Status func(id object.ID, status, message string)
	// Reconcile and Delete are time limits in place of the plan's; nil is the plan's.
	Reconcile, Delete *time.Duration
	// NoInstall leaves the definition of ResourceGroups as it is, whatever the plan
	// says.
	NoInstall bool
}

// Driver carries out changes of Kubernetes objects.
type Driver struct {
	config Config
	in     execute.Input
	site   *site
}

// New returns who carries out the changes of a plan.
func New(c Config, in execute.Input) execute.Driver { return &Driver{config: c, in: in} }

// Prepare opens the connection, refuses a plan for another cluster, and finds
// what can be refused before the first write.
func (d *Driver) Prepare(ctx context.Context, p *plan.Plan, calls []*execute.Call) error {
	scope, ok, err := object.ScopeOf(p.Metadata)
	if err != nil {
		return err
	}
	if !ok || scope.Inventory.Name == "" || scope.Inventory.ID == "" {
		return errors.New("the plan does not name the inventory of its Kubernetes objects (metadata.targets.kube): create a new one")
	}
	scope.Options.NoInstall = scope.Options.NoInstall || d.config.NoInstall
	if t := d.config.Reconcile; t != nil {
		scope.Options.ReconcileTimeout = *t
	}
	if t := d.config.Delete; t != nil {
		scope.Options.DeleteTimeout = *t
	}
	d.site = &site{
		Config: d.config, in: d.in, scope: scope, items: map[string]*item{},
		applied: map[types.UID]object.ID{}, fresh: map[schema.GroupKind]bool{},
		late: map[string]bool{}, sent: map[string]bool{}, needed: map[string]object.ID{},
	}
	if d.site.cluster, err = d.config.Cluster(ctx); err != nil {
		return err
	}
	c := d.site.cluster
	d.site.gather = &gather{
		get: func(ctx context.Context, k cluster.Kind, id object.ID) (*unstructured.Unstructured, error) {
			return c.Get(ctx, k, id.Namespace, id.Name)
		},
		list: func(ctx context.Context, k cluster.Kind, namespace string) ([]*unstructured.Unstructured, error) {
			return c.List(ctx, k, namespace, cluster.ListOptions{})
		},
		sleep: d.config.Sleep,
	}
	if err := d.site.same(ctx, p.Metadata.Cluster); err != nil {
		return err
	}
	for _, c := range calls {
		it := d.site.item(c)
		d.site.items[c.Change.ID] = it
		d.site.order = append(d.site.order, it)
	}
	d.site.users = d.site.findUsers()
	if err := d.site.findNeeds(ctx); err != nil {
		return err
	}
	return d.site.known(ctx)
}

// Check compares what changes expect with what is there now.
func (d *Driver) Check(ctx context.Context, calls []*execute.Call) ([]execute.Verdict, error) {
	return checker{d.site}.all(ctx, calls)
}

// Do carries a change out.
func (d *Driver) Do(ctx context.Context, c *execute.Call) (out execute.Outcome, err error) {
	it := d.site.items[c.Change.ID]
	switch it.does {
	case record:
		out, err = keeper{d.site}.record(ctx, it)
	case forget:
		out, err = keeper{d.site}.forget(ctx, it)
	case remove:
		out, err = remover{d.site}.remove(ctx, it)
	case detach:
		out, err = remover{d.site}.detach(ctx, it)
	default:
		out, err = applier{d.site}.apply(ctx, it)
	}
	if err == nil {
		d.site.note(func() { d.site.sent[c.Change.ID] = true })
	}
	return out, err
}

// Awaits lists the objects that an object depends on and that the plan does not
// change.
func (d *Driver) Awaits(c *execute.Call) []string {
	return d.site.items[c.Change.ID].needs
}

// Await waits until one of them is ready.
func (d *Driver) Await(ctx context.Context, what string) error {
	return waiter{d.site}.await(ctx, d.site.needed[what])
}

// Wait waits until an applied object is ready and a deleted one is gone.
func (d *Driver) Wait(ctx context.Context, c *execute.Call, o execute.Outcome) (execute.Outcome, error) {
	return waiter{d.site}.wait(ctx, d.site.items[c.Change.ID], o)
}

// Finish writes the final inventory: what exists, or may exist, of the set, and
// what became of it. It can be called again.
func (d *Driver) Finish(ctx context.Context, r *execute.Report) error {
	return keeper{d.site}.finish(ctx, r)
}
