package emulator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/test/witness"
)

// loadCatalog decodes the contract once for all tests.
var loadCatalog = sync.OnceValues(catalog.Load)

// refused counts the refusals that a witness has found right.
var refused witness.Log

// world is an embedded Konnect behind real HTTP. The clock advances by a second
// with every reading, and an answer that breaks the contract fails the test, by a
// witness also one that refuses.
type world struct {
	t    *testing.T
	cat  *catalog.Catalog
	srv  *emulator.Server
	http *httptest.Server
}

func newWorld(t *testing.T) *world { return newWorldOn(t, store.NewMemory()) }

func newWorldOn(t *testing.T, kept store.Store) *world {
	t.Helper()
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	srv, err := emulator.New(cat, emulator.Options{
		Store: kept, Clock: tick(), NewID: uuid.NewString, Region: "eu", Version: "test",
		Strict: func(op, problem string) { t.Errorf("%s answers against the contract: %s", op, problem) },
	})
	if err != nil {
		t.Fatal(err)
	}
	third, err := witness.New(t, &refused)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(third.Refusals(srv))
	t.Cleanup(h.Close)
	return &world{t: t, cat: cat, srv: srv, http: h}
}

// in is the same world seen from a subtest.
func (w *world) in(t *testing.T) *world {
	c := *w
	c.t = t
	return &c
}

func tick() func() time.Time {
	var mu sync.Mutex
	now := time.Date(2025, time.March, 1, 12, 0, 0, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

// reply is an answer, decoded.
type reply struct {
	status int
	header http.Header
	body   any
	raw    string
}

func (r reply) object() map[string]any { m, _ := r.body.(map[string]any); return m }

func (r reply) field(path ...string) any {
	var v any = r.object()
	for _, p := range path {
		m, _ := v.(map[string]any)
		v = m[p]
	}
	return v
}

func (r reply) text(path ...string) string { s, _ := r.field(path...).(string); return s }

func (r reply) data() []map[string]any {
	list, _ := r.field("data").([]any)
	out := make([]map[string]any, len(list))
	for i, e := range list {
		out[i], _ = e.(map[string]any)
	}
	return out
}

// send makes a request with a token and a JSON body.
func (w *world) send(method, path string, body any) reply {
	w.t.Helper()
	if fields, ok := body.(object); ok && method == http.MethodPatch {
		path, body = w.asItem(path, fields)
	}
	return w.sendWith(method, path, body, map[string]string{"Authorization": "Bearer test", "Content-Type": "application/json"})
}

func (w *world) sendWith(method, path string, body any, header map[string]string) reply {
	w.t.Helper()
	var in io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		in = bytes.NewBufferString(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			w.t.Fatal(err)
		}
		in = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.http.URL+path, in)
	if err != nil {
		w.t.Fatal(err)
	}
	for k, v := range header {
		req.Header.Set(k, v)
	}
	resp, err := w.http.Client().Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	out := reply{status: resp.StatusCode, header: resp.Header, raw: string(raw)}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &out.body); err != nil {
			w.t.Fatalf("%s %s answers %q: %v", method, path, raw, err)
		}
	}
	return out
}

// must sends and expects a status.
func (w *world) must(status int, method, path string, body any) reply {
	w.t.Helper()
	r := w.send(method, path, body)
	if r.status != status {
		w.t.Fatalf("%s %s: status %d, want %d: %s", method, path, r.status, status, show(r.body))
	}
	return r
}

// create posts and returns the id.
func (w *world) create(path string, body any) string {
	w.t.Helper()
	r := w.must(http.StatusCreated, http.MethodPost, path, body)
	id := r.text("id")
	if id == "" {
		id = r.text("item", "id")
	}
	return id
}

func show(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// object is short for a JSON object.
type object = map[string]any

// legacyPath tells the paths whose errors have a form of their own.
func legacyPath(path string) bool {
	return strings.Contains(path, "/core-entities/") || strings.Contains(path, "/dp-client-certificates")
}
