package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// maxKept is how many bytes a plan keeps of what it deletes.
const maxKept = 32 << 20

// Keep reads what the plan deletes, also what goes with that, and keeps it in the
// plan, so that an inverse plan can restore it. Secrets are not kept, nor what
// others write. What is not kept is named in a warning.
func (w *Walk) Keep(ctx context.Context) error { return w.KeepUpTo(ctx, maxKept) }

// KeepUpTo is Keep with another limit, in bytes.
func (w *Walk) KeepUpTo(ctx context.Context, limit int) error {
	k := &keeping{w: w, places: w.Plan.Places(), left: limit, limit: limit, variables: build.Variables(w.input()), name: build.Names(w.input())}
	for _, c := range w.Plan.Changes {
		switch t := w.Set.Types.Kind(c.ResourceType); {
		case c.Action == plan.ExternalTool && c.PartDeletes() > 0:
			k.warn(c, []string{"what " + plan.Tool(c.ResourceType) + " deletes (" + c.PartsDeleted() + ")"})
		case c.Action == plan.Update && len(c.Cascades) > 0:
			var lost []string
			for _, x := range c.Cascades {
				lost = append(lost, x.String())
			}
			k.warn(c, lost)
		case c.Action == plan.Delete && t != nil:
			if _, undoes := w.registry.of(t.Kind).(Undoing); undoes {
				k.changes, k.groups = append(k.changes, c), append(k.groups, k.parts(c, t))
			}
		}
	}
	for _, target := range w.parts() {
		if err := k.read(ctx, target); err != nil {
			return err
		}
	}
	return nil
}

type keeping struct {
	w           *Walk
	left, limit int
	variables   func(resource.Part) []plan.Expression
	name        func(resource.Part) string
	changes     []*plan.Change
	groups      [][]resource.Part
	places      plan.Places
	objects     map[string]*resource.Object // that were read, by place; nil by kind
}

// parts lists what a delete loses, itself first.
func (k *keeping) parts(c *plan.Change, t *resource.Type) []resource.Part {
	w, above := k.w, plan.AncestorsOf(c)
	out := append([]resource.Part{{Type: t, Ancestors: above, Object: k.object(c, t)}}, k.below(c, t)...)
	for _, x := range c.Cascades {
		ct := w.Set.Types.Kind(x.Type)
		if ct == nil || !slices.Contains(w.Set.Namespaces, x.Namespace) {
			k.warn(c, []string{x.String()})
			c.Lost = append(c.Lost, plan.Kept{Type: x.Type, Name: resource.ShortRef(x.Name), Of: x.Owners(), ID: x.ID, Namespace: x.Namespace})
			continue
		}
		o := &resource.Object{ID: x.ID}
		if len(x.Above) > 0 && x.Object != nil {
			o = x.Object // its list was read below its parent, where it has all fields that lists have
		}
		out = append(out, resource.Part{Type: ct, Ancestors: x.Ancestors(), Object: o})
	}
	return out
}

// object is what a delete removes, as it was read: with the secrets that were returned,
// which the plan does not record.
func (k *keeping) object(c *plan.Change, t *resource.Type) *resource.Object {
	if k.objects == nil {
		k.objects = map[string]*resource.Object{}
	}
	if _, known := k.objects[t.Kind]; !known {
		k.objects[t.Kind] = nil
		for _, x := range k.w.State.Objects(t) {
			k.objects[x.Place()] = x.Object
		}
	}
	own := resource.Part{Type: t, Ancestors: plan.AncestorsOf(c), Object: t.Recorded(c.ResourceID, c.CurrentState)}
	if o := k.objects[own.Place()]; o != nil {
		return o
	}
	return own.Object
}

// below lists what goes with the resource of a delete and is not deleted by itself.
func (k *keeping) below(c *plan.Change, t *resource.Type) []resource.Part {
	below := k.places.Along(c, k.w.State.Below(t, plan.AncestorsOf(c), c.ResourceID))
	return slices.DeleteFunc(below, func(x resource.Part) bool { return x.Object.System })
}

// read keeps what one target can read.
func (k *keeping) read(ctx context.Context, target Target) error {
	reader, ok := target.(BodyReader)
	if !ok {
		return nil
	}
	var changes []*plan.Change
	var groups [][]resource.Part
	for i, c := range k.changes {
		if k.w.registry.of(c.ResourceType) == target {
			changes, groups = append(changes, c), append(groups, k.groups[i])
		}
	}
	if len(groups) == 0 {
		return nil
	}
	bodies, err := reader.Bodies(ctx, groups)
	if err != nil {
		return err
	}
	for i, c := range changes {
		k.keep(c, bodies[i])
	}
	k.w.Plan.Metadata.KeepsDeleted = true
	return nil
}

// keep notes the parts that a delete loses.
func (k *keeping) keep(c *plan.Change, parts []resource.Part) {
	var lost, secrets []string
	for _, x := range parts {
		if x.Object == nil {
			continue // it is gone
		}
		name := x.Type.Words
		if !x.Type.Single {
			name = x.Type.Describe(x.Object)
		}
		part := plan.Kept{Type: x.Type.Kind, Name: resource.ShortRef(k.name(x)), ID: x.Object.ID, Namespace: c.Namespace, Ancestors: x.Ancestors}
		for _, y := range c.Cascades {
			if y.Type == x.Type.Kind && y.ID == x.Object.ID && slices.Equal(y.Ancestors(), x.Ancestors) {
				part.Namespace, part.Name, part.Of, name = y.Namespace, resource.ShortRef(y.Name), y.Owners(), y.String()
			}
		}
		lose := func(text string) {
			lost = append(lost, text)
			if x.Type.Kind != c.ResourceType || x.Object.ID != c.ResourceID {
				c.Lost = append(c.Lost, part)
			}
		}
		switch {
		case x.Type.ReadOnly:
			lose(name)
			continue
		case x.Object.Fields == nil:
			lose(name + " (it could not be read)")
			continue
		}
		by := k.w.registry.proposer(x.Type)
		state, _ := by.Record(x.Type, x.Object, k.variables(x))
		size := len(value.Canonical(state))
		if size > k.left {
			lose(fmt.Sprintf("%s (its %d KiB are more than is left of the %d KiB that a plan keeps)", name, size>>10, k.limit>>10))
			continue
		}
		k.left -= size
		if f, ok := by.(build.Forgetful); ok {
			forgotten := f.Forgets(x.Type, x.Object, state)
			part.Secrets = forgotten.Secrets
			if len(forgotten.Needed) > 0 {
				lost = append(lost, fmt.Sprintf("%s (the plan does not hold its %s)", name, strings.Join(forgotten.Needed, ", ")))
				forgotten = build.Forgotten{} // they are lost with it
			}
			for _, field := range forgotten.Variable {
				lost = append(lost, field+" of "+name+" (the value of a variable)")
			}
			for _, field := range forgotten.Secrets {
				secrets = append(secrets, "the secret "+field+" of "+name)
			}
		}
		part.State = state
		c.Kept = append(c.Kept, part)
	}
	k.warn(c, append(lost, secrets...)) // what is said of one secret is not read of what follows
}

// warn names what no inverse plan restores.
func (k *keeping) warn(c *plan.Change, lost []string) {
	if len(lost) == 0 {
		return
	}
	k.w.Plan.Warnings = append(k.w.Plan.Warnings, plan.Warning{ChangeID: c.ID, Message: "plan --inverse cannot restore " + plan.Few(lost)})
}
