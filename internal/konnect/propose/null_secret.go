package propose

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/value"
)

// nulls are the secrets of a live resource that are declared as null.
type nulls struct {
	// there exist and hidden may exist, because Konnect does not return them: an update
	// takes them away.
	there, hidden []nulled
	// stay may exist, and no update takes them away.
	stay []value.Path
}

// nulled is one of them, and what stands for its value.
type nulled struct {
	path value.Path
	was  any
	omit bool
}

// nullSecrets finds them. What the form of the resource has no place for, and what
// Konnect returns as null, does not exist.
func nullSecrets(s build.Subject) (out nulls) {
	if s.Resource == nil || s.Live == nil {
		return out
	}
	t := catalog.OfType(s.Type)
	for _, p := range declaredNull(s) {
		at := catalog.SchemaAt(t.Write(), p, s.Desired.Plain)
		have, shown := value.Get(s.Live.Fields, p)
		if at == nil || !at.Secret && !onlySecrets(at, have) || shown && have == nil {
			continue
		}
		x := nulled{path: p, was: plan.NotReturned, omit: !at.Nullable}
		switch {
		case !takesAway(t, p, at, s.Desired):
			out.stay = append(out.stay, p)
		case !value.Empty(have) && have != "":
			if x.was = have; !value.AllFromVault(have) {
				x.was = plan.Secret
			}
			out.there = append(out.there, x)
		case catalog.SchemaAt(t.Write(), p, s.Live.Fields) != nil:
			out.hidden = append(out.hidden, x)
		}
	}
	return out
}

// declaredNull are the fields that a declaration says null for, except in lists.
func declaredNull(s build.Subject) []value.Path {
	out := slices.DeleteFunc(slices.Concat(s.Resource.Nulled, s.Resource.Unset), func(p value.Path) bool { return len(p) > len(p.Generic()) })
	s.Resource.Fields.Walk(func(p value.Path, v value.Value) bool {
		if v.Kind() == value.Null && len(p) == len(p.Generic()) {
			out = append(out, slices.Clone(p))
		}
		return true
	})
	return out
}

// onlySecrets reports whether a value holds secrets and nothing else: comparing sees
// nothing of it.
func onlySecrets(at *contract.Schema, have any) bool {
	return !value.Empty(value.Solid(have)) && value.Empty(value.Solid(catalog.DropSecrets(at, have)))
}

// takesAway reports whether an update without a value for a secret unsets it: it says
// null, or replaces the whole.
func takesAway(t *catalog.Bound, p value.Path, at *contract.Schema, desired build.Desired) bool {
	return t.Update != nil && !t.Immutable(p.Generic()) && (at.Nullable || overwritten(t, p, desired))
}

// known makes changes of the secrets that exist.
func (n nulls) known(d *diff.Delta) {
	for _, x := range n.there {
		x.change(d)
	}
}

// unsure makes changes of the secrets that may exist where the resource is updated
// anyway, and of those that were asked for. The others are not compared.
func (n nulls) unsure(s build.Subject, d *diff.Delta, updates bool) (unseen []string) {
	for _, x := range n.hidden {
		if updates || s.Again != nil && s.Again(x.path.String()) {
			x.change(d)
			continue
		}
		unseen = append(unseen, x.path.String())
	}
	return unseen
}

// change is a change of the field to none: in place of one that shows nothing of what
// was there, or besides the others.
func (x nulled) change(d *diff.Delta) {
	d.Changes = slices.DeleteFunc(d.Changes, func(c diff.Change) bool { return c.Path.String() == x.path.String() })
	d.Changes = append(d.Changes, diff.Change{Path: x.path, Old: x.was, Omit: x.omit, Hidden: true})
}

// notes say that null does not unset a secret.
func (n nulls) notes() (out []string) {
	for _, p := range n.stay {
		out = append(out, fmt.Sprintf("%s keeps its value, if it has one: null does not unset a secret, which Konnect does not return; to remove it, delete the resource and create it again", p))
	}
	return out
}
