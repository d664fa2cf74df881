package emulator_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// Types that the catalog does not have yet, of shapes that it does: they are
// served with no other change.
func TestNewTypesNeedNoCode(t *testing.T) {
	extra := []*catalog.Type{
		{Kind: "portal_email_delivery", Key: "email_delivery", ChildOf: catalog.Portal, Shape: catalog.Singleton, Path: "/v3/portals/{portalId}/email-delivery"},
	}
	for _, b := range extra {
		t.Run(b.Kind, func(t *testing.T) {
			w := worldWith(t, extra)
			m := &maker{w: w, made: map[string][]string{}}
			m.life(w.cat.Kind(b.Kind))
		})
	}
	t.Run("at most one of a listed singleton", func(t *testing.T) {
		w := worldWith(t, extra)
		base := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"}) + "/ip-allow-list"
		w.create(base, object{"allowed_ips": []any{"192.0.2.1"}})
		w.must(http.StatusConflict, http.MethodPost, base, object{"allowed_ips": []any{"192.0.2.2"}})
	})
	t.Run("pages by cursor", func(t *testing.T) {
		w := worldWith(t, extra)
		base := "/v1/event-gateways/" + w.create("/v1/event-gateways", object{"name": "g", "min_runtime_version": "1.0"}) + "/static-keys"
		for i := range 5 {
			w.create(base, object{"name": fmt.Sprintf("k%d", i), "value": "${vault.env['KEY']}"})
		}
		var got []string
		for path := base + "?page[size]=2"; path != ""; {
			r := w.must(http.StatusOK, http.MethodGet, path, nil)
			got = append(got, names(r.data()))
			path = r.text("meta", "page", "next")
		}
		if fmt.Sprint(got) != "[k0 k1 k2 k3 k4]" || len(got) != 3 {
			t.Errorf("pages %q", got)
		}
		w.must(http.StatusBadRequest, http.MethodGet, base+"?page[after]=nonsense", nil)
	})
}

func worldWith(t *testing.T, extra []*catalog.Type) *world {
	t.Helper()
	return worldOf(t, extra, func(op, problem string) { t.Errorf("%s answers against the contract: %s", op, problem) })
}

func worldOf(t *testing.T, extra []*catalog.Type, strict func(op, problem string)) *world {
	t.Helper()
	base, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	cat, err := catalog.New(base.Contract, append(catalog.Types(), extra...))
	if err != nil {
		t.Fatal(err)
	}
	srv, err := emulator.New(cat, emulator.Options{
		Clock: tick(), NewID: uuid.NewString, Strict: strict,
	})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(srv)
	t.Cleanup(h.Close)
	return &world{t: t, cat: cat, srv: srv, http: h}
}
