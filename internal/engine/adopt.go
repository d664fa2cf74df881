package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// Adopt is what to take over: one resource by its name, or what a
// configuration declares.
type Adopt struct {
	Kind            *catalog.Bound
	Word, Namespace string
	// Overwrite takes over what belongs to another namespace, too.
	Overwrite bool
}

// ByName reports whether it is one resource that is named.
func (a Adopt) ByName() bool { return a.Kind != nil }

// Adopted is the one resource that was named.
type Adopted struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	Namespace    string `json:"namespace"`
	ResourceType string `json:"resource_type"`
}

// adopted is the resource that the plan takes over by its name; nil where a
// configuration says what to take over.
func (w *Walk) adopted() *Adopted {
	a := w.adoption
	if a == nil {
		return nil
	}
	return &Adopted{ID: a.Object.ID, Name: a.Type.Name(a.Object), Namespace: a.Namespace, ResourceType: a.Type.Kind}
}

// konnect is the target that resources are adopted in by name.
func (w *Walk) konnect() *konnect.Target {
	for _, t := range w.Targets {
		if k, ok := t.(*konnect.Target); ok {
			return k
		}
	}
	return nil
}

// loadNothing stands for a configuration where a resource is named.
func (w *Walk) loadNothing() error {
	w.Files = &source.Result{}
	targets, err := w.targets()
	if err != nil {
		return err
	}
	w.Set = &resource.Set{Types: targets.types, Namespaces: []string{w.Request.Adopt.Namespace}}
	var list diag.List
	w.Links, list = resource.Link(w.Set)
	return w.found(list)
}

// find looks for the one resource that was named.
func (w *Walk) find(ctx context.Context) (diag.List, error) {
	a := w.Request.Adopt
	state, found, err := w.konnect().Find(ctx, a.Kind, a.Word)
	if err != nil {
		return nil, err
	}
	w.State = state
	what := catalog.Words(a.Kind.Kind)
	var list diag.List
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("adopt: there is no %s with the name or id %q", what, a.Word)
	case len(found) > 1:
		var ids []string
		for _, o := range found {
			ids = append(ids, a.Kind.Neutral().Which(o))
		}
		list.Add(diag.LiveAmbiguous, value.Pos{}, fmt.Sprintf("Konnect holds %d resources with the name %q:\n%s", len(found), a.Word, strings.Join(ids, "\n")), "name the one you mean by its id.")
		return list, nil
	case a.Kind.SystemFlag != "" && found[0].Fields[a.Kind.SystemFlag] == true:
		return nil, fmt.Errorf("adopt: the %s %q is Konnect's own and cannot be managed; to refer to it, declare it with %s", what, a.Word, live.External(a.Kind, a.Kind.Neutral().Name(found[0])))
	}
	o := found[0]
	if owner := catalog.Labels(o)[label.Namespace]; owner != "" && owner != a.Namespace && !a.Overwrite {
		adopt := live.AdoptCommand(a.Kind, a.Word, a.Namespace, owner)
		return append(list, diag.New(diag.LiveOtherSpace, value.Pos{}, fmt.Sprintf("The %s %q exists (id %s) and belongs to the namespace %s.", what, a.Word, o.ID, owner),
			fmt.Sprintf("leave it to its owner, or take it over: %s", adopt)).Running(adopt)), nil
	}
	if other := sibling(state, a, o); other != nil {
		list.Add(diag.LiveAmbiguous, value.Pos{}, fmt.Sprintf("The namespace %s has a %s with the name of this one (id %s): a configuration could not tell the two apart.", a.Namespace, what, other.ID),
			"adopt it into another namespace, or rename one of the two in Konnect.")
		return list, nil
	}
	w.adoption = &build.Adoption{Type: a.Kind.Neutral(), Object: o, Namespace: a.Namespace}
	return nil, nil
}

// sibling is what the namespace of an adoption has of the identity already, where each
// namespace may have one.
func sibling(state resource.State, a Adopt, o *resource.Object) *resource.Object {
	t := a.Kind.Neutral()
	if !t.PerNamespace {
		return nil
	}
	want := map[string]any{}
	for _, f := range t.Identity {
		want[f], _ = value.Get(o.Fields, value.ParsePath(f))
	}
	for _, x := range state.Objects(t) {
		if x.Object.ID != o.ID && x.Object.Owner.Namespace == a.Namespace && resource.SameIdentity(t, want, x.Object) {
			return x.Object
		}
	}
	return nil
}
