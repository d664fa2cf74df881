//go:build unix

package deck_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/gateway"
)

// TestTokenOfTheMoment: a login may get another token while a run goes on. Every start
// of the binary has the one of its time, and no message shows any of them.
func TestTokenOfTheMoment(t *testing.T) {
	f := newFake(t, map[string][]answer{"diff": {{Stdout: some}, {Stdout: some}}, "sync": {{Stderr: "Error: tokens kpat_1, kpat_2 and kpat_3\n", Exit: 1}}})
	n := 0
	f.token = func(context.Context) string {
		n++
		return "kpat_" + strconv.Itoa(n)
	}
	_, err := f.reconciler().Run(t.Context(), request(gateway.Sync))
	var got []string
	for _, c := range []call{f.calls("diff")[0], f.calls("sync")[0], f.calls("diff")[1]} {
		got = append(got, c.Token)
	}
	if !slices.Equal(got, []string{"kpat_1", "kpat_2", "kpat_3"}) {
		t.Errorf("tokens %v", got)
	}
	if err == nil || strings.Contains(err.Error(), "kpat_1") || strings.Contains(err.Error(), "kpat_2") {
		t.Errorf("%v", err)
	}
}
