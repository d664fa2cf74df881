package propose

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/value"
)

// inventory writes what a run may create and what exists already.
func (p Proposer) inventory(s build.Subject) build.Proposal {
	item := object.ItemOf(s.Resource)
	out := build.Proposal{Fields: s.Desired.Payload(s.Type), Call: call("PUT", item.ID)}
	out.Fields["spec"] = object.Listed(p.Read.Entries)
	if p.Read.Refused != "" {
		out.Refused, out.RefusedBy = p.Read.Refused, ByPolicy
	}
	inv := p.Read.Inventory
	if inv == nil || s.Live == nil {
		out.Action = plan.Create
		return out
	}
	var have []object.ID
	for _, e := range inv.Entries {
		have = append(have, e.ID)
	}
	slices.SortFunc(have, object.Compare)
	if !slices.Equal(have, p.Read.Entries) {
		out.Changes = append(out.Changes, plan.FieldChange{Field: "spec.resources", CurrentValue: count(len(have)), DesiredValue: count(len(p.Read.Entries)) + exchanged(have, p.Read.Entries)})
	}
	if inv.ID != p.Scope.Inventory.ID {
		out.Changes = append(out.Changes, plan.FieldChange{Field: value.Path{"metadata", "labels", object.InventoryID}.String(), CurrentValue: inv.ID, DesiredValue: p.Scope.Inventory.ID})
	}
	out.Changes = append(out.Changes, missing("labels", inv.Labels, p.Scope.Inventory.Labels)...)
	out.Changes = append(out.Changes, missing("annotations", inv.Annotations, p.Scope.Inventory.Annotations)...)
	out.Current, out.Expect = p.Record(s.Type, s.Live, nil)
	if len(out.Changes) > 0 {
		out.Action = plan.Update
	}
	return out
}

// missing are the labels or annotations of the local file that the cluster does not
// have.
func missing(field string, have, want map[string]string) []plan.FieldChange {
	var out []plan.FieldChange
	for _, k := range slices.Sorted(maps.Keys(want)) {
		now, ok := have[k]
		if ok && now == want[k] {
			continue
		}
		c := plan.FieldChange{Field: value.Path{"metadata", field, k}.String(), DesiredValue: want[k]}
		if ok {
			c.CurrentValue = now
		}
		out = append(out, c)
	}
	return out
}

// exchanged says how many entries come and go where their number stays.
func exchanged(have, want []object.ID) string {
	if len(have) != len(want) {
		return ""
	}
	n := 0
	for _, id := range want {
		if _, there := slices.BinarySearchFunc(have, id, object.Compare); !there {
			n++
		}
	}
	return fmt.Sprintf(", %d of them new", n)
}

func count(n int) string {
	if n == 1 {
		return "1 object"
	}
	return fmt.Sprintf("%d objects", n)
}
