package resource_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/resource"
)

func TestShortRef(t *testing.T) {
	long := "lookup:gateway_service:name=" + strings.Repeat("a-very-long-name-", 10)
	for name, tt := range map[string]struct{ in, want string }{
		"short":                 {"dev-pages", "dev-pages"},
		"just short enough":     {strings.Repeat("x", 63), strings.Repeat("x", 63)},
		"one more":              {strings.Repeat("x", 64), strings.Repeat("x", 54) + "-00000000"},
		"a mark before the cut": {strings.Repeat("x", 50) + "-,:=" + strings.Repeat("y", 20), strings.Repeat("x", 50) + "-00000000"},
	} {
		t.Run(name, func(t *testing.T) {
			got := resource.ShortRef(tt.in)
			if len(tt.in) > resource.MaxName { // the digest aside
				got, tt.want = got[:len(got)-8], tt.want[:len(tt.want)-8]
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if a, b := resource.ShortRef(long+"a"), resource.ShortRef(long+"b"); a == b || len(a) > resource.MaxName || resource.ShortRef(long+"a") != a {
		t.Errorf("%q and %q", a, b)
	}
	if got := resource.ShortRef(strings.Repeat("ä", 60)); !strings.HasPrefix(got, "ää") || strings.ContainsRune(got, '�') || len(got) > resource.MaxName {
		t.Errorf("got %q", got)
	}
}

// What has the id of another resource for its identity is named by what it shows of
// that one, where it shows all of it.
func TestShownName(t *testing.T) {
	offered := &resource.Type{Kind: "offer", Key: "offers", Identity: []string{"thing_id"}, Keyed: true, Shows: []string{"owner.name", "way", "place"}}
	fields := map[string]any{"thing_id": "7", "owner": map[string]any{"name": "flights"}, "way": "GET", "place": "/all"}
	o := &resource.Object{ID: "7", Fields: fields}
	if got := offered.Name(o); got != "flights GET /all" {
		t.Errorf("named %q", got)
	}
	if got := offered.Names(o); !slices.Contains(got, "flights GET /all") || !slices.Contains(got, "7") {
		t.Errorf("answers to %q", got)
	}
	delete(fields, "place")
	if got := offered.Name(o); got != "7" {
		t.Errorf("without a place it is named %q", got)
	}
}

// Kinds and keys are said as people say them.
func TestWords(t *testing.T) {
	for kind, want := range map[string]string{
		"portal_page": "portal page", "ai_gateway_mcp_server": "AI gateway MCP server", "apis": "APIs", "dcr_providers": "DCR providers",
		"gateway_mtls_auth": "gateway mTLS auth", "gateway_ca_certificate": "gateway CA certificate", "gateway_oauth2_credential": "gateway OAuth2 credential",
	} {
		if got := resource.Words(kind); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
}

func TestShownRef(t *testing.T) {
	for name, tt := range map[string]struct{ ref, name, want string }{
		"what people wrote":         {"dev", "Dev", "dev"},
		"with the name known":       {resource.LookupRef("portal", "labels.env=prod"), "Production", "Production"},
		"by the name":               {resource.LookupRef("portal", "name=Their Portal"), "", "Their Portal"},
		"by the name, cut":          {resource.ShortRef(resource.LookupRef("portal", "name="+strings.Repeat("x", 60))), "", strings.Repeat("x", 35) + "-a91fccc4"},
		"by a variable":             {resource.LookupRef("portal", "name=!env PORTAL"), "", "!env PORTAL"},
		"by another field":          {resource.LookupRef("organization_user", "email=dev@example.com"), "", "email=dev@example.com"},
		"by several":                {resource.LookupRef("portal", "name=a,labels.env=b"), "", "name=a,labels.env=b"},
		"by a name, below a parent": {resource.LookupRef("portal", "name=a,control_plane=b"), "", "name=a,control_plane=b"},
		"by something else":         {resource.LookupRef("portal", "name Exists"), "", "name Exists"},
		"no lookup":                 {"portal:name=x", "", "portal:name=x"},
		"a part of one":             {"lookup:portal", "x", "lookup:portal"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := resource.ShownRef(tt.ref, tt.name); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
