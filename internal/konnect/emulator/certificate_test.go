package emulator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/testkit"
)

func TestDataPlaneCertificateIsWrapped(t *testing.T) {
	w := newWorld(t)
	base := "/v2/control-planes/" + w.create("/v2/control-planes", object{"name": "cp"}) + "/dp-client-certificates"
	cert, _ := testkit.Certificate(t, "one", testkit.Epoch())
	other, _ := testkit.Certificate(t, "two", testkit.Epoch())
	r := w.must(http.StatusCreated, http.MethodPost, base, object{"cert": cert, "title": "one"})
	id := r.text("item", "id")
	if at, ok := r.field("item", "created_at").(float64); !ok || time.Unix(int64(at), 0).UTC().Year() != 2025 {
		t.Errorf("created_at %v", r.field("item", "created_at"))
	}
	untitled := w.must(http.StatusCreated, http.MethodPost, base, object{"cert": other, "title": nil})
	if untitled.field("item", "title") != nil {
		t.Errorf("without a title: %s", show(untitled.body))
	}
	w.must(http.StatusNoContent, http.MethodDelete, base+"/"+untitled.text("item", "id"), nil)
	list := w.must(http.StatusOK, http.MethodGet, base, nil)
	if len(list.field("items").([]any)) != 1 || list.field("page", "total_count") != 1.0 {
		t.Errorf("listed: %s", show(list.body))
	}
	if r := w.must(http.StatusOK, http.MethodPut, base+"/"+id, object{"cert": other}); r.text("item", "cert") != other || r.field("item", "title") != nil {
		t.Errorf("replaced: %s", show(r.body))
	}
}

// What data planes and authorities are known by is a certificate.
func TestCertificatesAreRead(t *testing.T) {
	w := newWorld(t)
	cert, key := testkit.Certificate(t, "one", testkit.Epoch())
	other, _ := testkit.Certificate(t, "two", testkit.Epoch())
	gateway := "/v1/event-gateways/" + w.create("/v1/event-gateways", object{"name": "eg"})
	bundle := func(text string) object { return object{"name": "b", "config": object{"trusted_ca": text}} }
	for _, row := range []struct {
		name, path string
		body       func(text string) object
	}{
		{
			"of a control plane", "/v2/control-planes/" + w.create("/v2/control-planes", object{"name": "cp"}) + "/dp-client-certificates",
			func(text string) object { return object{"cert": text} },
		},
		{"of an event gateway", gateway + "/data-plane-certificates", func(text string) object { return object{"certificate": text} }},
		{"a trust bundle", gateway + "/tls-trust-bundles", bundle},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			for name, text := range map[string]string{"a word": "x", "a key": key, "cut off": cert[:len(cert)-40]} {
				if r := w.must(http.StatusBadRequest, http.MethodPost, row.path, row.body(text)); !strings.Contains(show(r.body), "PEM form") {
					t.Errorf("%s: %s", name, show(r.body))
				}
			}
			w.must(http.StatusCreated, http.MethodPost, row.path, row.body(cert))
		})
	}
	path := gateway + "/tls-trust-bundles/" + w.create(gateway+"/tls-trust-bundles", object{"name": "c", "config": object{"trusted_ca": "${vault.env['CA']}"}})
	w.must(http.StatusOK, http.MethodPut, path, object{"name": "c", "config": object{"trusted_ca": cert + other}})
	w.must(http.StatusBadRequest, http.MethodPut, path, object{"name": "c", "config": object{"trusted_ca": cert + key}})
	w.must(http.StatusBadRequest, http.MethodPut, path, object{"name": "c", "config": object{"trusted_ca": cert + other[:100]}})
}
