package plan

import (
	"encoding/json"
	"slices"
)

// order checks that every change is carried out once, after all it depends on:
// what stands in no group would be checked by nobody.
func (v *Validation) order() {
	group := map[string]int{}
	var grouped []string
	for i, ids := range v.Plan.ExecutionGroups {
		for _, id := range ids {
			group[id] = i
		}
		grouped = append(grouped, ids...)
	}
	if !slices.Equal(grouped, v.Plan.ExecutionOrder) {
		v.add("execution_order and execution_groups differ")
	}
	all := make([]string, 0, len(v.Plan.Changes))
	for _, c := range v.Plan.Changes {
		all = append(all, c.ID)
	}
	slices.Sort(all)
	slices.Sort(grouped)
	if !slices.Equal(all, grouped) {
		v.add("execution_groups does not hold every change once")
		return
	}
	for _, c := range v.Plan.Changes {
		for _, id := range c.DependsOn {
			if v.byID[id] == nil {
				v.Say(c, "depends on %s, which the plan does not have", id)
			} else if group[id] >= group[c.ID] {
				v.Say(c, "depends on %s, which is not in an earlier group", id)
			}
		}
	}
	v.dependencies()
}

// after reports whether a change waits for another, through any number of steps.
func (v *Validation) after(c *Change, id string) bool {
	seen := map[string]bool{}
	var visit func(*Change) bool
	visit = func(x *Change) bool {
		return slices.ContainsFunc(x.DependsOn, func(before string) bool {
			if before == id {
				return true
			}
			next := v.byID[before]
			if next == nil || seen[before] {
				return false
			}
			seen[before] = true
			return visit(next)
		})
	}
	return visit(c)
}

// sameJSON reports whether two values are written alike.
func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
