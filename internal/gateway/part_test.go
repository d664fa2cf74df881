package gateway_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/gateway"
)

func TestWithParts(t *testing.T) {
	got := gateway.WithParts([]string{"plain", "https://hook.example.com:8443/services/token", "http://u:pw@h/"})
	want := []string{
		"plain", "https://hook.example.com:8443/services/token", "http://u:pw@h/",
		"hook.example.com:8443", "hook.example.com", "/services/token", "pw",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
