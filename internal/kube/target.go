// Package kube is the target Kubernetes: what the engine asks of it.
//
// In: documents, queries and plans of the engine, and a kubeconfig that is read
// when it is first needed. Out: resources, what exists, proposals, and the driver
// that carries changes out. It must never import another target or the engine.
package kube

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/drive"
	"github.com/kongctl/kongctl/internal/kube/live"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/propose"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// Name is what requests call the target.
const Name = object.Target

// What is done where the options say nothing.
const (
	DefaultManager     = "kongctl"
	DefaultPropagation = "Background"
)

// Options say what is read and how it is applied.
type Options struct {
	object.Options
	Connection cluster.Config
	// Here is the folder whose Kptfile counts: the one that is read, or the current
	// one where standard input is; "" where none does. Work is the current folder,
	// Dir the one that is read, for people.
	Here, Work, Dir string
	// Stdin says that objects come from standard input, GroupFile is the file that
	// --rg-file names, as positions call it.
	Stdin     bool
	GroupFile string
	// Destroy deletes everything that the inventory lists.
	Destroy bool
	// Reconcile and Delete bound the waits for applied and for deleted objects also
	// where a plan that was saved says otherwise; nil does not.
	Reconcile, Delete *time.Duration
	// Client asks for no dry runs.
	Client bool
	// Status hears how the wait for an object goes; nil is nobody.
	Status func(id object.ID, status, message string)
	// Settled hears how the wait for an object without a change ended; nil is
	// nobody.
	Settled func(id object.ID, err error)
}

// Config is what the target needs.
type Config struct {
	Options Options
	Now     func() time.Time
	Sleep   func(context.Context, time.Duration) error
	Warn    func(string)
}

// Target is Kubernetes.
type Target struct {
	config  Config
	options Options
	types   *resource.Types
	open    func() (*cluster.Cluster, error)
	scope   object.Scope
	state   *live.State
	uid     string
	rebase  func(string) string
	beside  map[string]map[string]any
}

// New returns the target; nothing is read or called before it is asked for.
func New(c Config) *Target {
	o := &c.Options.Options
	o.Manager, o.Policy, o.Propagation = cmp.Or(o.Manager, DefaultManager), cmp.Or(o.Policy, object.Strict), cmp.Or(o.Propagation, DefaultPropagation)
	connection := &c.Options.Connection
	connection.StdinTaken = connection.StdinTaken || c.Options.Stdin
	if connection.Warn == nil {
		connection.Warn = c.Warn
	}
	t := &Target{config: c, options: c.Options, types: resource.OpenTypes(kindOf)}
	t.types.Kind("k8s:v1/ConfigMap") // so that --allow-empty k8s has a meaning before an object is met
	t.open = sync.OnceValues(func() (*cluster.Cluster, error) { return cluster.Open(c.Options.Connection) })
	return t
}

// kindOf makes the type of a kind.
func kindOf(name string) *resource.Type {
	gvk, ok := object.ParseType(name)
	if !ok {
		return nil
	}
	together := "k8s"
	if gvk == object.GroupGVK() {
		together = "" // the inventory is always declared
	}
	return &resource.Type{
		Kind: name, Words: gvk.Kind, Key: name, Root: name, Identity: []string{"metadata.name", "metadata.namespace"},
		Owned: true, Updatable: true, Whole: true, Apart: Name, Together: together, Behaviour: behaviour{secret: object.IsSecret(gvk.GroupKind())},
	}
}

// Name is what requests call the target.
func (*Target) Name() string { return Name }

// Claim owns the documents with an API version and a kind.
func (*Target) Claim() source.Claim {
	return source.Claim{Name: Name, Own: []string{"apiVersion", "kind"}, Older: true, Shows: object.Shows}
}

// Types are made when they are first asked for.
func (t *Target) Types() (*resource.Types, error) { return t.types, nil }

func (t *Target) cluster() (*cluster.Cluster, error) { return t.open() }

// namespace is the one of objects that name none; "" where the kubeconfig cannot
// be read, which is reported when it is needed.
func (t *Target) namespace() string {
	c, err := t.open()
	if err != nil {
		return ""
	}
	return c.Namespace()
}

// Read reads the inventory and the objects.
func (t *Target) Read(ctx context.Context, q resource.Query) (resource.State, diag.List, error) {
	c, err := t.cluster()
	if err != nil {
		return nil, nil, err
	}
	if t.uid, err = c.UID(ctx); err != nil {
		return nil, nil, err
	}
	t.rebase = q.Rebase
	state, list, err := live.Read(ctx, live.Query{Query: q, Cluster: c, Scope: t.scope, Client: t.options.Client, Secret: secretOf(q)})
	if err != nil {
		return nil, list, err
	}
	t.state, t.beside = state, secrets(q.Set)
	return state, list, nil
}

// secretOf finds out what secrets are, to compare them with those in the cluster.
// No plan holds them.
func secretOf(q resource.Query) func(*resource.Resource, *value.Expression) (string, []string, error) {
	return func(r *resource.Resource, e *value.Expression) (string, []string, error) {
		return execute.Input{Env: q.Env, Dir: r.Base}.Values().Secret(plan.SecretExpression(e, ""))
	}
}

// secrets are the values of Secrets that came from standard input, by ref and
// field.
func secrets(set *resource.Set) map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, r := range set.Resources {
		item := object.ItemOf(r)
		if item == nil || item.File != "-" {
			continue
		}
		for _, p := range item.Secrets {
			if out[r.Ref] == nil {
				out[r.Ref] = map[string]any{}
			}
			out[r.Ref][p.String()] = r.Fields.Lookup(p).Plain(nil)
		}
	}
	return out
}

// Proposer compares manifests with what was read.
func (t *Target) Proposer() build.Proposer {
	return propose.Proposer{Read: t.state, Scope: t.scope, Rebase: t.rebase}
}

// Rules are what a plan may ask for.
func (*Target) Rules() plan.Rules { return propose.Rules{} }

// Beside are the values that no plan holds, or nil.
func (t *Target) Beside() any {
	if len(t.beside) == 0 {
		return nil
	}
	return t.beside
}

// Inventory is the one that the documents name.
func (t *Target) Inventory() object.Inventory { return t.scope.Inventory }

// SecretError is a plan without values that it needs.
type SecretError struct{ Names []string }

func (e *SecretError) Error() string {
	return fmt.Sprintf("the plan cannot be saved: plans never contain secrets, and the values of %s came from standard input, where a later run does not find them; write the objects to a file and plan that, or apply them at once",
		strings.Join(e.Names, ", "))
}

// Refused reports that a rule of this program forbids it.
func (*SecretError) Refused() bool { return true }

// MaySave refuses to save a plan whose Secrets came from standard input.
func (t *Target) MaySave(p *plan.Plan) error {
	var names []string
	for _, c := range p.Changes {
		if len(t.beside[c.ResourceRef]) > 0 && c.Action != plan.Delete {
			names = append(names, "Secret "+c.ResourceName)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return &SecretError{Names: names}
}

// Place names the cluster and the inventory that one run keeps others off.
func (t *Target) Place(ctx context.Context) (string, error) {
	c, err := t.cluster()
	if err != nil {
		return "", err
	}
	uid, err := c.UID(ctx)
	return fmt.Sprintf("cluster %s (%s)", c.Server(), uid), err
}

// Describe says which cluster and which inventory a plan is for.
func (t *Target) Describe(m *plan.Metadata) {
	if c, err := t.cluster(); err == nil {
		m.Cluster = &plan.Cluster{Server: c.Server(), UID: t.uid, Context: c.Context()}
	}
	t.scope.Describe(m)
}

// Described reports whether a plan was made with the target.
func (*Target) Described(m plan.Metadata) bool { return m.Targets[Name] != nil }

// Supersedes reports whether a plan that was carried out leaves nothing to do of an
// older one: both are for the same inventory, and nothing that it lists was left
// out.
func (*Target) Supersedes(done, older plan.Metadata) bool {
	a, ok, err := object.ScopeOf(done)
	if !ok || err != nil {
		return false
	}
	b, ok, err := object.ScopeOf(older)
	if !ok || err != nil {
		return false
	}
	same := a.Inventory.Name == b.Inventory.Name && a.Inventory.Namespace == b.Inventory.Namespace && a.Inventory.ID == b.Inventory.ID
	return same && done.Mode.Prunes() && done.SyncScope.Prune == resource.PruneFull
}

// Driver carries changes out.
func (t *Target) Driver(_ context.Context, in execute.Input) (execute.Driver, error) {
	return drive.New(drive.Config{
		Cluster: func(context.Context) (*cluster.Cluster, error) { return t.cluster() },
		Now:     t.config.Now, Sleep: t.config.Sleep, Warn: t.config.Warn, Status: t.options.Status,
		Reconcile: t.options.Reconcile, Delete: t.options.Delete, NoInstall: t.options.NoInstall,
	}, in), nil
}
