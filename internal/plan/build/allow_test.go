package build_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/build"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

func TestPermissionsThatFitNothing(t *testing.T) {
	w := testkit.New(t)
	var roots []string
	for _, b := range testkit.Catalog(t).All() {
		if b.Parent == nil && !b.ReadOnly {
			roots = append(roots, b.Kind)
		}
	}
	for name, row := range map[string]struct {
		empty, replace []string
		fix            string // "" is nothing wrong
	}{
		"types and refs that are":    {[]string{"portal", "*"}, []string{"dev", "team-ref"}, ""},
		"a type that is not a root":  {[]string{"portal_page"}, nil, "use one of " + strings.Join(roots, ", ") + "."},
		"a ref with its type":        {nil, []string{"portal:dev"}, ""},
		"a ref with another type":    {nil, []string{"control_plane:dev"}, "name a declared resource by its ref."},
		"a type with a slip":         {[]string{"portalz"}, nil, "did you mean portal?"},
		"a ref with a slip":          {nil, []string{"devv"}, "did you mean dev?"},
		"a ref that nothing is near": {nil, []string{"something-else"}, "name a declared resource by its ref."},
	} {
		t.Run(name, func(t *testing.T) {
			in, _ := input(t, w, "portals: [{name: dev}]\nteams: [{ref: team-ref, name: ops}]", way{mode: plan.ModeSync})
			in.AllowEmpty, in.AllowReplace = row.empty, row.replace
			_, diags := build.Build(in)
			if row.fix == "" {
				if len(diags) > 0 {
					t.Error(diags)
				}
				return
			}
			if len(diags) != 1 || diags[0].Code != diag.AllowNothing || diags[0].Fix != row.fix {
				t.Errorf("%v", diags)
			}
		})
	}
}
