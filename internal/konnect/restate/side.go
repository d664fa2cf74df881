package restate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Expand states changes of what stands beside a resource, such as the groups of a team,
// as changes of the resources that it consists of. All others are returned as they are.
func Expand(ctx context.Context, from func(context.Context) (remote.Target, error), cat *catalog.Catalog, changes []*plan.Change) ([]*plan.Change, []execute.Moved, error) {
	flats := map[string]catalog.Flat{}
	for _, f := range cat.FlatSides() {
		flats[f.Type.Kind] = f
	}
	var out []*plan.Change
	var moved []execute.Moved
	var problems []string
	for _, c := range changes {
		f, beside := flats[c.ResourceType]
		if !beside {
			out = append(out, c)
			continue
		}
		target, err := from(ctx)
		if err != nil {
			return nil, nil, err
		}
		x := &expansion{from: target, c: c, changes: changes, side: f.Side, of: f.Type.Parent}
		list, why, err := x.expand(ctx)
		var unfit unfitError
		switch {
		case errors.As(err, &unfit):
			problems = append(problems, fmt.Sprintf("change %s: %s", c.ID, err))
		case err != nil:
			return nil, nil, fmt.Errorf("change %s: %w", c.ID, err)
		case why != "":
			moved = append(moved, execute.Moved{Change: c, Why: why})
		}
		out = append(out, list...)
	}
	if len(problems) > 0 {
		return nil, nil, &plan.InvalidError{Problems: problems}
	}
	return out, moved, nil
}

// place is a resource as a plan names it.
type place struct{ ref, id string }

func (p place) is(ref, id string) bool {
	return p.ref != "" && p.ref == ref || p.id != "" && p.id == id
}

// expansion is one change of what stands beside a resource of a type.
type expansion struct {
	from    remote.Target
	c       *plan.Change
	changes []*plan.Change
	side    catalog.Side
	of      *catalog.Bound
}

func (x *expansion) expand(ctx context.Context) ([]*plan.Change, string, error) {
	if x.deferred() {
		return nil, "", unfitf("%s: a value that is known only when the plan is executed cannot stand here", x.side.List)
	}
	want, ok := texts(x.c.Fields[x.side.List])
	if !ok && x.c.Action != plan.Delete {
		return nil, "", unfitf("it has no list %s", x.side.List)
	}
	of, owner := x.places()
	if of == (place{}) {
		return nil, "", unfitf("the plan does not say which %s it belongs to", catalog.Words(x.of.Kind))
	}
	up := x.side.Type.Parent
	if x.of.Parent != nil && owner == (place{}) {
		return nil, "", unfitf("the plan does not say which %s it belongs to", catalog.Words(x.of.Parent.Kind))
	}
	parent, err := x.parent(ctx, up, owner)
	if err != nil {
		return nil, "", err
	}
	have, err := x.have(ctx, of, owner, parent)
	if err != nil {
		return nil, "", err
	}
	if old, said := texts(x.c.ChangedFields[x.side.List].Old); said && !sameTexts(old, have) && !sameTexts(want, have) {
		return nil, "it is not what the plan was created from", nil
	}
	return x.parts(want, have, of, owner, parent), "", nil
}

// deferred reports whether the list has items that the plan does not hold.
func (x *expansion) deferred() bool {
	list := value.Path{x.side.List}
	refers := func(path string) bool { return value.ParsePath(path).HasPrefix(list) }
	return slices.ContainsFunc(x.c.Expressions, func(e plan.Expression) bool { return refers(e.Field) }) || slices.ContainsFunc(slices.Collect(maps.Keys(x.c.References)), refers)
}

// places are the resource that the values stand beside, and what both belong to.
func (x *expansion) places() (of, owner place) {
	c := x.c
	if x.of.Parent != nil {
		owner.ref, owner.id = above(c, x.of.Parent)
	}
	of.ref, of.id = above(c, x.of)
	if r, ok := c.References[x.side.Field]; ok && of == (place{}) {
		of = place{r.Ref, known(r.ID)}
	}
	if id, ok := c.Fields[x.side.Field].(string); ok && of.id == "" {
		of.id = known(id)
	}
	if p := c.Parent; p != nil {
		if at := (place{p.Ref, known(p.ID)}); p.Type == x.of.Kind || of == (place{}) && p.Type == "" {
			of = place{cmp.Or(of.ref, at.ref), cmp.Or(of.id, at.id)}
		} else if !of.is(at.ref, at.id) {
			owner = place{cmp.Or(owner.ref, at.ref), cmp.Or(owner.id, at.id)}
		}
	}
	for _, y := range x.changes { // what the plan says of the resource itself
		if y.ResourceType != x.of.Kind || !of.is(y.ResourceRef, y.ResourceID) {
			continue
		}
		of = place{y.ResourceRef, cmp.Or(of.id, y.ResourceID)}
		if y.Parent != nil && owner == (place{}) {
			owner = place{y.Parent.Ref, known(y.Parent.ID)}
		}
	}
	return of, owner
}

// parent is what the resources belong to: the only one of its owner.
func (x *expansion) parent(ctx context.Context, up *catalog.Bound, owner place) (place, error) {
	var found []place
	for _, y := range x.changes {
		if y.ResourceType == up.Kind && y.Action != plan.Delete && (up.Parent == nil || y.Parent != nil && owner.is(y.Parent.Ref, y.Parent.ID)) {
			found = append(found, place{y.ResourceRef, y.ResourceID})
		}
	}
	var above []string
	if up.Parent != nil {
		above = []string{owner.id}
	}
	if up.Parent == nil || owner.id != "" {
		list, err := x.from.List(ctx, remote.Scope{Type: up, Ancestors: above})
		if err != nil {
			return place{}, err
		}
		for _, o := range list {
			if !slices.ContainsFunc(found, func(p place) bool { return p.id == o.ID }) {
				found = append(found, place{o.ID, o.ID})
			}
		}
	}
	if len(found) != 1 {
		return place{}, unfitf("it belongs to %s, and there are %d of them. Create a plan with kongctl plan", catalog.Words(up.Kind), len(found))
	}
	return found[0], nil
}

// have are the values that there are beside the resource, with their ids.
func (x *expansion) have(ctx context.Context, of, owner, parent place) (map[string]string, error) {
	out := map[string]string{}
	if of.id == "" || parent.id == "" {
		return out, nil
	}
	at := remote.Scope{Type: x.side.Type, Ancestors: []string{parent.id}}
	if x.of.Parent != nil {
		at.Ancestors = []string{owner.id, parent.id}
	}
	list, err := x.from.List(ctx, at)
	for _, o := range list {
		if text, isText := o.Fields[x.side.Item].(string); isText && o.Fields[x.side.Field] == of.id {
			out[text] = o.ID
		}
	}
	return out, err
}

// parts are the changes of the single resources.
func (x *expansion) parts(want []string, have map[string]string, of, owner, parent place) []*plan.Change {
	var out []*plan.Change
	add := func(action plan.Action, text, id string) {
		c := &plan.Change{
			ID: fmt.Sprintf("%s:%s", x.c.ID, text), ResourceType: x.side.Type.Kind, ResourceRef: x.c.ResourceRef, ResourceName: text, ResourceID: id,
			Namespace: x.c.Namespace, Action: action, DependsOn: x.c.DependsOn,
			Parent:     &plan.ParentRef{Ref: parent.ref, Type: x.side.Type.Parent.Kind, ID: parent.id},
			References: map[string]plan.Reference{x.side.Field: {Ref: of.ref, ID: of.id}},
		}
		if len(want) != 1 || action == plan.Delete {
			c.ResourceRef = resource.ShortRef(cmp.Or(language.Ref(x.c.ResourceRef+"-"+text), id))
		}
		if x.of.Parent != nil {
			c.References[x.of.Parent.Kind+"_id"] = plan.Reference{Ref: owner.ref, ID: owner.id}
		}
		if action != plan.Delete {
			c.Fields = map[string]any{x.side.Item: text}
		}
		out = append(out, c)
	}
	for _, text := range want {
		if _, there := have[text]; !there {
			add(plan.Create, text, "")
		}
	}
	for _, text := range slices.Sorted(maps.Keys(have)) {
		if !slices.Contains(want, text) {
			add(plan.Delete, text, have[text])
		}
	}
	return out
}

// texts are the texts of a list, and whether it is one.
func texts(v any) ([]string, bool) {
	list, ok := v.([]any)
	out := make([]string, 0, len(list))
	for _, x := range list {
		text, isText := x.(string)
		if ok = ok && isText; isText {
			out = append(out, text)
		}
	}
	return out, ok
}

func sameTexts(said []string, have map[string]string) bool {
	for _, text := range said {
		if _, there := have[text]; !there {
			return false
		}
	}
	return len(said) == len(have)
}
