package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Query says what is read, and for what.
type Query struct {
	resource.Query
	Cluster *cluster.Cluster
	Scope   object.Scope
	// Secret returns what a secret of a resource is now, and what must be hidden.
	Secret func(r *resource.Resource, e *value.Expression) (whole string, hidden []string, err error)
	// Client leaves out dry runs: nothing is asked of the server but what exists.
	Client bool
}

// Read reads what a plan needs to know.
func Read(ctx context.Context, q Query) (*State, diag.List, error) {
	r := &reader{Query: q, unknown: map[*resource.Resource]bool{}, state: &State{
		Flat:  resource.Flat{Of: map[*resource.Type][]*resource.Object{}, Declared: map[*resource.Resource]*resource.Object{}},
		found: map[*resource.Resource]*Found{}, removed: map[*resource.Object]*Removed{},
	}}
	for _, step := range []func(context.Context) error{r.inventory, r.kinds, r.objects, r.check, r.listed, r.undeclared} {
		if err := step(ctx); err != nil {
			return nil, r.diags, err
		}
	}
	r.diags = r.diags.Sorted()
	return r.state, r.diags, nil
}

type reader struct {
	Query
	state *State
	// declared are the objects to apply, without the inventory.
	declared []*resource.Resource
	group    *resource.Resource          // the inventory; nil in a destroy
	unknown  map[*resource.Resource]bool // their kind is
	byID     map[object.ID]*resource.Resource
	// others are the objects that the inventory lists and nothing declares.
	others []*listed
	// tried are closed when it is known what applying an object would change.
	tried map[*resource.Resource]chan struct{}
	mu    sync.Mutex
	diags diag.List
}

// listed is an object that the inventory lists.
type listed struct {
	id   object.ID
	kind cluster.Kind
	live *unstructured.Unstructured
}

func (r *reader) found(x *resource.Resource) *Found { return r.state.found[x] }

// report adds a problem of an object.
func (r *reader) report(code diag.Code, x *resource.Resource, detail, fix string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.diags.Add(code, x.Pos, detail, fix)
}

// inventory reads the ResourceGroup, and refuses one of another id.
func (r *reader) inventory(ctx context.Context) error {
	want := r.Scope.Inventory
	have, err := inventory.Load(ctx, r.Cluster, want.Namespace, want.Name)
	if err != nil {
		return err
	}
	r.state.Inventory = have
	for _, x := range r.Set.Resources {
		switch i := object.ItemOf(x); {
		case i == nil:
		case i.IsInventory():
			r.group = x
		default:
			r.declared = append(r.declared, x)
		}
	}
	if have == nil {
		if err := r.hasHome(ctx); err != nil {
			return err
		}
		return r.idIsFree(ctx)
	}
	if have.ID != want.ID && r.Scope.Options.Policy == object.Strict {
		r.state.Refused = fmt.Sprintf("ResourceGroup %s/%s in the cluster has the inventory id %q, and the local one has %q. If both are the same inventory, pass --inventory-policy adopt to write the local id; otherwise give the local one another name.",
			want.Namespace, want.Name, have.ID, want.ID)
	}
	return nil
}

// hasHome reports a new inventory whose namespace neither exists nor is created by
// this plan.
func (r *reader) hasHome(ctx context.Context) error {
	want := r.Scope.Inventory
	if r.group == nil || slices.ContainsFunc(r.declared, func(x *resource.Resource) bool {
		id := object.ItemOf(x).ID
		return id.IsNamespace() && id.Name == want.Namespace
	}) {
		return nil
	}
	_, err := r.Cluster.Get(ctx, cluster.Namespaces, "", want.Namespace)
	switch {
	case resource.Missing(err):
		r.report(diag.KubeNoNamespace, r.group, fmt.Sprintf("The namespace %s of the ResourceGroup %s does not exist.", want.Namespace, want.Name),
			"create it: kubectl create namespace "+want.Namespace+"; or add a Namespace object.")
		return nil
	case resource.Denied(err):
		return nil
	default:
		return err
	}
}

// idIsFree refuses a new inventory with the id of another one.
func (r *reader) idIsFree(ctx context.Context) error {
	want := r.Scope.Inventory
	others, err := inventory.ByID(ctx, r.Cluster, want.ID)
	switch {
	case resource.Denied(err):
		return nil // whoever may not look at other namespaces cannot know
	case err != nil:
		return err
	}
	for _, other := range others {
		if other.Namespace != want.Namespace || other.Name != want.Name {
			r.state.Refused = fmt.Sprintf("ResourceGroup %s/%s in the cluster has the inventory id %q already. Give this one an id of its own: kongctl live init --inventory-id ID.", other.Namespace, other.Name, want.ID)
		}
	}
	return nil
}

// kinds finds out how the server knows each kind, and completes the identifiers.
func (r *reader) kinds(ctx context.Context) error {
	defined := r.defined()
	known, unknown := map[schema.GroupVersionKind]Found{}, map[schema.GroupVersionKind]error{}
	for _, x := range r.declared {
		gvk := object.ItemOf(x).GVK
		if _, ok := known[gvk]; ok || unknown[gvk] != nil {
			continue
		}
		k, err := r.Cluster.Kind(ctx, gvk)
		var missing *cluster.UnknownKindError
		switch crd, inSet := defined[gvk.GroupKind()]; {
		case err == nil:
			known[gvk] = Found{Kind: k}
		case !errors.As(err, &missing):
			return err
		case inSet:
			known[gvk] = Found{Kind: crd.kind(gvk), Unchecked: fmt.Sprintf("its CustomResourceDefinition %s is applied by this plan", crd.name)}
		default:
			unknown[gvk] = err
		}
	}
	r.byID = map[object.ID]*resource.Resource{}
	for _, x := range r.declared {
		item := object.ItemOf(x)
		if err := unknown[item.GVK]; err != nil {
			r.unknown[x] = true
			r.report(diag.KubeUnknownKind, x, fmt.Sprintf("%s: %v.", item.ID, strings.SplitN(err.Error(), "; fix:", 2)[0]), "correct apiVersion and kind, or add the CustomResourceDefinition to the objects.")
			continue
		}
		f := known[item.GVK]
		switch {
		case !f.Kind.Namespaced:
			item.ID.Namespace = ""
		case item.ID.Namespace == "":
			item.ID.Namespace = r.Cluster.Namespace()
		}
		if other := r.byID[item.ID]; other != nil {
			r.report(diag.CfgDuplicate, x, fmt.Sprintf("The object %s is declared at %s, too.", item.ID, other.Pos), "keep one of the two.")
		}
		r.byID[item.ID], r.state.found[x] = x, &f
	}
	r.declared = slices.DeleteFunc(r.declared, func(x *resource.Resource) bool { return r.unknown[x] })
	return nil
}

// definition is a kind that a CustomResourceDefinition of the set makes.
type definition struct {
	name, plural string
	namespaced   bool
}

func (d definition) kind(gvk schema.GroupVersionKind) cluster.Kind {
	return cluster.Kind{GroupVersionKind: gvk, Resource: d.plural, Namespaced: d.namespaced}
}

// defined are the kinds that the set itself defines.
func (r *reader) defined() map[schema.GroupKind]definition {
	out := map[schema.GroupKind]definition{}
	for _, x := range r.declared {
		if !object.ItemOf(x).ID.IsCRD() {
			continue
		}
		text := func(path ...string) string {
			s, _ := x.Fields.Lookup(value.Path(path)).Text()
			return s
		}
		out[schema.GroupKind{Group: text("spec", "group"), Kind: text("spec", "names", "kind")}] = definition{
			name: text("metadata", "name"), plural: text("spec", "names", "plural"), namespaced: text("spec", "scope") == "Namespaced",
		}
	}
	return out
}

// manyObjects is from how many objects of a kind in a namespace on a list is read
// instead of each of them.
const manyObjects = 8

// wanted is where to find objects of a kind.
type wanted struct {
	kind      cluster.Kind
	namespace string
}

// objects reads the live counterparts of what is declared and listed.
func (r *reader) objects(ctx context.Context) error {
	ask := map[wanted]map[string]func(*unstructured.Unstructured){}
	add := func(k cluster.Kind, id object.ID, take func(*unstructured.Unstructured)) {
		at := wanted{k, id.Namespace}
		if ask[at] == nil {
			ask[at] = map[string]func(*unstructured.Unstructured){}
		}
		ask[at][id.Name] = take
	}
	for _, x := range r.declared {
		f := r.found(x)
		if f.Unchecked == "" {
			add(f.Kind, object.ItemOf(x).ID, func(u *unstructured.Unstructured) { f.Live = u })
		}
	}
	if r.state.Inventory != nil {
		for _, e := range r.state.Inventory.Entries {
			if r.byID[e.ID] != nil {
				continue
			}
			k, err := r.Cluster.Preferred(ctx, e.GroupKind())
			switch {
			case resource.Missing(err):
				continue // the kind is gone, and the object with it
			case err != nil:
				return err
			}
			l := &listed{id: e.ID, kind: k}
			r.others = append(r.others, l)
			add(k, e.ID, func(u *unstructured.Unstructured) { l.live = u })
		}
	}
	g, gctx := errgroup.WithContext(ctx)
	for at, names := range ask {
		g.Go(func() error { return r.fetch(gctx, at, names) })
	}
	return g.Wait()
}

// fetch reads objects of one kind and namespace, as a list where they are many
// and may be listed.
func (r *reader) fetch(ctx context.Context, at wanted, names map[string]func(*unstructured.Unstructured)) error {
	if len(names) >= manyObjects && at.kind.Listable {
		all, err := r.Cluster.List(ctx, at.kind, at.namespace, cluster.ListOptions{})
		if err == nil {
			for _, u := range all {
				if take := names[u.GetName()]; take != nil {
					take(complete(u, at.kind))
				}
			}
			return nil
		}
		if !resource.Denied(err) {
			return err
		}
	}
	g, gctx := errgroup.WithContext(ctx)
	for name, take := range names {
		g.Go(func() error {
			u, err := r.Cluster.Get(gctx, at.kind, at.namespace, name)
			switch {
			case resource.Missing(err):
				return nil
			case err != nil:
				return err
			}
			take(u)
			return nil
		})
	}
	return g.Wait()
}

// complete adds what the items of lists leave out.
func complete(u *unstructured.Unstructured, k cluster.Kind) *unstructured.Unstructured {
	if u.GetKind() == "" {
		u.SetGroupVersionKind(k.GroupVersionKind)
	}
	return u
}

// listed settles which entries the inventory keeps.
func (r *reader) listed(context.Context) error {
	ids := map[object.ID]bool{}
	for _, x := range r.declared {
		if f := r.found(x); f.Refused == "" || r.state.Inventory != nil && r.state.Inventory.Has(object.ItemOf(x).ID) {
			ids[object.ItemOf(x).ID] = true
		}
	}
	applied := r.uids()
	for _, l := range r.others {
		if l.live != nil && r.owner(l.live) != foreign && !applied[l.live.GetUID()] {
			ids[l.id] = true
		}
	}
	for id := range ids {
		r.state.Entries = append(r.state.Entries, id)
	}
	slices.SortFunc(r.state.Entries, object.Compare)
	return nil
}
