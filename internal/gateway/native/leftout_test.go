//go:build nonative

package native_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/native"
)

func TestLeftOut(t *testing.T) {
	r := native.New(nil)
	ask := gateway.Request{Mode: gateway.Sync, Files: []gateway.File{{Name: "kong.yaml"}}}
	_, diffed := r.Diff(t.Context(), ask)
	_, ran := r.Run(t.Context(), ask)
	for err, op := range map[error]string{diffed: "diff", ran: "sync"} {
		want := "deck " + op + " failed for kong.yaml: this build has no native decK: use --deck-mode cli"
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
