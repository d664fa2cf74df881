package diag_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
)

func TestNearest(t *testing.T) {
	known := []string{"apis", "portals", "portal_pages", "teams", "control_planes"}
	for _, tc := range []struct{ name, got, want string }{
		{"a letter missing", "portal", "portals"},
		{"a letter too many", "teamss", "teams"},
		{"another letter", "apiz", "apis"},
		{"two letters swapped", "apsi", "apis"},
		{"another case", "APIS", "apis"},
		{"dashes for underscores", "control-planes", "control_planes"},
		{"another word", "gateways", ""},
		{"a short word is no typo of another", "xy", ""},
		{"nothing", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := diag.Nearest(tc.got, known); got != tc.want {
				t.Errorf("Nearest(%q) is %q, want %q", tc.got, got, tc.want)
			}
		})
	}
	if got := diag.Nearest("apis", nil); got != "" {
		t.Errorf("nothing is known, and %q is near", got)
	}
}
