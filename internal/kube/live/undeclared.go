package live

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// undeclared enters what the inventory lists and nothing declares.
func (r *reader) undeclared(context.Context) error {
	applied, used := r.uids(), r.namespaces()
	var gone, stays []*Removed
	for _, l := range r.others {
		switch {
		case l.live == nil, applied[l.live.GetUID()]:
			continue
		case l.id.IsNamespace() && used[l.id.Name], l.id.IsCRD() && r.uses(definedKind(l.live)):
			r.diags = append(r.diags, diag.Warn(diag.KubeInUse, value.Pos{},
				fmt.Sprintf("%s is not declared any more, and declared objects need it. It is not deleted.", l.id), "declare it again, or remove the objects that need it."))
			continue
		case !r.mayRemove(l.live):
			if r.owner(l.live) == foreign {
				stays = append(stays, &Removed{Live: l.live, Keep: "it belongs to another inventory"})
			} else {
				gone = append(gone, &Removed{Kind: l.kind, Live: l.live, Refused: fmt.Sprintf(
					"%s is listed in the inventory, and its annotation %s does not name it. Pass --inventory-policy adopt to delete the object all the same.", l.id, object.Owner)})
			}
			continue
		}
		gone = append(gone, &Removed{Kind: l.kind, Live: l.live, Keep: kept(l.live)})
	}
	keepAround(slices.Concat(gone, stays))
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
	if plan.Mode(r.Mode) == plan.ModeDelete {
		r.deletions(gone)
		return nil
	}
	r.warnNamespaces(gone)
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

// deletions says what becomes of declared objects in a plan that deletes them: what
// asks to be kept stays, and so does what belongs to others. The inventory stays
// while it lists more.
func (r *reader) deletions(others []*Removed) {
	if r.group != nil && len(others) > 0 {
		delete(r.state.Declared, r.group)
	}
	var gone []*Removed
	for _, x := range r.declared {
		f, o := r.found(x), r.state.Declared[x]
		if f.Live == nil || o == nil {
			continue
		}
		out := &Removed{Kind: f.Kind, Live: f.Live, Keep: kept(f.Live), Refused: f.Refused, Stage: 1}
		for _, other := range others {
			if id := object.Of(other.Live); object.ItemOf(x).ID.IsNamespace() && id.Namespace == f.Live.GetName() {
				out.Refused = fmt.Sprintf("%s is in it, which the inventory lists and the configuration does not declare. It would be deleted, too.", id)
			}
		}
		gone = append(gone, out)
		r.state.removed[o] = out
	}
	keepAround(gone)
	r.warnNamespaces(gone)
}

// warnNamespaces says of namespaces and definitions what goes with them.
func (r *reader) warnNamespaces(gone []*Removed) {
	for _, x := range gone {
		id := object.Of(x.Live)
		if id.IsCRD() && x.Keep == "" && x.Refused == "" {
			kind := definedKind(x.Live)
			r.diags = append(r.diags, diag.Warn(diag.KubeNamespace, value.Pos{},
				fmt.Sprintf("%s is deleted with all objects of its kind, whoever owns them.", id), fmt.Sprintf("look at them first: kubectl get %s.%s -A.", strings.ToLower(kind.Kind), kind.Group)))
		}
		if id.IsNamespace() && x.Keep == "" && x.Refused == "" {
			r.diags = append(r.diags, diag.Warn(diag.KubeNamespace, value.Pos{},
				fmt.Sprintf("%s is deleted with everything in it, whoever owns that.", id), fmt.Sprintf("look at what is in it first: kubectl get all,configmap,secret -n %s.", id.Name)))
		}
	}
}

// keepAround keeps what the kept objects need: their namespaces and the definitions
// of their kinds, with which they would be deleted, and what they depend on.
func keepAround(gone []*Removed) {
	for again := true; again; {
		again = false
		for _, x := range gone {
			for _, y := range gone {
				why := needed(x, y)
				switch {
				case why == "" || y.Keep != "" || y.Refused != "":
				case x.Keep != "":
					y.Keep, again = fmt.Sprintf(why, object.Of(x.Live)), true
				case x.Refused != "":
					y.Refused, again = fmt.Sprintf("Not deleted: "+why+".", object.Of(x.Live)), true
				}
			}
		}
	}
}

// needed says why an object needs another one, "" where it does not.
func needed(x, y *Removed) string {
	id, in := object.Of(x.Live), object.Of(y.Live)
	on, err := object.ParseDependsOn(x.Live.GetAnnotations()[object.DependsOn])
	switch {
	case in.IsNamespace() && in.Name == id.Namespace:
		return "it holds %s, which is kept"
	case in.IsCRD() && definedKind(y.Live) == id.GroupKind():
		return "it defines the kind of %s, which is kept"
	case err == nil && slices.Contains(on, in):
		return "%s, which is kept, depends on it"
	default:
		return ""
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
		group := &Removed{Kind: cluster.Kind{GroupVersionKind: object.GroupGVK()}, Stage: last}
		for _, x := range gone {
			if x.Refused != "" {
				group.Refused = fmt.Sprintf("It lists %s, which is not deleted.", object.Of(x.Live))
			}
		}
		r.state.removed[o] = group
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
