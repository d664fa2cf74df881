package build_test

import (
	"testing"
	"time"

	"kongctl/internal/diag"
	"kongctl/internal/plan"
	"kongctl/internal/plan/build"
	"kongctl/internal/resource"
	"kongctl/internal/testkit"
	"kongctl/internal/value"
)

// lived is a state that holds some resources and nothing else.
type lived struct {
	resource.State
	objects map[*resource.Resource]*resource.Object
}

func (s lived) Object(r *resource.Resource) *resource.Object                 { return s.objects[r] }
func (lived) Ancestors(*resource.Resource) ([]string, bool)                  { return nil, true }
func (lived) Failed(*resource.Resource) error                                { return nil }
func (lived) Objects(*resource.Type) []resource.Part                         { return nil }
func (lived) Kinds() []string                                                { return nil }
func (lived) Failures() []resource.Failure                                   { return nil }
func (lived) Unread(*resource.Type, []string, string) bool                   { return false }
func (lived) Undeclared(*resource.Type, []string) ([]*resource.Object, bool) { return nil, true }

// writes proposes to write every resource.
type writes struct{ build.Proposer }

func (writes) Propose(s build.Subject) build.Proposal {
	if s.Live == nil {
		return build.Proposal{Action: plan.Create}
	}
	return build.Proposal{Action: plan.Update}
}

func (writes) Check(*resource.Resource, map[string]any, bool, func([]string) bool) ([]build.Violation, diag.List) {
	return nil, nil
}

// A resource that is given its order waits for any change of what comes first.
func TestGivenOrder(t *testing.T) {
	kind := &resource.Type{Kind: "thing", Words: "thing", Identity: []string{"name"}, Updatable: true}
	thing := func(ref string) *resource.Resource {
		return &resource.Resource{Type: kind, Ref: ref, Name: ref, Explicit: true, Fields: value.From(value.Pos{}, map[string]any{"name": ref})}
	}
	last, made, changed := thing("last"), thing("made"), thing("changed")
	last.After = []*resource.Resource{made, changed}
	set := &resource.Set{Types: resource.NewTypes([]*resource.Type{kind}, nil), Resources: []*resource.Resource{last, made, changed}}
	links, diags := resource.Link(set)
	p, more := build.Build(build.Input{
		Types: set.Types, Set: set, Links: links, Mode: plan.ModeApply, Now: time.Unix(0, 0),
		Snapshot: lived{objects: map[*resource.Resource]*resource.Object{changed: {ID: "id", Fields: map[string]any{"name": "changed"}}}},
		Proposer: func(*resource.Type) build.Proposer { return writes{} },
	})
	if diags = append(diags, more...); len(diags) > 0 {
		t.Fatal(diags)
	}
	testkit.Expect(t, p, "1 CREATE thing made", "2 UPDATE thing changed", "3 CREATE thing last < 1 2")
}
