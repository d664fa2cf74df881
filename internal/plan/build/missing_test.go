package build_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// rewrites proposes to update some resources, with the references that it is
// given.
type rewrites struct {
	writes
	only map[*resource.Resource]bool
}

func (w rewrites) Propose(s build.Subject) build.Proposal {
	if !w.only[s.Resource] {
		return build.Proposal{}
	}
	return w.writes.Propose(s)
}

// A reference to a field that does not exist is an error, unless a change of the
// plan may add the field.
func TestMissingField(t *testing.T) {
	for _, c := range []struct {
		name    string
		changed bool // what the reference leads to
		want    []diag.Code
	}{
		{"of something that stays as it is", false, []diag.Code{diag.RefValue}},
		{"of something that the plan changes", true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind := &resource.Type{Kind: "thing", Words: "thing", Identity: []string{"name"}, Updatable: true, Owned: true, Behaviour: resource.Plain{}}
			from := &resource.Resource{Type: kind, Ref: "from", Name: "from", Explicit: true, Namespace: "ns", Fields: value.From(value.Pos{}, object{"name": "from"})}
			to := &resource.Resource{Type: kind, Ref: "to", Name: "to", Explicit: true, Namespace: "ns", Fields: value.MapAt(value.Pos{},
				value.Entry{Key: "name", Value: value.From(value.Pos{}, "to")},
				value.Entry{Key: "takes", Value: value.ExprAt(value.Pos{}, value.Expression{Op: value.OpRef, Name: "from", Field: "nothing"})},
			)}
			set := &resource.Set{Types: resource.NewTypes([]*resource.Type{kind}, nil)}
			set.Declare(from)
			set.Declare(to)
			links, diags := resource.Link(set)
			_, more := build.Build(build.Input{
				Types: set.Types, Set: set, Links: links, Mode: plan.ModeApply, Now: time.Unix(0, 0),
				Snapshot: lived{objects: map[*resource.Resource]*resource.Object{
					from: {ID: "1", Fields: object{"name": "from"}, Owner: resource.Owner{Namespace: "ns"}},
				}},
				Proposer: func(*resource.Type) build.Proposer {
					return rewrites{only: map[*resource.Resource]bool{to: true, from: c.changed}}
				},
			})
			var got []diag.Code
			for _, d := range append(diags, more...) {
				got = append(got, d.Code)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("codes (-want +got):\n%s", diff)
			}
		})
	}
}
