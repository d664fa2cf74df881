// Package sdk lets the official Go SDK of Konnect drive the embedded one, over
// real HTTP and TLS, in the names of the real hosts.
//
// In: the types of the catalog and samples.yaml. Out: test failures. It is a
// module of its own, so that the SDK, which takes minutes to compile, never
// enters the program's; and it must never be imported.
package sdk

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/intercept"
)

const each, pageSize = 3, 2

// TestSDK creates, reads, lists by pages, updates and deletes resources of every
// type, and asserts that no operation of the catalog was left out.
func TestSDK(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	samples := loadSamples(t)
	w, n := serve(t, cat), 0
	for _, b := range cat.All() {
		if b.List != nil && b.List.Unpublished {
			continue // the SDK does not have it
		}
		t.Run(b.Kind, func(t *testing.T) {
			if _, ok := samples[b.Kind]; !ok {
				t.Fatal("samples.yaml has no sample")
			}
			s := &scene{t: t, driver: w.driver, cat: cat, samples: samples, n: &n, made: map[string]resource{}}
			s.run(b)
		})
	}
	for _, b := range cat.All() { // last, for others lie below them
		if resident(b) {
			t.Run("remove "+b.Kind, func(t *testing.T) {
				s := &scene{t: t, driver: w.driver, cat: cat, samples: samples, n: &n, made: map[string]resource{}}
				s.remove(s.reference(b.Kind))
			})
		}
	}
	w.complete(t)
}

// world is an embedded Konnect under the names of the real one.
type world struct {
	cat    *catalog.Catalog
	addr   string
	driver *driver
}

func serve(t *testing.T, cat *catalog.Catalog) *world {
	t.Helper()
	srv, err := emulator.New(cat, emulator.Options{Strict: func(op, problem string) { t.Errorf("%s answers against the contract: %s", op, problem) }})
	if err != nil {
		t.Fatal(err)
	}
	authority, err := intercept.OpenAuthority(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	raw, err := os.ReadFile(authority.File())
	if err != nil {
		t.Fatal(err)
	}
	pool.AppendCertsFromPEM(raw)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- intercept.Serve(ctx, ln, srv, authority) }()
	addr := ln.Addr().String()
	// Whatever the address, the connection goes to this machine.
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", addr)
		},
	}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &world{cat: cat, addr: addr, driver: newDriver(&http.Client{Transport: transport})}
}

// complete asserts that every operation of the catalog was called.
func (w *world) complete(t *testing.T) {
	t.Helper()
	res, err := http.Get("http://" + w.addr + "/__local/requests")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var log struct {
		ByOperation map[string]int `json:"by_operation"`
	}
	if err := json.NewDecoder(res.Body).Decode(&log); err != nil {
		t.Fatal(err)
	}
	operations := 0
	for _, b := range w.cat.All() {
		for _, op := range []*contract.Operation{b.Create, b.Read, b.List, b.Update, b.Delete} {
			if op == nil || op.Unpublished {
				continue
			}
			operations++
			if log.ByOperation[op.Key()] == 0 {
				t.Errorf("the SDK did not call %s", op.Key())
			}
		}
	}
	t.Logf("the SDK called %d operations of the catalog", operations)
}

// scene is what is made for one type.
type scene struct {
	t       *testing.T
	driver  *driver
	cat     *catalog.Catalog
	samples map[string]sample
	n       *int                // tells names apart
	made    map[string]resource // what ${kind} stands for
	name    string              // of what is changed: ${name}
}

// resource is something that was made: ids from the root to its own.
type resource struct {
	b    *catalog.Bound
	id   string
	name string
	path []string // ids of the ancestors
}

func (s *scene) run(b *catalog.Bound) {
	var above []string
	if b.Parent != nil {
		parent := s.parent(b)
		above = append(append(above, parent.path...), parent.id)
	}
	kept := maps.Clone(s.made)
	if of := s.samples[b.Kind]; b.Writer == "" && of.Below == "" && of.By == "" {
		kept = s.above(b) // what it refers to lies below the same resources
	}
	count := each
	if b.Shape == catalog.Singleton || s.samples[b.Kind].Single || resident(b) {
		count = 1
	}
	var all []resource
	for range count {
		s.forget(kept) // all that it refers to is made again
		all = append(all, s.create(b, above))
	}
	s.list(b, all)
	s.change(all[0])
	if resident(b) {
		return // nobody could make it again
	}
	for _, r := range all {
		s.remove(r)
	}
	for _, other := range s.samples[b.Kind].Also {
		s.forget(kept)
		s.remove(s.createFrom(other, b, above))
	}
}

// parent is one that can have resources of a type.
func (s *scene) parent(b *catalog.Bound) resource {
	if len(b.Under) == 0 {
		return s.reference(b.Parent.Kind)
	}
	fields := maps.Clone(s.samples[b.Parent.Kind].Create)
	maps.Copy(fields, b.Under)
	return s.createFrom(fields, b.Parent, nil)
}

// above is what was made for a type to lie below.
func (s *scene) above(b *catalog.Bound) map[string]resource {
	out := map[string]resource{}
	for up := b.Parent; up != nil; up = up.Parent {
		if r, ok := s.made[up.Kind]; ok {
			out[up.Kind] = r
		}
	}
	return out
}

// forget lets all be made again but for some.
func (s *scene) forget(kept map[string]resource) {
	if s.made = maps.Clone(kept); s.made == nil {
		s.made = map[string]resource{}
	}
}

// reference is a resource of the kind, made when first asked for.
func (s *scene) reference(kind string) resource {
	s.t.Helper()
	if r, ok := s.made[kind]; ok {
		return r
	}
	b := s.cat.Kind(kind)
	if b == nil {
		s.t.Fatalf("samples.yaml refers to the unknown kind %s", kind)
	}
	var above []string
	if b.Parent != nil {
		parent := s.reference(b.Parent.Kind)
		above = append(append(above, parent.path...), parent.id)
	}
	s.made[kind] = s.create(b, above)
	return s.made[kind]
}

// call calls an operation on a resource; any error fails the test.
func (s *scene) call(op *contract.Operation, r resource, body map[string]any, query map[string]string) map[string]any {
	s.t.Helper()
	what := ask{op: op, path: r.b.PathParams(op, r.path, r.id), query: query, body: body}
	if op.Item {
		item := map[string]any{"op": "add", "path": "operations/" + r.id}
		if len(body) > 0 {
			item["value"] = body
		}
		what.op, what.body, what.list = op.Carrier(), nil, []any{item}
	}
	out, err := s.driver.call(s.t.Context(), what)
	if err != nil {
		s.t.Fatalf("%s: %v", op.Key(), err)
	}
	object, ok := out.(map[string]any)
	if list, isList := out.([]any); isList {
		return map[string]any{"": list}
	}
	if out != nil && !ok {
		s.t.Fatalf("%s: the SDK returned %v", op.Key(), out)
	}
	if wrapper := op.Wrapper(); wrapper != "" && object != nil {
		object, _ = object[wrapper].(map[string]any)
	}
	return object
}

// resident tells whether resources of a type are there from the start, and no
// operation makes more.
func resident(b *catalog.Bound) bool {
	return b.ReadOnly && b.Parent == nil && b.Create == nil && !b.List.Unpublished
}

func (s *scene) create(b *catalog.Bound, above []string) resource {
	s.t.Helper()
	if resident(b) {
		return s.first(b)
	}
	return s.createFrom(s.samples[b.Kind].Create, b, above)
}

func (s *scene) createFrom(sample map[string]any, b *catalog.Bound, above []string) resource {
	s.t.Helper()
	*s.n++
	r := resource{b: b, path: above}
	if by := s.samples[b.Kind].By; by != "" {
		s.createFrom(sample, s.cat.Kind(by), above)
		property, _, _ := b.List.Envelope()
		items, _ := s.call(b.List, r, nil, nil)[property].([]any)
		last, _ := items[len(items)-1].(map[string]any)
		r.id, _ = last["id"].(string)
		return r
	}
	body := s.body(sample)
	if b.Shape == catalog.Map {
		r.id = s.key(b)
	}
	if b.Link != "" {
		body = catalog.LinkBody(b, above, r.id)
	}
	op, at := b.Create, r
	if below := s.samples[b.Kind].Below; below != "" {
		op, at.id = s.nested(b, below), s.reference(below).id
	}
	if op == nil {
		return r
	}
	out := s.call(op, at, body, nil)
	for _, name := range s.samples[b.Kind].Differs {
		if have, shown := out[name]; !shown || fmt.Sprint(have) == fmt.Sprint(body[name]) {
			s.t.Errorf("samples.yaml: %s does not come back in another form than %v: it need not be listed (%v)", name, body[name], have)
		}
		delete(body, name)
	}
	if b.Link == "" { // a link answers with its ends, or with nothing
		s.echoed(op, body, out)
	}
	if b.Shape != catalog.Map {
		r.id, _ = out[idField(b)].(string)
	}
	r.name, _ = out["name"].(string)
	if r.id == "" && b.Shape != catalog.Singleton {
		s.t.Fatalf("%s: the SDK returned no id: %v", op.Key(), out)
	}
	return r
}

// first is the first resource of a list.
func (s *scene) first(b *catalog.Bound) resource {
	s.t.Helper()
	r := resource{b: b}
	property, _, _ := b.List.Envelope()
	if items, _ := s.call(b.List, r, nil, s.firstPage(b.List))[property].([]any); len(items) > 0 {
		item, _ := items[0].(map[string]any)
		r.id, _ = item[idField(b)].(string)
	}
	if r.id == "" {
		s.t.Fatalf("%s: nothing is there", b.List.Key())
	}
	return r
}

// key is the key of a new resource of a Map: that of the sample, or one of those
// that the contract names.
func (s *scene) key(b *catalog.Bound) string {
	if names := catalog.Keys(b); len(names) > 0 {
		return names[*s.n%len(names)]
	}
	key, _ := expand(s.samples[b.Kind].Key, s.value).(string)
	return key
}

// nested finds the operation that creates resources below one of another kind.
func (s *scene) nested(b *catalog.Bound, below string) *contract.Operation {
	s.t.Helper()
	for _, op := range s.cat.Contract.Operations() {
		if _, schema := op.Success(); op.Method == http.MethodPost && strings.HasPrefix(op.Path, s.cat.Kind(below).Path+"/{") &&
			schema.Deref().Name == b.Returned().Deref().Name {
			return op
		}
	}
	s.t.Fatalf("no way to create %s below %s", b.Kind, below)
	return nil
}

// echoed asserts that an answer shows what was sent, as far as it shows it.
func (s *scene) echoed(op *contract.Operation, sent, got map[string]any) {
	s.t.Helper()
	for k, want := range sent {
		have, shown := got[k]
		_, isMap := want.(map[string]any)
		_, isList := want.([]any)
		if shown && !isMap && !isList && fmt.Sprint(have) != fmt.Sprint(want) {
			s.t.Errorf("%s: %s was sent as %v and came back as %v", op.Key(), k, want, have)
		}
	}
}

// change updates a resource and reads it again.
func (s *scene) change(r resource) {
	s.t.Helper()
	s.name = r.name
	body := s.body(s.samples[r.b.Kind].Update)
	if (r.b.Update == nil) != (body == nil) {
		s.t.Errorf("samples.yaml: update: %v, and the catalog: %v", body, r.b.Update)
	}
	if r.b.Update != nil {
		s.echoed(r.b.Update, body, s.call(r.b.Update, r, body, nil))
	}
	if r.b.Read != nil {
		s.echoed(r.b.Read, body, s.call(r.b.Read, r, nil, nil))
	}
}

// list reads all pages and asserts that the resources are in them.
func (s *scene) list(b *catalog.Bound, all []resource) {
	s.t.Helper()
	if b.List == nil {
		return
	}
	found := map[string]bool{}
	pages := 0
	for query := s.firstPage(b.List); query != nil; pages++ {
		body := s.call(b.List, resource{b: b, path: all[0].path}, nil, query)
		property, _, _ := b.List.Envelope()
		items, _ := body[property].([]any)
		if b.List.Paging() != contract.PagingNone && len(items) > pageSize && query["page[size]"]+query["size"] != "" {
			s.t.Fatalf("%s: a page has %d items, want at most %d", b.List.Key(), len(items), pageSize)
		}
		for _, item := range items {
			if m, ok := item.(map[string]any); ok {
				found[fmt.Sprint(m[idField(b)])] = true
			}
		}
		query = nextPage(b.List.Paging(), query, body, len(items))
	}
	for _, r := range all {
		if !found[r.id] {
			s.t.Errorf("%s: %s is not in its %d pages", b.List.Key(), r.id, pages)
		}
	}
	if b.List.Paging() != contract.PagingNone && s.pages(b.List) && len(all) > pageSize && pages < 2 {
		s.t.Errorf("%s: all came in %d page", b.List.Key(), pages)
	}
}

// idField is the field that stands in the path.
func idField(b *catalog.Bound) string {
	return cmp.Or(b.KeyIn, b.IDField, "id")
}

// pages tells whether the list takes a page size at all.
func (s *scene) pages(op *contract.Operation) bool {
	_, named := op.Query("page[size]")
	_, plain := op.Query("size")
	return named || plain
}

// remove deletes a resource and asserts that it is gone.
func (s *scene) remove(r resource) {
	s.t.Helper()
	if r.b.Delete == nil {
		return
	}
	var body map[string]any
	if r.b.Emptied != "" {
		body = catalog.Emptying(r.b, r.b.Fields(s.call(r.b.Read, r, nil, nil)))
	}
	s.call(r.b.Delete, r, body, nil)
	if r.b.Read == nil {
		return
	}
	_, err := s.driver.call(s.t.Context(), ask{op: r.b.Read, path: r.b.PathParams(r.b.Read, r.path, r.id)})
	if err == nil || s.driver.wire.status != http.StatusNotFound {
		s.t.Errorf("%s after a delete: %d, %v", r.b.Read.Key(), s.driver.wire.status, err)
	}
}
