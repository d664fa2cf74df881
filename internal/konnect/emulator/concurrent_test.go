package emulator_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// Many clients at once: no name is given twice, no update is lost, and nothing
// answers with a fault of the server.
func TestManyClientsAtOnce(t *testing.T) {
	for _, row := range []struct {
		name  string
		store func(*testing.T) store.Store
	}{
		{"memory", func(*testing.T) store.Store { return store.NewMemory() }},
		{"bolt", func(t *testing.T) store.Store { return openBolt(t, t.TempDir()) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorldOn(t, row.store(t))
			w.http.Client().Transport.(*http.Transport).MaxIdleConnsPerHost = clients
			c := &crowd{w: w}
			for i := range clients / shared { // a portal takes at most 50 labels
				c.portals = append(c.portals, w.create("/v3/portals", object{"name": fmt.Sprintf("shared-%d", i)}))
			}
			var wg sync.WaitGroup
			for i := range clients {
				wg.Go(func() { c.client(i) })
			}
			wg.Wait()
			c.check()
		})
	}
}

const (
	clients = 100
	shared  = 25 // clients of one portal
	rounds  = 4
)

// crowd is many clients of the same portals.
type crowd struct {
	w         *world
	portals   []string
	contested atomic.Int64
}

// send expects one of some statuses.
func (c *crowd) send(method, path string, body any, want ...int) reply {
	r := c.w.send(method, path, body)
	if !slices.Contains(want, r.status) {
		c.w.t.Errorf("%s %s: %d %s", method, path, r.status, show(r.body))
	}
	return r
}

func (c *crowd) client(i int) {
	portal := "/v3/portals/" + c.portals[i/shared]
	if c.send(http.MethodPost, "/v3/portals", object{"name": "contested"}, http.StatusCreated, http.StatusConflict).status == http.StatusCreated {
		c.contested.Add(1)
	}
	for n := range rounds {
		c.send(http.MethodPatch, portal, object{"labels": object{fmt.Sprintf("client-%d", i): fmt.Sprintf("round-%d", n)}}, http.StatusOK)
		page := c.send(http.MethodPost, portal+"/pages", object{"slug": fmt.Sprintf("%d-%d", i, n), "content": "x"}, http.StatusCreated).text("id")
		c.send(http.MethodPatch, portal+"/pages/"+page, object{"title": fmt.Sprintf("Page %d of client %d", n, i)}, http.StatusOK)
		if n == 0 {
			c.send(http.MethodDelete, portal+"/pages/"+page, nil, http.StatusNoContent)
		}
		c.send(http.MethodGet, "/v3/portals?sort=name&page[size]=5", nil, http.StatusOK)
	}
	c.send(http.MethodGet, "/__local/requests", nil, http.StatusOK)
}

// check finds every update that was acknowledged.
func (c *crowd) check() {
	t := c.w.t
	if n := c.contested.Load(); n != 1 {
		t.Errorf("the contested name was given %d times", n)
	}
	for p, id := range c.portals {
		labels, _ := c.w.must(http.StatusOK, http.MethodGet, "/v3/portals/"+id, nil).field("labels").(object)
		titles := map[any]any{}
		for _, page := range c.w.must(http.StatusOK, http.MethodGet, "/v3/portals/"+id+"/pages", nil).data() {
			titles[page["slug"]] = page["title"]
		}
		if len(titles) != shared*(rounds-1) {
			t.Errorf("portal %d has %d pages, want %d", p, len(titles), shared*(rounds-1))
		}
		for i := p * shared; i < (p+1)*shared; i++ {
			if got := labels[fmt.Sprintf("client-%d", i)]; got != fmt.Sprintf("round-%d", rounds-1) {
				t.Errorf("the last label of client %d is lost: %v", i, got)
			}
			for n := 1; n < rounds; n++ {
				if got := titles[fmt.Sprintf("%d-%d", i, n)]; got != fmt.Sprintf("Page %d of client %d", n, i) {
					t.Errorf("page %d of client %d is called %v", n, i, got)
				}
			}
		}
	}
}
