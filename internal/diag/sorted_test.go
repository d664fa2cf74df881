package diag_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// A warning of what is an error at the same place is left out.
func TestSortedLeavesOutWarnings(t *testing.T) {
	here, there := value.Pos{File: "a.yaml", Line: 1, Column: 2}, value.Pos{File: "a.yaml", Line: 1, Column: 3}
	list := diag.List{
		diag.Warn(diag.RefUnknown, here, "not declared", ""), diag.New(diag.RefUnknown, here, "not there", ""),
		diag.Warn(diag.RefUnknown, there, "not declared", ""), diag.New(diag.RefKind, there, "of another type", ""),
		diag.Warn(diag.RefUnknown, value.Pos{}, "not declared", ""), diag.New(diag.RefUnknown, value.Pos{}, "not there", ""),
	}
	var got []string
	for _, d := range list.Sorted() {
		got = append(got, d.Severity.String()+" "+d.Pos.String()+" "+d.Detail)
	}
	if len(got) != 5 {
		t.Errorf("%q", got)
	}
	for _, d := range list.Sorted() {
		if d.Pos == here && d.Severity == diag.Warning {
			t.Errorf("%s", d)
		}
	}
}
