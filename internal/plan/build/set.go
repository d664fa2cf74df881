package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// sharesSet reports whether a resource is a set below what belongs to others: they may
// have items of their own in it, which stay.
func sharesSet(r *resource.Resource) bool {
	return r.Type.SetField != "" && !r.Type.ReadOnly && r.External == nil && r.OfOthers()
}

// keepItems adds to a declared set what others have in it.
func keepItems(b *Draft, r *resource.Resource, d *Desired) {
	if items := othersItems(b, r, *d); len(items) > 0 {
		d.Plain[r.Type.SetField] = slices.Concat(resource.SetItems(r.Type, d.Plain), items)
	}
}

// othersItems are the items of a set that are there and not declared, where others own
// what it belongs to.
func othersItems(b *Draft, r *resource.Resource, declared Desired) []any {
	o := b.object(r)
	if !sharesSet(r) || o == nil {
		return nil
	}
	again := map[string]bool{} // what has the id now is declared, and created again
	for _, link := range declared.Links {
		if live := b.Snapshot.Object(link.Target); live != nil && link.Path[0] == r.Type.SetField && link.Field == "id" {
			again[live.ID] = true
		}
	}
	out, _ := value.Clone(resource.ItemsBut(r.Type, resource.SetItems(r.Type, o.Fields), resource.SetItems(r.Type, declared.Plain))).([]any)
	return slices.DeleteFunc(out, func(x any) bool { return again[resource.ItemKey(r.Type, x)] })
}

// tellItems names the items of sets that others put there and that stay.
func tellItems(b *Draft) {
	for _, r := range b.Set.Resources {
		if !plannable(b, r) || !sharesSet(r) {
			continue
		}
		items := othersItems(b, r, b.declared(r))
		if c := b.changes[r]; c != nil { // some may go, because what they refer to does
			items = resource.ItemsBut(r.Type, items, resource.ItemsBut(r.Type, items, resource.SetItems(r.Type, c.Fields)))
		}
		if len(items) > 0 {
			verb, them := areStaying(len(items))
			tell(b, r, []string{fmt.Sprintf("%s in %s %s: nothing is removed from a list below an external resource. To remove %s, use Konnect.", itemNames(b, r.Type, items), r.Type.SetField, verb, them)})
		}
	}
}

func areStaying(n int) (verb, them string) {
	if n == 1 {
		return "is not declared and stays", "it"
	}
	return "are not declared and stay", "them"
}

// itemNames are what people call the items of a set.
func itemNames(b *Draft, t *resource.Type, items []any) string {
	ref, at, refers := resource.ItemReference(t)
	var out []string
	for _, x := range items {
		name := fmt.Sprint(x)
		if refers {
			name = called(b, ref.Kind, strings.Join(value.TextsAt(x, at), " "))
		}
		out = append(out, fmt.Sprintf("%q", name))
	}
	return plan.Few(out)
}

// holdsItems says why a set is not deleted: others have items in it. "" where it may be.
func holdsItems(b *Draft, r *resource.Resource) string {
	items := othersItems(b, r, b.declared(r))
	if len(items) == 0 {
		return ""
	}
	verb, _ := areStaying(len(items))
	return fmt.Sprintf("%s in %s %s. Declare all that it has to delete it, or use Konnect.", itemNames(b, r.Type, items), r.Type.SetField, verb)
}

// isExternal reports whether others own the root that a user belongs to: nothing is taken
// out of a list there.
func isExternal(b *Draft, u resource.User) bool {
	if u.Root == nil || !slices.Contains(b.Set.Namespaces, u.Namespace()) {
		return true
	}
	return slices.ContainsFunc(b.Set.Of(u.Type.Top()), func(r *resource.Resource) bool {
		o := b.Snapshot.Object(r)
		return r.External != nil && o != nil && o.ID == u.Root.ID
	})
}
