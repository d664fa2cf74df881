package emulator_test

import (
	"net/http"
	"testing"
	"time"
)

// What a core entity is known by is not empty, however it is written.
func TestEntitiesAreKnownBySomething(t *testing.T) {
	w := newWorld(t)
	rows := validated(t)
	beside := map[string][]string{ // the identity of the catalog
		"gateway_key_auth": {"key"}, "gateway_consumer": {"custom_id"}, "gateway_key": {"kid"},
	}
	tried := 0
	for _, b := range w.cat.All() {
		row, known := rows[b.Kind]
		if !known {
			continue
		}
		for _, field := range append(beside[b.Kind], b.Identity...) {
			if field == "id" || row.body["cert"] != nil { // certificates are known by their content
				continue
			}
			tried++
			t.Run(b.Kind+"."+field, func(t *testing.T) {
				g := newGateway(w.in(t))
				g.put("/upstreams/known", object{})
				g.put("/consumers/known", object{})
				cert, key := certificate(t, time.Now().AddDate(1, 0, 0))
				g.put("/certificates/"+idA, object{"cert": cert, "key": key})
				g.put("/services/"+idA, object{"host": "h"})
				body := with(with(object{}, row.body), object{field: ""})
				g.refused(http.StatusBadRequest, http.MethodPost, row.path, body, field)
				g.refused(http.StatusBadRequest, http.MethodPut, row.path+"/"+idB, body, field)
				g.refused(http.StatusBadRequest, http.MethodPost, "/schemas/"+row.entity+"/validate", body, field)
			})
		}
	}
	if tried < 18 {
		t.Errorf("%d were tried", tried)
	}
}

// The names that a certificate is written with are no empty ones.
func TestCertificateServesNames(t *testing.T) {
	g := newGateway(newWorld(t))
	cert, key := certificate(t, time.Now().AddDate(1, 0, 0))
	pair := func(names ...any) object { return object{"cert": cert, "key": key, "snis": names} }
	g.refused(http.StatusBadRequest, http.MethodPost, "/certificates", pair("a.example.com", ""), "snis: length must be")
	g.put("/certificates/"+idA, pair("a.example.com"))
	g.refused(http.StatusBadRequest, http.MethodPut, "/certificates/"+idA, pair(""), "snis: length must be")
	if got := g.names("/snis", "name"); got != "a.example.com" {
		t.Errorf("names: %q", got)
	}
}
