package derive

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// replaces refuses to replace once more what is replaced only with a permission:
// everything that belongs to it now is deleted.
func replaces(v *Undoing) map[*plan.Change]string {
	all := permitted(v.Types, v.Plan)
	out := map[*plan.Change]string{}
	for _, c := range v.b.Plan.Changes {
		t := v.Types.Kind(c.ResourceType)
		if c.Action != plan.Delete || !c.Replace || !build.NeedsPermission(t) || build.Permits(v.Types, v.AllowReplace, t.Kind, c.ResourceRef) {
			continue
		}
		out[c] = fmt.Sprintf("Undoing its replacement replaces it again, and deletes everything that belongs to it. Allow it with --allow-replace %s.",
			build.Named(all, t.Kind, c.ResourceRef))
	}
	return out
}

// bind lets both halves of a replace be made or neither, and what belongs to a
// replaced resource be deleted only with it.
func bind(v *Undoing) {
	replaced := map[string]*plan.Change{}
	for _, c := range v.Plan.Changes {
		first, former := v.undone[c.ID], formerOf(v, c)
		if former == nil || first == nil || first.Action != plan.Delete {
			continue
		}
		replaced[first.ResourceID] = first
		if then := v.undone[former.ID]; then != nil && then.Action == plan.Create {
			v.b.Together(first, then)
		}
	}
	for _, x := range v.b.Plan.Changes {
		if x.Action != plan.Delete {
			continue
		}
		for _, id := range plan.AncestorsOf(x) {
			if first := replaced[id]; first != nil {
				v.b.Together(x, first)
			}
		}
	}
}

// permitted are the types of the resources that undoing a plan replaces only with a
// permission, by ref.
func permitted(types *resource.Types, p *plan.Plan) map[string][]string {
	out := map[string][]string{}
	for _, c := range p.Changes {
		if t := types.Kind(c.ResourceType); t != nil && c.Replace && build.NeedsPermission(t) && !slices.Contains(out[c.ResourceRef], t.Kind) {
			out[c.ResourceRef] = append(out[c.ResourceRef], t.Kind)
		}
	}
	return out
}

// replacedIn are the types of all resources that a plan replaces, by ref.
func replacedIn(p *plan.Plan) map[string][]string {
	out := map[string][]string{}
	for _, c := range p.Changes {
		if c.Replace && !slices.Contains(out[c.ResourceRef], c.ResourceType) {
			out[c.ResourceRef] = append(out[c.ResourceRef], c.ResourceType)
		}
	}
	return out
}

// CheckAllowed reports permissions that fit nothing that the plan to undo replaces, and
// those that fit several of the resources that need one.
func CheckAllowed(types *resource.Types, p *plan.Plan, names []string) diag.List {
	var out diag.List
	all, need := replacedIn(p), permitted(types, p)
	for _, name := range names {
		fits := fitting(types, name, need)
		if fits == 1 || fits == 0 && fitting(types, name, all) > 0 {
			continue
		}
		detail, fix := "The plan to undo replaces no resource of this name.", "leave the flag out."
		if near := slices.Sorted(maps.Keys(all)); fits > 1 {
			detail, fix = "Several resources have this ref.", "name the type, too: TYPE:"+name+"."
		} else if len(near) > 0 {
			fix = "name one that it replaces: " + plan.Few(near) + "."
		}
		out.Add(diag.AllowNothing, value.Pos{}, fmt.Sprintf("--allow-replace %s: %s", name, detail), fix)
	}
	return out
}

// fitting counts the resources that a permission names.
func fitting(types *resource.Types, name string, all map[string][]string) int {
	n := 0
	for ref, kinds := range all {
		for _, kind := range kinds {
			if build.Permits(types, []string{name}, kind, ref) {
				n++
			}
		}
	}
	return n
}
