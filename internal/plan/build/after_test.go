package build_test

import (
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// lived is a state that holds some resources and nothing else.
type lived struct {
	resource.State
	objects map[*resource.Resource]*resource.Object
	others  []*resource.Object // that nothing declares
}

func (s lived) Object(r *resource.Resource) *resource.Object                   { return s.objects[r] }
func (lived) Ancestors(*resource.Resource) ([]string, bool)                    { return nil, true }
func (lived) Failed(*resource.Resource) error                                  { return nil }
func (lived) Objects(*resource.Type) []resource.Part                           { return nil }
func (lived) Below(*resource.Type, []string, string) []resource.Part           { return nil }
func (lived) Kinds() []string                                                  { return nil }
func (lived) Failures() []resource.Failure                                     { return nil }
func (lived) Unread(*resource.Type, []string, string) bool                     { return false }
func (s lived) Undeclared(*resource.Type, []string) ([]*resource.Object, bool) { return s.others, true }

// writes proposes to write every resource that is declared, and to delete all
// others after some of them.
type writes struct {
	build.Proposer
	first []*resource.Resource
}

func (w writes) Propose(s build.Subject) build.Proposal {
	switch {
	case s.Drop:
		return build.Proposal{Action: plan.Delete, After: w.first}
	case s.Live == nil:
		return build.Proposal{Action: plan.Create}
	}
	return build.Proposal{Action: plan.Update}
}

func (writes) Check(*resource.Resource, map[string]any, bool, func([]string) bool) ([]build.Violation, diag.List) {
	return nil, nil
}

// A resource that is given its order waits for any change of what comes first, and
// so does the deletion of what nobody declares.
func TestGivenOrder(t *testing.T) {
	kind := &resource.Type{Kind: "thing", Words: "thing", Identity: []string{"name"}, Updatable: true, Owned: true, Behaviour: resource.Plain{}}
	thing := func(ref string) *resource.Resource {
		return &resource.Resource{Type: kind, Ref: ref, Name: ref, Explicit: true, Namespace: "ns", Fields: value.From(value.Pos{}, object{"name": ref})}
	}
	live := func(name string) *resource.Object {
		return &resource.Object{ID: name, Fields: object{"name": name}, Owner: resource.Owner{Namespace: "ns"}}
	}
	last, made, changed := thing("last"), thing("made"), thing("changed")
	last.After = []*resource.Resource{made, changed}
	set := &resource.Set{Types: resource.NewTypes([]*resource.Type{kind}, nil)}
	for _, r := range []*resource.Resource{last, made, changed} {
		set.Declare(r)
	}
	links, diags := resource.Link(set)
	p, more := build.Build(build.Input{
		Types: set.Types, Set: set, Links: links, Mode: plan.ModeSync, Prune: resource.PruneFull, Now: time.Unix(0, 0),
		Snapshot: lived{objects: map[*resource.Resource]*resource.Object{changed: live("changed")}, others: []*resource.Object{live("old")}},
		Proposer: func(*resource.Type) build.Proposer { return writes{first: []*resource.Resource{changed}} },
	})
	if diags = append(diags, more...); len(diags) > 0 {
		t.Fatal(diags)
	}
	testkit.Expect(t, p, "1 CREATE thing made", "2 UPDATE thing changed", "3 CREATE thing last < 1 2", "4 DELETE thing old < 2")
}
