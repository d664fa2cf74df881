package live

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kongctl/internal/diag"
	"kongctl/internal/kube/cluster"
	"kongctl/internal/kube/object"
	"kongctl/internal/plan"
	"kongctl/internal/resource"
	"kongctl/internal/value"
)

// undeclared enters what the inventory lists and nothing declares.
func (r *reader) undeclared(context.Context) error {
	applied, used := r.uids(), r.namespaces()
	var gone []*Removed
	for _, l := range r.others {
		switch {
		case l.live == nil, applied[l.live.GetUID()]:
			continue
		case l.id.IsNamespace() && used[l.id.Name], l.id.IsCRD() && r.uses(definedKind(l.live)):
			r.diags = append(r.diags, diag.Warn(diag.KubeInUse, value.Pos{},
				fmt.Sprintf("%s is not declared any more, and declared objects need it. It is not deleted.", l.id), "declare it again, or remove the objects that need it."))
			continue
		case !r.mayRemove(l.live):
			if r.owner(l.live) != foreign {
				gone = append(gone, &Removed{Kind: l.kind, Live: l.live, Refused: fmt.Sprintf(
					"%s is listed in the inventory, and its annotation %s does not name it. Pass --inventory-policy adopt to delete the object all the same.", l.id, object.Owner)})
			}
			continue
		}
		gone = append(gone, &Removed{Kind: l.kind, Live: l.live, Keep: kept(l.live)})
	}
	keepAround(gone)
	stages(gone)
	for _, x := range gone {
		o, err := Object(x.Live)
		if err != nil {
			return err
		}
		o.Owner = Owner(r.Scope.Inventory.ID)
		t := r.Set.Types.Kind(object.TypeName(x.Live.GroupVersionKind()))
		r.state.Of[t], r.state.removed[o] = append(r.state.Of[t], o), x
	}
	if r.Scope.Destroy {
		r.destroyGroup(gone)
	}
	if r.group != nil && len(gone) > 0 && plan.Mode(r.Mode) == plan.ModeDelete {
		delete(r.state.Declared, r.group) // it still lists others
	}
	return nil
}

// uids are those of what is declared and exists: an object may be listed in
// another API group, too.
func (r *reader) uids() map[types.UID]bool {
	out := map[types.UID]bool{}
	for _, x := range r.declared {
		if f := r.found(x); f.Live != nil {
			out[f.Live.GetUID()] = true
		}
	}
	return out
}

// uses reports whether objects of a kind are declared.
func (r *reader) uses(gk schema.GroupKind) bool {
	return slices.ContainsFunc(r.declared, func(x *resource.Resource) bool { return object.ItemOf(x).GVK.GroupKind() == gk })
}

// definedKind is the kind that a definition is of.
func definedKind(u *unstructured.Unstructured) schema.GroupKind {
	group, _, _ := unstructured.NestedString(u.Object, "spec", "group")
	kind, _, _ := unstructured.NestedString(u.Object, "spec", "names", "kind")
	return schema.GroupKind{Group: group, Kind: kind}
}

// keepAround keeps the namespaces and the definitions of what is kept: it would
// be deleted with them.
func keepAround(gone []*Removed) {
	for _, x := range gone {
		if x.Keep == "" {
			continue
		}
		id := object.Of(x.Live)
		for _, y := range gone {
			in := object.Of(y.Live)
			switch {
			case y.Keep != "":
			case in.IsNamespace() && in.Name == id.Namespace:
				y.Keep = fmt.Sprintf("it holds %s, which is kept", id)
			case in.IsCRD() && definedKind(y.Live) == id.GroupKind():
				y.Keep = fmt.Sprintf("it defines the kind of %s, which is kept", id)
			}
		}
	}
}

// destroyGroup lets the inventory go when everything in it has gone, except for the
// namespace that it is in.
func (r *reader) destroyGroup(gone []*Removed) {
	last := 1
	home := func(x *Removed) bool { return x.Keep == "" && isNamespace(x.Live, r.Scope.Inventory.Namespace) }
	for _, x := range gone {
		if !home(x) {
			last = max(last, x.Stage+1)
		}
	}
	for _, x := range gone {
		if home(x) {
			x.Stage = last + 1
		}
	}
	t := r.Set.Types.Kind(object.TypeName(object.GroupGVK()))
	for _, o := range r.state.Of[t] {
		o.Owner = Owner(r.Scope.Inventory.ID)
		r.state.removed[o] = &Removed{Kind: cluster.Kind{GroupVersionKind: object.GroupGVK()}, Stage: last}
	}
}

func isNamespace(u *unstructured.Unstructured, name string) bool {
	return object.Of(u) == object.ID{Kind: "Namespace", Name: name}
}

// namespaces are those that objects of the set, or the inventory, are in.
func (r *reader) namespaces() map[string]bool {
	out := map[string]bool{}
	if !r.Scope.Destroy {
		out[r.Scope.Inventory.Namespace] = true
	}
	for _, x := range r.declared {
		out[object.ItemOf(x).ID.Namespace] = true
	}
	return out
}

// stages lets objects go before what they depend on: by their annotations, by
// their namespaces, and by the definitions of their kinds.
func stages(gone []*Removed) {
	byID, definitions := map[object.ID]*Removed{}, map[schema.GroupKind]*Removed{}
	for _, x := range gone {
		id := object.Of(x.Live)
		byID[id] = x
		if id.IsCRD() {
			definitions[definedKind(x.Live)] = x
		}
	}
	users := map[*Removed][]*Removed{} // what must go before
	for _, x := range gone {
		id := object.Of(x.Live)
		needs := []*Removed{byID[object.ID{Kind: "Namespace", Name: id.Namespace}], definitions[id.GroupKind()]}
		if text := x.Live.GetAnnotations()[object.DependsOn]; text != "" {
			if ids, err := object.ParseDependsOn(text); err == nil {
				for _, on := range ids {
					needs = append(needs, byID[on])
				}
			}
		}
		for _, n := range needs {
			if n != nil && n != x {
				users[n] = append(users[n], x)
			}
		}
	}
	var stage func(x *Removed, path map[*Removed]bool) int
	stage = func(x *Removed, path map[*Removed]bool) int {
		if x.Stage > 0 || path[x] { // a circle of annotations is cut where it closes
			return x.Stage
		}
		path[x] = true
		at := 1
		for _, user := range users[x] {
			at = max(at, stage(user, path)+1)
		}
		delete(path, x)
		x.Stage = at
		return at
	}
	for _, x := range gone {
		stage(x, map[*Removed]bool{})
	}
}

var _ resource.State = (*State)(nil)
