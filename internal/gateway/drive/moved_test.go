package drive

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

func TestMovedPart(t *testing.T) {
	update := func(fields map[string]plan.OldNew) plan.Part {
		return plan.Part{Kind: "route", Name: "r", Action: plan.Update, ChangedFields: fields}
	}
	planned := []plan.Part{
		update(map[string]plan.OldNew{"paths": {Old: "/a", New: "/b"}, "tags": {Old: "x", New: "y"}}),
		{Kind: "route", Name: "gone", Action: plan.Delete, Fingerprint: "1"},
		{Kind: "route", Name: "new", Action: plan.Create},
	}
	for name, tc := range map[string]struct {
		now    plan.Part
		why    string
		fields []execute.MovedField
	}{
		"an unknown entity": {plan.Part{Kind: "service", Name: "s", Action: plan.Delete}, "decK would now delete service s, which is not in the plan", nil},
		"another action":    {plan.Part{Kind: "route", Name: "gone", Action: plan.Update}, "decK would now update route gone, and the plan is to delete it", nil},
		"a deleted one":     {plan.Part{Kind: "route", Name: "gone", Action: plan.Delete, Fingerprint: "2"}, "route gone, which the plan is to delete, was changed", nil},
		"a created one":     {plan.Part{Kind: "route", Name: "new", Action: plan.Create, Fingerprint: "2"}, "decK would now create route new with other values", nil},
		"an updated one": {
			update(map[string]plan.OldNew{"paths": {Old: "/c", New: "/b"}, "hosts": {Old: "h", New: nil}}),
			"route r, which the plan is to update, was changed",
			[]execute.MovedField{{Field: "hosts", Is: "h"}, {Field: "paths", PlannedFrom: "/a", Is: "/c"}, {Field: "tags", PlannedFrom: "x", Is: "y"}},
		},
	} {
		why, fields := movedPart(planned, tc.now)
		if why != tc.why {
			t.Errorf("%s: %s, want %s", name, why, tc.why)
		}
		if d := cmp.Diff(tc.fields, fields); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
