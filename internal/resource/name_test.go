package resource_test

import (
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
