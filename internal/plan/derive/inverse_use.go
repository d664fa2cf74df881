package derive

import (
	"kongctl/internal/plan"
	"kongctl/internal/plan/build"
	"kongctl/internal/resource"
)

// remains lists what refers to a created resource and is neither deleted nor
// updated when the plan is undone.
func (v *Undoing) remains(tr plan.Trace) []resource.User {
	updated := map[string]bool{}
	for _, c := range v.Plan.Changes {
		if t := v.Types.Kind(c.ResourceType); t != nil && c.Action == plan.Update {
			updated[build.ObjectKey(t, v.Traces[c.ID].ID(), v.Traces[c.ID].Ancestors)] = true
		}
	}
	var out []resource.User
	for _, u := range tr.Users {
		if !plan.Within(v.goes, u.Part) && !updated[build.ObjectKey(u.Type, u.Object.ID, u.Ancestors)] {
			out = append(out, u)
		}
	}
	return out
}

// UsedElsewhere names what keeps the target from deleting a created resource; "" is
// nothing.
func (v *Undoing) UsedElsewhere(tr plan.Trace) string {
	for _, u := range v.remains(tr) {
		if u.Use.OnDelete == resource.Refuses {
			return plan.UserName(u) + plan.Owner(u)
		}
	}
	return ""
}

// Cascade lists what is deleted with a created resource because it refers to it.
func (v *Undoing) Cascade(back *plan.Change, tr plan.Trace) {
	for _, u := range v.remains(tr) {
		if u.Use.OnDelete == resource.Cascades {
			back.Cascade(u, u.Type.Name(u.Object), false)
		}
	}
}

// foreign refuses to undo a create when that would delete what others own: there
// is no permission for that.
func (v *Undoing) foreign() map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for _, c := range v.b.Plan.Changes {
		if would, protected, others := c.CascadeText(v.Plan.Metadata.SyncScope.Namespaces); protected || others {
			out[c] = would + " Others own that. Remove it first and create this plan again, or leave this plan and delete the resource with kongctl delete."
		}
	}
	return out
}
