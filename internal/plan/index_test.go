package plan_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// Changes are found by id, whatever was added, taken out or moved since the
// plan was read.
func TestChangeByID(t *testing.T) {
	raw := `{"metadata":{"plan_version":"1.0"},"changes":[{"id":"1:c:team:a","action":"CREATE"},{"id":"2:c:team:b","action":"CREATE"}]}`
	p, err := plan.Parse([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		for _, c := range p.Changes {
			if got := p.Change(c.ID); got != c {
				t.Errorf("%s: %s leads to %v", when, c.ID, got)
			}
		}
		if got := p.Change("9:c:team:none"); got != nil {
			t.Errorf("%s: nothing leads to %v", when, got)
		}
	}
	check("read")
	p.Changes = append(p.Changes, &plan.Change{ID: "3:c:team:c", Action: plan.Create})
	check("added")
	p.Changes = p.Changes[1:]
	check("taken out")
	if got := p.Change("1:c:team:a"); got != nil {
		t.Errorf("what was taken out is still found: %v", got)
	}
	p = p.Only(func(c *plan.Change) bool { return c.ID == "3:c:team:c" })
	check("left")
}

// BenchmarkChange shows that finding a change takes as long in a plan of any size.
func BenchmarkChange(b *testing.B) {
	p := &plan.Plan{}
	for i := range 10_000 {
		p.Changes = append(p.Changes, &plan.Change{ID: fmt.Sprintf("%d:c:team:t%d", i+1, i)})
	}
	p = p.Only(func(*plan.Change) bool { return true })
	last := p.Changes[len(p.Changes)-1].ID
	for b.Loop() {
		if p.Change(last) == nil {
			b.Fatal("not found")
		}
	}
}

// The halves of a replace find each other, however many resources have the ref: by what
// the create comes after, and by where they are.
func TestHalvesOfAReplace(t *testing.T) {
	at := func(parent string) *plan.ParentRef {
		return &plan.ParentRef{Type: "portal", Ancestors: []string{parent}}
	}
	change := func(id string, action plan.Action, parent string, after ...string) *plan.Change {
		return &plan.Change{ID: id, ResourceType: "portal_page", ResourceRef: "home", Action: action, Replace: true, Parent: at(parent), DependsOn: after}
	}
	other := change("8", plan.Create, "a", "7")
	other.ResourceRef = "start"
	plain := change("10", plan.Create, "c", "9")
	plain.Replace = false
	p := &plan.Plan{Changes: []*plan.Change{
		change("1", plan.Delete, "a"), change("2", plan.Delete, "b"),
		change("3", plan.Create, "b", "1", "2"), change("4", plan.Create, "a", "1", "2"),
		change("5", plan.Create, "a", "1"), // the place is taken
		change("6", plan.Create, "a"),      // after none
		change("7", plan.Delete, "a"), other,
		change("9", plan.Delete, "c"), plain,
	}}
	want := map[string]string{"1": "4", "4": "1", "2": "3", "3": "2"}
	check := func(when string, p *plan.Plan) {
		t.Helper()
		for _, c := range p.Changes {
			got := ""
			if half := p.Half(c); half != nil {
				got = half.ID
			}
			if got != want[c.ID] {
				t.Errorf("%s: the other half of %s is %q, want %q", when, c.ID, got, want[c.ID])
			}
		}
		if got := p.Halves(); !maps.Equal(got, want) {
			t.Errorf("%s: the halves are %v, want %v", when, got, want)
		}
	}
	check("made", p)
	p = p.Only(func(*plan.Change) bool { return true })
	check("indexed", p)
	p = p.Only(func(c *plan.Change) bool { return c.ID != "2" })
	delete(want, "2")
	delete(want, "3")
	check("less", p)
}

// BenchmarkHalf shows that finding the other half of a replace takes as long in a plan of
// any size.
func BenchmarkHalf(b *testing.B) {
	p := &plan.Plan{}
	for i := range 5_000 {
		id := fmt.Sprint(i)
		p.Changes = append(p.Changes,
			&plan.Change{ID: "d" + id, ResourceType: "team", ResourceRef: id, Action: plan.Delete, Replace: true},
			&plan.Change{ID: "c" + id, ResourceType: "team", ResourceRef: id, Action: plan.Create, Replace: true, DependsOn: []string{"d" + id}})
	}
	p = p.Only(func(*plan.Change) bool { return true })
	last := p.Changes[len(p.Changes)-1]
	for b.Loop() {
		if p.Half(last) == nil {
			b.Fatal("not found")
		}
	}
}
