package gateway_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/gateway"
)

func TestKey(t *testing.T) {
	tags := func(tags ...string) string {
		return gateway.Request{Mode: gateway.Sync, Flags: gateway.Flags{SelectTags: tags}}.Key()
	}
	if tags("a b") == tags("a", "b") || tags() == tags("") {
		t.Error("the key does not tell tags apart")
	}
}

func TestErrorText(t *testing.T) {
	rows := map[string]gateway.Error{
		"deck sync failed for a.yaml, b.yaml (exit 2): no": {Op: "sync", Files: []string{"a.yaml", "b.yaml"}, Exit: 2, Message: "no"},
		"deck delete failed: no":                           {Op: "delete", Message: "no"},
	}
	for want, e := range rows {
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
	}
}
