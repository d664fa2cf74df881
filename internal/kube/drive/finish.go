package drive

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/ready"
	"github.com/kongctl/kongctl/internal/plan"
)

// finish writes the final inventory.
func (k keeper) finish(ctx context.Context, r *execute.Report) error {
	results := make(map[string]*execute.Result, len(r.Results))
	for _, res := range r.Results {
		results[res.ChangeID] = res
	}
	for _, it := range k.order {
		if it.does == record && results[it.call.Change.ID].Status != execute.Succeeded {
			return nil // nothing else was tried
		}
	}
	group, err := k.current(ctx, results)
	if err != nil || group == nil {
		return err
	}
	f := &final{site: k.site, results: results, drop: map[object.ID]bool{}, state: map[object.ID]inventory.Entry{}}
	for _, it := range k.order {
		f.end(it)
	}
	if err := f.doubted(ctx, group); err != nil {
		return err
	}
	f.settle(group)
	if len(group.Entries) == 0 && group.UID == "" {
		return nil
	}
	if err := inventory.Save(ctx, k.cluster, group, k.saving()); err != nil {
		return fmt.Errorf("save the inventory: %w", err)
	}
	k.note(func() { k.group = group })
	if k.scope.Options.NoStatus {
		return nil
	}
	if err := inventory.SaveStatus(ctx, k.cluster, group); err != nil {
		return fmt.Errorf("save the status of the inventory: %w", err)
	}
	return nil
}

// current is the inventory as it is; nil where there must not be one any more.
// One that somebody deleted meanwhile is written again, so that what exists is
// recorded.
func (k keeper) current(ctx context.Context, results map[string]*execute.Result) (*inventory.Inventory, error) {
	if k.group != nil {
		return k.group, nil
	}
	group, err := k.load(ctx)
	if err != nil || group != nil {
		return group, err
	}
	group = k.newGroup()
	for _, it := range k.order {
		switch {
		case it.does == forget && results[it.call.Change.ID].Status == execute.Succeeded:
			return nil, nil
		case it.does == record:
			add(group, listed(it.call.Fields))
		case it.does == remove:
			add(group, []object.ID{it.id})
		}
	}
	if k.Warn != nil {
		k.Warn(fmt.Sprintf("the inventory %s was deleted during the run and is written again; run `kongctl live inventory rebuild` to find all its objects", group))
	}
	return group, nil
}

// final is an inventory that is being completed.
type final struct {
	*site
	results map[string]*execute.Result
	// drop are the objects that leave the inventory, doubt those that leave it if
	// they do not exist, and add those that belong to it.
	drop  map[object.ID]bool
	doubt []object.ID
	add   []object.ID
	state map[object.ID]inventory.Entry
}

// end takes down how a change ended.
func (f *final) end(it *item) {
	res := f.results[it.call.Change.ID]
	switch {
	case it.does == record || it.does == forget:
	case it.does == apply:
		f.applied(it, res)
	case res.Status == execute.Succeeded:
		f.drop[it.id] = true
	case it.does == remove:
		f.state[it.id] = f.entry(it, inventory.StrategyDelete, res)
	}
}

func (f *final) applied(it *item, res *execute.Result) {
	f.state[it.id] = f.entry(it, inventory.StrategyApply, res)
	fresh := it.call.Change.Action == plan.Create && !it.call.Change.Replace
	switch {
	case res.Status == execute.Succeeded, f.isSent(it), res.Unknown:
		f.add = append(f.add, it.id)
	case fresh && res.Status == execute.Skipped && it.call.Before == nil:
		f.drop[it.id] = true // nobody tried to make it
	case it.call.Change.Action == plan.Create:
		f.doubt = append(f.doubt, it.id)
	}
}

// entry is what became of an object, in the words of kpt.
func (f *final) entry(it *item, strategy string, res *execute.Result) inventory.Entry {
	out := inventory.Entry{ID: it.id, Strategy: strategy, Actuation: inventory.Succeeded, Reconcile: inventory.Succeeded, Status: inventory.Unknown}
	switch {
	case res.Status == execute.Succeeded && strategy == inventory.StrategyApply:
		out.Status = ready.Current
	case res.Status == execute.Succeeded:
	case res.Status == execute.Skipped:
		out.Actuation, out.Reconcile = inventory.Skipped, inventory.Skipped
	case !f.isSent(it):
		out.Actuation, out.Reconcile = inventory.Failed, inventory.Skipped
	case f.isLate(it):
		out.Reconcile = inventory.Timeout
	default:
		out.Reconcile = inventory.Failed
	}
	return out
}

// doubted looks at the objects of which it is not known whether they still belong
// to the inventory. After an unclear answer they do.
func (f *final) doubted(ctx context.Context, group *inventory.Inventory) error {
	stale := f.stale(group)
	twins := twins(stale, group)
	found, err := f.look(ctx, slices.Concat(f.doubt, stale, slices.Collect(maps.Values(twins))), group.ID)
	if ctx.Err() != nil {
		return err
	}
	for _, id := range f.doubt {
		f.drop[id] = found[id].presence == gone
	}
	for _, id := range stale {
		is := found[id]
		twin, has := twins[id]
		f.drop[id] = is.presence == gone || is.presence == foreign || has && is.uid != "" && is.uid == found[twin].uid
	}
	return nil
}

// twins finds for objects those of the inventory that have the same kind and name
// in another API group: they may be one object.
func twins(ids []object.ID, group *inventory.Inventory) map[object.ID]object.ID {
	out := map[object.ID]object.ID{}
	for _, id := range ids {
		for _, e := range group.Entries {
			if e.Group != id.Group && e.Kind == id.Kind && e.Namespace == id.Namespace && e.Name == id.Name {
				out[id] = e.ID
			}
		}
	}
	return out
}

// stale are the objects that were in the inventory when the plan was made, and
// that it does not mention: they did not exist, or belonged to others. Where all
// is destroyed, no object may be left that the plan does not mention.
func (f *final) stale(group *inventory.Inventory) []object.ID {
	mentioned := map[object.ID]bool{}
	before := map[object.ID]bool{}
	for _, it := range f.order {
		mentioned[it.id] = true
		if it.does != record {
			continue
		}
		for _, id := range listed(it.call.Fields) {
			mentioned[id] = true
		}
		for _, id := range listed(it.call.Change.CurrentState) {
			before[id] = true
		}
	}
	var out []object.ID
	for _, e := range group.Entries {
		if !mentioned[e.ID] && (before[e.ID] || f.scope.Destroy) {
			out = append(out, e.ID)
		}
	}
	return out
}

// settle makes the entries of an inventory what they are after the run.
func (f *final) settle(group *inventory.Inventory) {
	add(group, f.add)
	group.Entries = slices.DeleteFunc(group.Entries, func(e inventory.Entry) bool { return f.drop[e.ID] })
	for i, e := range group.Entries {
		if s, ok := f.state[e.ID]; ok {
			group.Entries[i] = s
		}
	}
}
