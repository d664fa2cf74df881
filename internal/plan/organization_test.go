package plan_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

func TestSameOrganization(t *testing.T) {
	made := plan.Organization{ID: "org-a", Region: "eu", BaseURL: "https://eu.example.com"}
	for name, tt := range map[string]struct {
		made, here plan.Organization
		want       string
	}{
		"the same":                               {made, made, ""},
		"a slash more":                           {made, plan.Organization{ID: "org-a", Region: "eu", BaseURL: "https://eu.example.com/"}, ""},
		"an address that may change":             {made, plan.Organization{ID: "org-a"}, ""},
		"planned by a token that could not tell": {plan.Organization{BaseURL: made.BaseURL}, plan.Organization{BaseURL: made.BaseURL}, ""},
		"no organization":                        {plan.Organization{}, made, "does not say which organization"},
		"an address alone":                       {plan.Organization{BaseURL: made.BaseURL}, made, "does not say which organization"},
		"nothing on either side":                 {plan.Organization{}, plan.Organization{BaseURL: made.BaseURL}, "does not say which organization"},
		"another organization":                   {made, plan.Organization{ID: "org-b", Region: "eu", BaseURL: made.BaseURL}, "for organization org-a, but this is organization org-b"},
		"an embedded Konnect":                    {made, plan.Organization{ID: "org-b", Embedded: "/data"}, "for organization org-a, but this is organization org-b, embedded Konnect (/data)"},
		"a token that does not tell":             {made, plan.Organization{Region: "eu", BaseURL: made.BaseURL}, "for organization org-a, but the token does not allow reading which organization this is"},
		"another region":                         {made, plan.Organization{ID: "org-a", Region: "us", BaseURL: "https://us.example.com"}, "for region eu, but this is region us"},
		"another address":                        {made, plan.Organization{ID: "org-a", BaseURL: "http://127.0.0.1:1"}, "for https://eu.example.com, but this is http://127.0.0.1:1"},
	} {
		err := tt.made.Same(tt.here)
		if (err == nil) != (tt.want == "") || (err != nil && !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}
