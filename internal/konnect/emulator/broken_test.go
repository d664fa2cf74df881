package emulator_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"kongctl/internal/konnect/emulator"
)

// A write that the disk refused is not seen: nothing is served any more.
func TestBrokenStore(t *testing.T) {
	store := openBolt(t, t.TempDir())
	w := newWorldOn(t, store)
	if got := w.must(http.StatusOK, http.MethodGet, "/__local/health", nil).text("status"); got != "ok" {
		t.Errorf("the status is %q", got)
	}
	if err := emulator.Break(store); err != nil {
		t.Fatal(err)
	}
	w.must(http.StatusServiceUnavailable, http.MethodPost, "/v3/portals", object{"name": "lost"})
	for _, path := range []string{"/v3/portals", "/v3/organizations/me", "/__local/state"} {
		r := w.must(http.StatusServiceUnavailable, http.MethodGet, path, nil)
		if got := r.header.Get("Content-Type"); got != "application/problem+json" || !strings.Contains(r.text("detail"), "restart") {
			t.Errorf("%s answers %s %s", path, got, show(r.body))
		}
	}
	if got := w.must(http.StatusOK, http.MethodGet, "/__local/health", nil).text("status"); got != "broken" {
		t.Errorf("the status is %q", got)
	}
	if err := store.View(func(emulator.Tx) error { return nil }); !errors.Is(err, emulator.ErrBroken) {
		t.Errorf("a broken store can be read: %v", err)
	}
}
