package plan

import (
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/live"
)

// remains lists what refers to a created resource and is neither deleted nor
// updated when the plan is undone.
func (v *inverter) remains(tr Trace) []live.User {
	updated := map[string]bool{}
	for _, c := range v.Plan.Changes {
		if t := v.Catalog.Kind(c.ResourceType); t != nil && c.Action == Update {
			updated[objectKey(t, v.Traces[c.ID].id(), v.Traces[c.ID].Ancestors)] = true
		}
	}
	var out []live.User
	for _, u := range tr.Users {
		if !within(v.goes, u.Part) && !updated[objectKey(u.Type, u.Object.ID, u.Ancestors)] {
			out = append(out, u)
		}
	}
	return out
}

func (t Trace) id() string {
	if t.Object == nil {
		return ""
	}
	return t.Object.ID
}

// usedElsewhere names what keeps Konnect from deleting a created resource; "" is
// nothing.
func (v *inverter) usedElsewhere(tr Trace) string {
	for _, u := range v.remains(tr) {
		if u.Use.OnDelete == catalog.Refuses {
			return userName(u) + owner(u)
		}
	}
	return ""
}

// cascade lists what is deleted with a created resource because it refers to it.
func (v *inverter) cascade(back *Change, tr Trace) {
	for _, u := range v.remains(tr) {
		if u.Use.OnDelete == catalog.Cascades {
			back.cascade(u, objectName(u.Type, u.Object), false)
		}
	}
}

// foreign refuses to undo a create when that would delete what others own: there
// is no permission for that.
func (v *inverter) foreign() map[*Change]string {
	out := map[*Change]string{}
	for _, c := range v.b.plan.Changes {
		if would, protected, others := c.cascades(v.Plan.Metadata.SyncScope.Namespaces); protected || others {
			out[c] = would + " Others own that. Remove it first and create this plan again, or leave this plan and delete the resource with kongctl delete."
		}
	}
	return out
}
