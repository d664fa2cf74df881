package cli

import (
	"cmp"
	"strings"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/propose"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// liveSteps are what a plan does to objects.
func liveSteps(p *engine.Planned) view.Steps {
	var out view.Steps
	level := map[string]int{}
	for i, ids := range p.Plan.ExecutionGroups {
		for _, id := range ids {
			level[id] = i
		}
	}
	scope, _, err := object.ScopeOf(p.Plan.Metadata)
	destroy := err == nil && scope.Destroy
	for _, id := range p.Plan.ExecutionOrder {
		c := p.Plan.Change(id)
		if c == nil {
			continue
		}
		gvk, ok := object.ParseType(c.ResourceType)
		if !ok {
			continue
		}
		name, namespace := placeOf(c)
		step := view.Step{Change: id, Level: c.Stage*len(p.Plan.Changes) + level[id], Object: event.Object{Group: gvk.Group, Kind: gvk.Kind, Name: name, Namespace: namespace}}
		step.Unchecked = c.Unchecked
		switch {
		case gvk == object.GroupGVK() && step.Object.Name == scope.Inventory.Name && step.Object.Namespace == scope.Inventory.Namespace:
			step.Action = view.StepInventory
		case c.Action == plan.Delete && destroy:
			step.Action = view.StepDelete
		case c.Action == plan.Delete:
			step.Action = view.StepPrune
		case strings.HasSuffix(c.ExecutionContext.APIEndpoint, propose.Detach):
			if step.Action = view.StepPrune; destroy {
				step.Action = view.StepDelete
			}
			step.Kept = keptBecause(c)
		default:
			step.Action = view.StepApply
		}
		out.List = append(out.List, step)
	}
	if p.Compared > 0 {
		out.Declared = p.Compared - 1 // one of them is the inventory
	}
	return out
}

// refused names an object that could not be planned, for programs.
func refused(kind, ref string) map[string]any {
	gvk, _ := object.ParseType(kind)
	return map[string]any{"group": gvk.Group, "kind": gvk.Kind, "ref": ref}
}

// keptBecause is why an object is given up and not deleted.
func keptBecause(c *plan.Change) string {
	meta, _ := c.CurrentState["metadata"].(map[string]any)
	have, _ := meta["annotations"].(map[string]any)
	annotations := map[string]string{}
	for k, v := range have {
		annotations[k], _ = v.(string)
	}
	return cmp.Or(object.Kept(annotations), "what needs it is kept")
}

// placeOf is where the object is that a change is about.
func placeOf(c *plan.Change) (name, namespace string) {
	for _, fields := range []map[string]any{c.Fields, c.CurrentState} {
		if meta, ok := fields["metadata"].(map[string]any); ok {
			name, _ = meta["name"].(string)
			namespace, _ = meta["namespace"].(string)
			return name, namespace
		}
	}
	return c.ResourceName, ""
}
