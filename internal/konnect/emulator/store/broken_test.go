package store_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// A write that the disk refused is not seen: nothing is served any more.
func TestBrokenStore(t *testing.T) {
	kept := openBolt(t, t.TempDir())
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	srv, err := emulator.New(cat, emulator.Options{Store: kept})
	if err != nil {
		t.Fatal(err)
	}
	must := func(status int, method, path, body string) (header http.Header, got struct{ Status, Detail string }) {
		t.Helper()
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer token")
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, r)
		if w.Code != status {
			t.Fatalf("%s %s answers %d, want %d: %s", method, path, w.Code, status, w.Body)
		}
		_ = json.Unmarshal(w.Body.Bytes(), &got) // the status of a problem is a number
		return w.Header(), got
	}
	if _, got := must(http.StatusOK, http.MethodGet, "/__local/health", ""); got.Status != "ok" {
		t.Errorf("the status is %q", got.Status)
	}
	if err := store.Break(kept); err != nil {
		t.Fatal(err)
	}
	must(http.StatusServiceUnavailable, http.MethodPost, "/v3/portals", `{"name":"lost"}`)
	for _, path := range []string{"/v3/portals", "/v3/organizations/me", "/__local/state"} {
		header, got := must(http.StatusServiceUnavailable, http.MethodGet, path, "")
		if form := header.Get("Content-Type"); form != "application/problem+json" || !strings.Contains(got.Detail, "restart") {
			t.Errorf("%s answers %s %s", path, form, got.Detail)
		}
	}
	if _, got := must(http.StatusOK, http.MethodGet, "/__local/health", ""); got.Status != "broken" {
		t.Errorf("the status is %q", got.Status)
	}
	if err := kept.View(func(store.Tx) error { return nil }); !errors.Is(err, store.ErrBroken) {
		t.Errorf("a broken store can be read: %v", err)
	}
}
