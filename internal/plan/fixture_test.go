package plan_test

import (
	"context"
	"fmt"
	"maps"
	"sort"
	"strconv"
	"strings"
	"testing"

	"kongctl/internal/resource"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
	"kongctl/internal/testkit"
)

var (
	whole = testkit.Ask{} // a full sync
	apply = testkit.Ask{Mode: plan.ModeApply}
)

// lines says what a plan does, a change a line: number, action, kind and ref,
// and after "<" the numbers of the changes that it waits for.
func lines(p *plan.Plan) []string {
	var out []string
	for _, c := range p.Changes {
		line := fmt.Sprintf("%s %s %s %s", number(c.ID), c.Action, c.ResourceType, c.ResourceRef)
		if len(c.DependsOn) > 0 {
			line += " < " + waits(c)
		}
		out = append(out, line)
	}
	return out
}

func number(id string) string {
	n, _, _ := strings.Cut(id, ":")
	return n
}

func waits(c *plan.Change) string {
	var numbers []int
	for _, id := range c.DependsOn {
		n, err := strconv.Atoi(number(id))
		if err != nil {
			panic(err) // ids of a built plan begin with their number
		}
		numbers = append(numbers, n)
	}
	sort.Ints(numbers)
	return strings.Trim(fmt.Sprint(numbers), "[]")
}

func expect(t *testing.T, p *plan.Plan, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, lines(p)); diff != "" {
		t.Fatalf("plan (-want +got):\n%s", diff)
	}
}

// change finds the one change of an action and kind.
func change(t *testing.T, p *plan.Plan, action plan.Action, kind string) *plan.Change {
	t.Helper()
	var found *plan.Change
	for _, c := range p.Changes {
		if c.Action == action && c.ResourceType == kind {
			if found != nil {
				t.Fatalf("more than one %s of a %s: %q", action, kind, lines(p))
			}
			found = c
		}
	}
	if found == nil {
		t.Fatalf("no %s of a %s: %q", action, kind, lines(p))
	}
	return found
}

func text(t *testing.T, p *plan.Plan) string {
	t.Helper()
	raw, err := p.Write()
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(plan.Reference{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

type object = map[string]any

// labelled is a target whose objects all carry some labels.
type labelled struct {
	remote.Target
	labels map[string]string
}

// List adds the labels.
func (l labelled) List(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	objects, err := l.Target.List(ctx, s)
	for i, o := range objects {
		labels := map[string]string{}
		maps.Copy(labels, catalog.Labels(o))
		maps.Copy(labels, l.labels)
		objects[i] = catalog.NewObject(o.ID, o.Fields, labels, catalog.ParentID(o))
		objects[i].System = o.System
	}
	return objects, err
}
