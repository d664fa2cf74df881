package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// checkUnique reports values that no two resources of the organization may share
// and that another one has. A value that this plan frees is taken after that.
func checkUnique(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	for _, t := range b.Types.All() {
		for _, f := range t.Unique {
			uniqueField(b, t, value.ParsePath(f))
		}
	}
}

func uniqueField(b *Draft, t *resource.Type, p value.Path) {
	takers := map[string]*resource.Resource{} // by the value that they get
	for _, r := range b.Set.Of(t) {
		text, ok := takes(b, r, p)
		if !ok {
			continue
		}
		key := t.UniqueText(p, text)
		if other := takers[key]; other != nil {
			if generated(b, r, p) == "" && generated(b, other, p) != "" {
				r, other = other, r // the one that has none of its own
			}
			taken(b, r, p, "the "+other.Describe(), text)
			continue
		}
		takers[key] = r
	}
	if len(takers) == 0 {
		return
	}
	declared := ownObjects(b, t)
	for _, x := range b.objects.of(t) {
		v, _ := value.Get(x.Object.Fields, p)
		text, _ := v.(string)
		taker := takers[t.UniqueText(p, text)]
		holder := declared[ObjectKey(t, x.Object.ID, x.Ancestors)]
		if taker == nil || taker == holder || sameButOwner(b, taker, x) {
			continue
		}
		if freed := frees(b, x, holder, p); freed != nil {
			if generated(b, taker, p) == "" {
				b.Need(b.changes[taker], freed)
			}
			continue
		}
		taken(b, taker, p, "the "+holderName(b, x, holder), text)
	}
}

// sameIdentity reports whether a live resource is the declared one in all but
// its owner, which is reported by itself.
func sameButOwner(b *Draft, r *resource.Resource, x resource.Part) bool {
	if len(r.Type.Identity) == 0 || r.Parent != nil {
		return false
	}
	want, plain := map[string]any{}, b.resolve(r).Plain
	for _, f := range r.Type.Identity {
		want[f], _ = value.Get(plain, value.ParsePath(f))
	}
	if p := value.ParsePath(r.Type.Variant); len(p) > 0 {
		want[r.Type.Variant], _ = value.Get(plain, p)
	}
	return resource.SameIdentity(r.Type, want, x.Object)
}

// takes is the value that a change of this plan gives a field.
func takes(b *Draft, r *resource.Resource, p value.Path) (string, bool) {
	c := b.changes[r]
	if c == nil {
		return "", false
	}
	if text := generated(b, r, p); text != "" {
		return text, true
	}
	text, ok := expected(b, r, p).(string)
	if !ok || text == "" {
		return "", false
	}
	if c.Action == plan.Update {
		_, changes := c.ChangedFields[p.String()]
		return text, changes
	}
	return text, true
}

// frees is the change after which a live resource does not have its value any
// more; nil when it keeps it.
func frees(b *Draft, x resource.Part, holder *resource.Resource, p value.Path) *plan.Change {
	t, id, above := x.Type, x.Object.ID, x.Ancestors
	for {
		if d := b.Deletes[ObjectKey(t, id, above)]; d != nil {
			return d
		}
		if t.Parent == nil || len(above) == 0 {
			break
		}
		t, id, above = t.Parent, above[len(above)-1], above[:len(above)-1]
	}
	c := b.changes[holder]
	if holder == nil || c == nil || c.Action != plan.Update {
		return nil
	}
	if _, changes := c.ChangedFields[p.String()]; !changes {
		return nil
	}
	return c
}

func holderName(b *Draft, x resource.Part, holder *resource.Resource) string {
	if holder != nil {
		return holder.Describe()
	}
	name := x.Type.Words
	if x.Type.Parent == nil {
		return x.Type.Describe(x.Object)
	}
	parent := x.Ancestors[len(x.Ancestors)-1]
	for _, o := range b.objects.withID(x.Type.Parent, parent) {
		return fmt.Sprintf("%s of %q", name, x.Type.Parent.Name(o.Object))
	}
	return fmt.Sprintf("%s of %s", name, parent)
}

// free is a value like the given one that no resource has or gets and that was
// not suggested yet.
func free(b *Draft, t *resource.Type, p value.Path, text string) string {
	used := map[string]bool{}
	for _, r := range b.Set.Of(t) {
		if v, _ := expected(b, r, p).(string); v != "" {
			used[t.UniqueText(p, v)] = true
		}
		if v := generated(b, r, p); v != "" {
			used[t.UniqueText(p, v)] = true
		}
	}
	for _, x := range b.objects.of(t) {
		if v, _ := value.Get(x.Object.Fields, p); v != nil {
			used[t.UniqueText(p, fmt.Sprint(v))] = true
		}
	}
	for n := 2; ; n++ {
		out := fmt.Sprintf("%s-%d", text, n)
		key := t.Kind + " " + p.String() + " " + t.UniqueText(p, out)
		if !used[t.UniqueText(p, out)] && !b.suggested[key] {
			if b.suggested == nil {
				b.suggested = map[string]bool{}
			}
			b.suggested[key] = true
			return out
		}
	}
}

func taken(b *Draft, r *resource.Resource, p value.Path, who, text string) {
	shown := fmt.Sprintf("%q", text)
	for _, e := range b.resolve(r).Env {
		if p.HasPrefix(value.ParsePath(e.Field)) {
			shown = "the value of $" + fmt.Sprint(e.Expression["env"])
		}
	}
	if generated(b, r, p) == "" {
		b.diags.Add(diag.LiveTaken, r.Fields.Nearest(p), fmt.Sprintf("The field %s of the %s must be unique, and %s has %s, too.", p, r.Describe(), who, shown), "write another value, or free this one first.")
		return
	}
	fix := fmt.Sprintf("give it a value of its own, such as %s: %s, or free this one first.", p, free(b, r.Type, p, text))
	if len(b.resolve(r).Env) > 0 {
		shown, fix = "a value of variables", fmt.Sprintf("give it a %s of its own, or free this one first.", p)
	}
	b.diags.Add(diag.LiveTaken, r.Pos, fmt.Sprintf("The %s leaves out the field %s, which must be unique. It would become %s, and %s has that, too.", r.Describe(), p, shown, who), fix)
}

// sameName are the ids of the objects with the identity of a resource that is created, of a
// type of which several may share one.
func sameName(b *Draft, r *resource.Resource) []string {
	want, known := resource.SharedIdentity(b.Snapshot, b.Links, r)
	if r.Type.Variant == "" || !known {
		return nil
	}
	var out []string
	for _, o := range b.objects.same(r.Type, want) {
		out = append(out, o.ID)
	}
	slices.Sort(out)
	return out
}
