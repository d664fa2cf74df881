package plan_test

import (
	"fmt"
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
