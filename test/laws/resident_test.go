package laws

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

const residents = 150

// bareID is the id that stands in samples for what nobody can declare.
const bareID = "7f0aa1a4-3b5c-4d5e-8f00-0000000000aa"

// resident is the identity of one of the resources that nobody can declare and
// that every world has. The last one is that of examples.
func resident(n int) string {
	if n == residents {
		return "someone@example.com"
	}
	return fmt.Sprintf("resident-%d@example.com", n)
}

// lender is an embedded Konnect whose control planes have the service of bare ids
// while something that names it is written, or it is asked for: what nobody can declare would keep them
// from being deleted.
type lender struct {
	next http.RoundTripper
	mu   sync.Mutex
}

// lent stands for what decK makes on a control plane of the same plan: the service of
// bare ids.
type lent struct{}

// MakesID reports whether it has the id.
func (lent) MakesID(_ *resource.Type, id string) bool { return id == bareID }

// lend attaches what is lent to the control planes of a configuration.
func lend(set *resource.Set) {
	for _, r := range set.Resources {
		if slices.ContainsFunc(r.Type.Children, func(c *resource.Type) bool { return c.Writer != "" && c.Referred }) {
			r.Attached = append(r.Attached, &resource.Resource{Type: r.Type, Native: lent{}})
		}
	}
}

func (l *lender) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, "/core-entities/services/"+bareID) {
		return l.lend(req, *req.URL)
	}
	if req.Body == nil {
		return l.next.RoundTrip(req)
	}
	raw, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	req.Body = io.NopCloser(bytes.NewReader(raw))
	var body struct {
		Service struct {
			ID           string `json:"id"`
			ControlPlane string `json:"control_plane_id"`
		} `json:"service"`
	}
	if json.Unmarshal(raw, &body) != nil || body.Service.ID != bareID || body.Service.ControlPlane == "" {
		return l.next.RoundTrip(req)
	}
	at := *req.URL
	at.Path, at.RawPath, at.RawQuery = "/v2/control-planes/"+body.Service.ControlPlane+"/core-entities/services/"+bareID, "", ""
	return l.lend(req, at)
}

// lend sends a request while there is a service.
func (l *lender) lend(req *http.Request, at url.URL) (*http.Response, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.send(req, http.MethodPut, at, `{"host":"lent.example.com"}`); err != nil {
		return nil, err
	}
	resp, err := l.next.RoundTrip(req)
	return resp, errors.Join(err, l.send(req, http.MethodDelete, at, ""))
}

func (l *lender) send(of *http.Request, method string, to url.URL, body string) error {
	req := of.Clone(of.Context())
	req.Method, req.URL, req.Body, req.ContentLength = method, &to, io.NopCloser(strings.NewReader(body)), int64(len(body))
	req.Header.Set("Content-Type", "application/json")
	resp, err := l.next.RoundTrip(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// dropBelowResidents deletes what belongs to residents, as long as what it refers
// to is there: sync never deletes it.
func (s *scene) dropBelowResidents(text string) {
	if s.t.Top().ReadOnly {
		s.drop(text)
	}
}

// populated is a store with residents of every root that nobody writes here.
func populated(t *testing.T, cat *catalog.Catalog) store.Store {
	t.Helper()
	s := store.NewMemory()
	if err := s.Update(func(tx store.Tx) error {
		for _, b := range cat.All() {
			if b.ReadOnly && b.Parent != nil && b.Writer == "" && b.Referred { // what bare ids lead to
				tx.Put(&store.Record{Kind: b.Kind, ID: bareID, Created: time.Unix(0, 0), Updated: time.Unix(0, 0), Fields: b.Example, Made: map[string]any{}})
			}
			if !b.ReadOnly || b.Parent != nil {
				continue
			}
			if b.List.Unpublished { // any id may be named, and must exist
				for _, id := range append(exampleIDs(cat, b), bareID) {
					at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
					tx.Put(&store.Record{Kind: b.Kind, ID: id, Created: at, Updated: at, Unique: id, Fields: map[string]any{b.Identity[0]: id}, Made: map[string]any{}})
				}
			}
			for n := range residents + 1 {
				at := time.Date(2025, 1, 1, 0, 0, n, 0, time.UTC)
				name := resident(n)
				if own, ok := b.Example[b.Identity[0]].(string); ok && n == residents {
					name = own
				}
				id := fmt.Sprintf("7f0aa1a4-3b5c-4d5e-8f00-%012d", n)
				if b.IDField != "" {
					id = name
				}
				tx.Put(&store.Record{
					Kind: b.Kind, ID: id, Created: at, Updated: at,
					Unique: name, Fields: map[string]any{b.Identity[0]: name}, Made: map[string]any{},
				})
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return s
}

// exampleIDs are the ids of resources of a type that examples of others name.
func exampleIDs(cat *catalog.Catalog, of *catalog.Bound) []string {
	var out []string
	for _, b := range cat.All() {
		for _, ref := range b.References {
			if id, ok := b.Example[ref.Field].(string); ok && ref.Kind == of.Kind {
				out = append(out, id)
			}
		}
	}
	return out
}

// The id of a service that no part of the plan makes is looked for below the control
// plane that exists.
func TestServiceThatExistsIsRead(t *testing.T) {
	w := newWorld(t)
	w.unlent = true
	there := "control_planes: [{ref: cp, name: cp, kongctl: {namespace: laws}}]\n"
	w.run(w.plan(there, plan.ModeApply))
	p := w.plan(there+"apis: [{ref: a, name: a, kongctl: {namespace: laws}, implementations: [{ref: i, service: {id: "+bareID+", control_plane_id: cp}}]}]", plan.ModeApply)
	if len(p.Changes) != 2 {
		t.Errorf("%d changes are planned, want the API and its implementation", len(p.Changes))
	}
	if op := "GET /v2/control-planes/{controlPlaneId}/core-entities/services/{ServiceId}"; witnessed.Operations()[op] == 0 {
		t.Errorf("%s was not seen to succeed", op)
	}
}
