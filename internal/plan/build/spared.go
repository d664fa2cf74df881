package build

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// tellSpared names the children that a sync leaves though nothing declares them and
// their list is written: those of externals, whose list says which are wanted, and
// those of parents that a list at the root does not name. Of roots that carry no mark
// it says that an empty list deletes none.
func tellSpared(b *Draft) {
	if b.Prune == resource.PruneNone {
		return
	}
	for _, t := range b.Types.All() {
		tellUnmarked(b, t)
	}
	said := map[string]bool{}
	for _, r := range b.Set.Resources {
		o := b.object(r)
		if o == nil || b.selection.LeftOut(r) {
			continue
		}
		ancestors := append(b.KnownAncestors(r), o.ID)
		for _, t := range r.Type.Children {
			key := ObjectKey(t, "", ancestors)
			if t.ReadOnly || t.Fixed || said[key] {
				continue
			}
			advice := ""
			switch {
			case resource.Spares(t, r, b.Prune):
				advice = "sync deletes nothing below an external resource. To remove %[1]s, run kongctl delete -f with a file that declares %[1]s, or use Konnect."
			case resource.Overlooks(t, r, b.Set, b.Prune):
				advice = fmt.Sprintf("%s lists none for this %s. Write %s: [] below it to delete %%[1]s, or declare %%[1]s.", t.Root, r.Type.Words, t.Key)
				if t.Single {
					advice = strings.Replace(advice, "[] below", "{} below", 1)
				}
			default:
				continue
			}
			said[key] = true
			tellUndeclared(b, r, t, ancestors, advice)
		}
	}
}

// tellUnmarked says of an empty list at the root that it deletes nothing, where nothing
// shows who manages resources of the type. Where their list was read and is empty, there
// is nothing to say.
func tellUnmarked(b *Draft, t *resource.Type) {
	if t.Parent != nil || t.Owned || t.ReadOnly || t.Fixed || t.Single || !b.Set.MentionsType(t.Kind) || len(b.Set.Of(t)) > 0 {
		return
	}
	if objects, read := b.Snapshot.Undeclared(t, nil); read && len(objects) == 0 {
		return
	}
	b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{ResourceType: t.Kind, Message: fmt.Sprintf(
		"%s: [] deletes nothing: sync never deletes resources of this type, because they carry no mark of ownership. To remove one, run kongctl delete -f with a file that declares it, or use Konnect.", t.Root)})
}

// tellUndeclared names the children of a type that a resource has and nothing
// declares. The advice has a place for them.
func tellUndeclared(b *Draft, r *resource.Resource, t *resource.Type, ancestors []string, advice string) {
	objects, _ := b.Snapshot.Undeclared(t, ancestors)
	var names []string
	for _, o := range byName(t, objects) {
		if !o.System && o.Lacks == "" && !b.selection.Omits(t, o, r) && b.selection.Maybe(t, o, r) == nil {
			names = append(names, fmt.Sprintf("%q", liveRef(b, t, o, ancestors)))
		}
	}
	if len(names) == 0 {
		return
	}
	verb, them := areStaying(len(names))
	tell(b, r, []string{fmt.Sprintf("%s %s %s: %s", t.Words, plan.Few(names), verb, fmt.Sprintf(advice, them))})
}

// tellLasting says of a resource that a delete cannot remove that it stays. What is
// external, not there or written by nobody, nobody expects to be deleted.
func tellLasting(b *Draft, r *resource.Resource) {
	o := b.Snapshot.Object(r)
	if o == nil || r.External != nil || r.Type.ReadOnly || r.Implied {
		return
	}
	why := "Konnect always has this resource, and can only change it"
	switch {
	case o.System:
		why = "Konnect made this resource by itself"
	case r.Parent != nil:
		why = fmt.Sprintf("this resource exists as long as its %s does", r.Parent.Type.Words)
	}
	b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{Message: fmt.Sprintf("cannot delete the %s: %s", r.Describe(), why)})
}
