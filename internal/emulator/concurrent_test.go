package emulator_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"kongctl/internal/emulator"
)

// Many clients at once: no name is given twice, no update is lost, and nothing
// answers with a fault of the server.
func TestManyClientsAtOnce(t *testing.T) {
	for _, row := range []struct {
		name  string
		store func(*testing.T) emulator.Store
	}{
		{"memory", func(*testing.T) emulator.Store { return emulator.NewMemory() }},
		{"bolt", func(t *testing.T) emulator.Store { return openBolt(t, t.TempDir()) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorldOn(t, row.store(t))
			shared := w.create("/v3/portals", object{"name": "shared"})
			const clients = 16
			var wg sync.WaitGroup
			created := make([]int, clients)
			for i := range clients {
				wg.Go(func() {
					r := w.send(http.MethodPost, "/v3/portals", object{"name": "contested"})
					if r.status == http.StatusCreated {
						created[i]++
					} else if r.status != http.StatusConflict {
						t.Errorf("create: %d", r.status)
					}
					if r := w.send(http.MethodPatch, "/v3/portals/"+shared, object{"labels": object{fmt.Sprintf("client-%d", i): "here"}}); r.status != http.StatusOK {
						t.Errorf("patch: %d", r.status)
					}
					if r := w.send(http.MethodPost, "/v3/portals/"+shared+"/pages", object{"slug": fmt.Sprint(i), "content": "x"}); r.status != http.StatusCreated {
						t.Errorf("page: %d", r.status)
					}
					if r := w.send(http.MethodGet, "/v3/portals?sort=name&page[size]=5", nil); r.status != http.StatusOK {
						t.Errorf("list: %d", r.status)
					}
					w.send(http.MethodGet, "/__local/state", nil)
					w.send(http.MethodGet, "/__local/requests", nil)
				})
			}
			wg.Wait()
			sum := 0
			for _, n := range created {
				sum += n
			}
			if sum != 1 {
				t.Errorf("the contested name was given %d times", sum)
			}
			r := w.must(http.StatusOK, http.MethodGet, "/v3/portals/"+shared, nil)
			if n := len(r.field("labels").(object)); n != clients {
				t.Errorf("%d labels of %d survived", n, clients)
			}
			if n := len(w.must(http.StatusOK, http.MethodGet, "/v3/portals/"+shared+"/pages", nil).data()); n != clients {
				t.Errorf("%d pages of %d survived", n, clients)
			}
		})
	}
}
