package drive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
)

// keeper keeps the inventory.
type keeper struct{ *site }

func (k keeper) saving() inventory.SaveOptions {
	return inventory.SaveOptions{Split: k.scope.Options.Split, Limit: inventory.Limit{Entries: k.scope.Options.Limit}}
}

// load reads the inventory, or nil.
func (k keeper) load(ctx context.Context) (*inventory.Inventory, error) {
	return inventory.Load(ctx, k.cluster, k.scope.Inventory.Namespace, k.scope.Inventory.Name)
}

// newGroup is an inventory that does not exist yet.
func (k keeper) newGroup() *inventory.Inventory {
	return &inventory.Inventory{Name: k.scope.Inventory.Name, Namespace: k.scope.Inventory.Namespace, ID: k.scope.Inventory.ID}
}

// listed are the objects that a record of the inventory lists.
func listed(fields map[string]any) []object.ID {
	spec, _ := fields["spec"].(map[string]any)
	list, _ := spec["resources"].([]any)
	out := make([]object.ID, 0, len(list))
	for _, x := range list {
		entry, _ := x.(map[string]any)
		text := func(key string) string {
			s, _ := entry[key].(string)
			return s
		}
		out = append(out, object.ID{Group: text("group"), Kind: text("kind"), Namespace: text("namespace"), Name: text("name")})
	}
	return out
}

// texts are the labels or annotations of an object that is plain data, but for
// the one that the inventory keeps itself.
func texts(fields map[string]any, key string) map[string]string {
	metadata, _ := fields["metadata"].(map[string]any)
	from, _ := metadata[key].(map[string]any)
	out := map[string]string{}
	for name, v := range from {
		if s, ok := v.(string); ok && name != object.InventoryID {
			out[name] = s
		}
	}
	return out
}

// tooLarge refuses an inventory that cannot be saved, before anything is written.
func (k keeper) tooLarge(it *item) error {
	group := k.newGroup()
	for _, id := range listed(it.call.Fields) {
		group.Entries = append(group.Entries, inventory.Entry{ID: id})
	}
	options := k.saving()
	// One that is split stays so: whether this one is, the first write finds out.
	options.Split = options.Split || it.call.Change.CurrentState != nil
	return group.Check(options)
}

// record writes the inventory: what it lists, and what the plan adds.
func (k keeper) record(ctx context.Context, it *item) (execute.Outcome, error) {
	if err := k.install(ctx); err != nil {
		return execute.Outcome{}, err
	}
	group, err := k.load(ctx)
	if err != nil {
		return execute.Outcome{}, err
	}
	if group == nil {
		group = k.newGroup()
	}
	if !k.expects(it, group.ID) {
		return execute.Outcome{}, &inventory.IDError{Namespace: group.Namespace, Name: group.Name, ID: k.scope.Inventory.ID, Other: group.ID}
	}
	group.ID = k.scope.Inventory.ID
	group.Labels, group.Annotations = texts(it.call.Fields, "labels"), texts(it.call.Fields, "annotations")
	add(group, listed(it.call.Fields))
	if err := inventory.Save(ctx, k.cluster, group, k.saving()); err != nil {
		return execute.Outcome{}, err
	}
	k.note(func() { k.group = group })
	return execute.Outcome{Object: &resource.Object{ID: string(group.UID), Fields: it.call.Fields}}, nil
}

// install makes the server know inventories. Whoever may not look at
// definitions can use what is there.
func (k keeper) install(ctx context.Context) error {
	var err error
	if !k.scope.Options.NoInstall {
		if _, err = inventory.InstallCRD(ctx, k.cluster, false); !resource.Denied(err) {
			return err
		}
	}
	_, unknown := k.cluster.Kind(ctx, inventory.Kind.GroupVersionKind)
	switch {
	case unknown == nil:
		return nil
	case err == nil && resource.Missing(unknown):
		return errors.New("the cluster does not know ResourceGroups; fix: run kongctl live install-resource-group")
	case err == nil:
		return unknown
	default:
		return err
	}
}

// expects reports whether the plan knows the id that an inventory has.
func (k keeper) expects(it *item, id string) bool {
	return id == k.scope.Inventory.ID || id == recordedID(it)
}

// recordedID is the id that the inventory had when the plan was made.
func recordedID(it *item) string {
	metadata, _ := it.call.Change.CurrentState["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	id, _ := labels[object.InventoryID].(string)
	return id
}

// add adds objects to an inventory.
func add(group *inventory.Inventory, ids []object.ID) {
	has := make(map[object.ID]bool, len(group.Entries))
	for _, e := range group.Entries {
		has[e.ID] = true
	}
	for _, id := range ids {
		if !has[id] {
			has[id] = true
			group.Entries = append(group.Entries, inventory.Entry{ID: id})
		}
	}
}

// verdict looks at the inventory. What others added to it is kept, so that
// it cannot be in the way, unless it is another one now.
func (k keeper) verdict(ctx context.Context, it *item) (*execute.Verdict, error) {
	group, err := k.load(ctx)
	if err != nil {
		return nil, err
	}
	if it.does == forget {
		if group == nil || string(group.UID) != it.call.Change.ResourceID {
			out := deleted(it, true)
			return &execute.Verdict{Done: &out}, nil
		}
		return nil, nil
	}
	switch {
	case group == nil:
		return nil, nil
	case !k.expects(it, group.ID):
		return &execute.Verdict{Moved: fmt.Sprintf("the inventory has the id %q now", group.ID)}, nil
	case group.ID == k.scope.Inventory.ID && lists(group, listed(it.call.Fields)) &&
		holds(group.Labels, texts(it.call.Fields, "labels")) && holds(group.Annotations, texts(it.call.Fields, "annotations")):
		return &execute.Verdict{Done: &execute.Outcome{Object: &resource.Object{ID: string(group.UID), Fields: it.call.Fields}}}, nil
	default:
		return nil, nil
	}
}

// lists reports whether an inventory lists all of some objects.
func lists(group *inventory.Inventory, ids []object.ID) bool {
	has := make(map[object.ID]bool, len(group.Entries))
	for _, e := range group.Entries {
		has[e.ID] = true
	}
	for _, id := range ids {
		if !has[id] {
			return false
		}
	}
	return true
}

func holds(all, some map[string]string) bool {
	for key, text := range some {
		if all[key] != text {
			return false
		}
	}
	return true
}

// leftError is an inventory that is not deleted, because it lists objects that
// exist.
type leftError struct {
	group string
	left  []object.ID
}

func (e *leftError) Error() string {
	const most = 10
	names := make([]string, 0, most)
	for _, id := range e.left[:min(len(e.left), most)] {
		names = append(names, id.String())
	}
	text := strings.Join(names, ", ")
	if more := len(e.left) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("delete inventory %s: not done, because it lists what still exists: %s", e.group, text)
}

// forget deletes the inventory when nothing that it lists exists any more. It
// does not delete one whose namespace goes next: that takes it along, and until
// then it lists the namespace.
func (k keeper) forget(ctx context.Context, it *item) (execute.Outcome, error) {
	group, err := k.load(ctx)
	if err != nil {
		return execute.Outcome{}, err
	}
	if group == nil || string(group.UID) != it.call.Change.ResourceID {
		return deleted(it, true), nil
	}
	home := k.home()
	left, err := k.left(ctx, group)
	if err != nil {
		return execute.Outcome{}, err
	}
	if home != nil {
		left = slices.DeleteFunc(left, func(id object.ID) bool { return id == home.id })
	}
	switch {
	case len(left) > 0:
		return execute.Outcome{}, &leftError{group: group.String(), left: left}
	case home != nil:
		group.Entries = []inventory.Entry{{ID: home.id}}
		return deleted(it, true), inventory.Save(ctx, k.cluster, group, k.saving())
	default:
		return deleted(it, true), inventory.Delete(ctx, k.cluster, group)
	}
}

// home is the change that deletes the namespace of the inventory and is still to
// come, or nil.
func (k keeper) home() *item {
	for _, it := range k.order {
		if it.does == remove && k.isHome(it.id) && it.call.Expected() && !it.call.Done() {
			return it
		}
	}
	return nil
}

// left lists the objects of an inventory that exist and that it owns.
func (k keeper) left(ctx context.Context, group *inventory.Inventory) ([]object.ID, error) {
	ended := map[object.ID]bool{}
	for _, it := range k.order {
		if (it.does == remove || it.does == detach) && it.call.Done() {
			ended[it.id] = true
		}
	}
	var ask []object.ID
	for _, e := range group.Entries {
		if !ended[e.ID] {
			ask = append(ask, e.ID)
		}
	}
	found, err := k.look(ctx, ask, group.ID)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ask, func(id object.ID) bool { return found[id].presence != ours }), nil
}
