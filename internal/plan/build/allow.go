package build

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// permission splits a name of the form [type:]ref; without a type, kind is "".
func permission(types *resource.Types, name string) (kind, ref string) {
	if k, r, ok := strings.Cut(name, ":"); ok && types.Kind(k) != nil {
		return k, r
	}
	return "", name
}

// Permits reports whether one of the names of a flag means a resource.
func Permits(types *resource.Types, names []string, kind, ref string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		k, r := permission(types, name)
		return r == ref && (k == "" || k == kind)
	})
}

// Named is how to name one of several resources: by its ref, with its type where
// others have that ref, too.
func Named(all map[string][]string, kind, ref string) string {
	if len(all[ref]) > 1 {
		return kind + ":" + ref
	}
	return ref
}

// checkAllowed reports permissions that fit nothing: a mistyped one would be
// missed only when it is needed.
func checkAllowed(b *Draft) {
	var kinds []string
	for _, t := range b.Types.All() {
		if t.Parent == nil && !t.ReadOnly && !t.Attached && !slices.Contains(kinds, t.EmptyName()) {
			kinds = append(kinds, t.EmptyName())
		}
	}
	for _, kind := range b.AllowEmpty {
		if kind == "*" || isAttached(b, kind) || slices.Contains(kinds, kind) {
			continue
		}
		detail := "There is no type " + kind + "."
		if b.Types.Kind(kind) != nil {
			detail = fmt.Sprintf("Deleting the last %s needs no permission; only types at the root of a configuration do.", resource.Words(kind))
		}
		misplaced(b, "--allow-empty", kind, detail, kinds, "use one of "+strings.Join(kinds, ", ")+".")
	}
	all := map[string][]string{}
	for _, r := range b.Set.Resources {
		note(all, r.Type.Kind, r.Ref)
	}
	checkNames(b, "--allow-replace", b.AllowReplace, all, replaceable(b), "No declared %s has the ref %q.", "name a declared resource by its ref.")
}

// replaceable are the types of the declared resources that are replaced only
// with a permission, by ref.
func replaceable(b *Draft) map[string][]string {
	out := map[string][]string{}
	for _, r := range b.Set.Resources {
		if r.External == nil && NeedsPermission(r.Type) {
			note(out, r.Type.Kind, r.Ref)
		}
	}
	return out
}

// NeedsPermission reports whether a resource of a type is replaced only when its ref
// is allowed.
func NeedsPermission(t *resource.Type) bool { return t.Parent == nil || len(t.Children) > 0 }

func note(all map[string][]string, kind, ref string) {
	if !slices.Contains(all[ref], kind) {
		all[ref] = append(all[ref], kind)
	}
}

// checkNames reports names that fit none of all resources, and those that fit
// several of the ones that need the permission.
func checkNames(b *Draft, flag string, names []string, all, need map[string][]string, detail, fix string) {
	for _, name := range names {
		kind, ref := permission(b.Types, name)
		kinds := need[ref]
		switch {
		case len(all[ref]) == 0 || kind != "" && !slices.Contains(all[ref], kind):
			what := "resource"
			if kind != "" {
				what = resource.Words(kind)
			}
			misplaced(b, flag, name, fmt.Sprintf(detail, what, ref), slices.Sorted(maps.Keys(all)), fix)
		case kind == "" && len(kinds) > 1:
			var options []string
			for _, k := range kinds {
				options = append(options, k+":"+ref)
			}
			b.diags.Add(diag.AllowNothing, value.Pos{}, fmt.Sprintf("%s %s: Several resources have this ref.", flag, name),
				fmt.Sprintf("name the type, too: %s.", diag.Join(options, "or")))
		}
	}
}

func misplaced(b *Draft, flag, name, detail string, known []string, fix string) {
	if near := diag.Nearest(name, known); near != "" {
		fix = fmt.Sprintf("did you mean %s?", near)
	}
	b.diags.Add(diag.AllowNothing, value.Pos{}, fmt.Sprintf("%s %s: %s", flag, name, detail), fix)
}

// checkCascades reports permissions to delete what others own that fit neither
// a declared resource nor one that the plan deletes: an error where one with
// nearly that ref is there, else a warning, because what the permission was given
// for may be gone. Where something could not be read, what is deleted is not known.
func checkCascades(b *Draft) {
	all := map[string][]string{}
	for _, r := range b.Set.Resources {
		note(all, r.Type.Kind, r.Ref)
	}
	for _, c := range b.Deletes {
		note(all, c.ResourceType, c.ResourceRef)
	}
	if len(failures(b)) > 0 {
		return // what is deleted is not known
	}
	names := slices.DeleteFunc(slices.Clone(b.AllowCascade), func(name string) bool {
		_, ref := permission(b.Types, name)
		if len(all[ref]) > 0 || diag.Nearest(ref, slices.Sorted(maps.Keys(all))) != "" {
			return false
		}
		b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{Message: fmt.Sprintf("--allow-cascade %s has no effect: this plan deletes nothing with that ref", name)})
		return true
	})
	checkNames(b, "--allow-cascade", names, all, Cascading(b), "This plan deletes no %s with the ref %q.", "name a resource that the plan deletes, as the plan does.")
}

// Cascading are the types of the resources that the plan deletes and that others
// may refer to, by ref.
func Cascading(b *Draft) map[string][]string {
	out := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(b.Deletes)) {
		c := b.Deletes[key]
		t := b.Types.Kind(c.ResourceType)
		cascades := slices.ContainsFunc(b.Types.Uses(t.Kind), func(u resource.Use) bool { return u.OnDelete == resource.Cascades })
		if cascades || len(t.Children) > 0 {
			note(out, t.Kind, c.ResourceRef)
		}
	}
	return out
}

// isAttached reports whether a kind is that of what is attached to others.
func isAttached(b *Draft, kind string) bool {
	t := b.Types.Kind(kind)
	return t != nil && t.Attached
}
