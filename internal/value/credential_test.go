package value_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/value"
)

func TestIsCredential(t *testing.T) {
	for name, want := range map[string]bool{
		"KONGCTL_KONNECT_PAT": true, "KONGCTL_PROD_KONNECT_PAT": true, "KONGCTL_PROD_EU_KONNECT_TOKEN": true, "kongctl_konnect_pat": true,
		"KONGCTL_LOGIN_SECRET": true, "DECK_KONNECT_TOKEN": true, "DECK_KONNECT_PASSWORD": true,
		"KONGCTL_PROFILE": false, "KONGCTL_KONNECT_BASE_URL": false, "DECK_TOKEN": false, "DECK_KONNECT_ADDR": false, "OIDC_SECRET": false, "": false,
	} {
		if got := value.IsCredential(name, "DECK_KONNECT_"); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
