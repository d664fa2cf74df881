package emulator_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
)

// requestPage is the page of a request to a path.
func (w *world) requestPage(target string) sheet {
	w.t.Helper()
	list := read(w.t, w.srv, pageRequest(w.t, http.MethodGet, "/", nil))
	link := list.links[target]
	if link == "" {
		w.t.Fatalf("the log has no %s: %s", target, list.text)
	}
	return read(w.t, w.srv, pageRequest(w.t, http.MethodGet, link, nil))
}

func TestPageShowsRequests(t *testing.T) {
	w := newWorld(t)
	bad := `<script>alert("1")</script>`
	w.create("/v3/portals", object{"name": bad, "labels": object{"a": "b"}})
	w.must(http.StatusOK, http.MethodGet, "/v3/portals?filter%5Bname%5D%5Bcontains%5D=ale&page[size]=5", nil)
	w.must(http.StatusBadRequest, http.MethodGet, "/v3/teams?api_key=canary", nil)
	w.must(http.StatusBadRequest, http.MethodPost, "/v3/teams", "no JSON")
	w.sendWith(http.MethodPost, "/v3/apis", object{"name": "unread"}, nil)

	list := read(t, w.srv, pageRequest(t, http.MethodGet, "/", nil))
	const target = "/v3/portals?filter[name][contains]=ale&page[size]=5"
	if list.links[target] == "" || list.links["/v3/teams?api_key=[hidden]"] == "" || strings.Contains(list.text, "canary") {
		t.Errorf("the log shows %v", list.links)
	}
	for path, want := range map[string][]string{
		"/v3/portals": {"POST /v3/portals", "status 201", `"name": "<script>`, `"labels": {`, `"created_at":`, "later"},
		target:        {"GET " + target, "Empty.", `"data": [`, "earlier", "later"},
		"/v3/teams":   {"status 400", "it is not JSON", "is not JSON: invalid character"},
		"/v3/apis":    {"status 401", "Empty.", "A valid token is required"},
	} {
		got := w.requestPage(path)
		for _, text := range want {
			if !strings.Contains(strings.Join(strings.Fields(got.text), " "), text) {
				t.Errorf("%s lacks %q: %s", path, text, got.text)
			}
		}
		if got.status != http.StatusOK || got.tags["script"] != 0 || !strings.Contains(got.header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %d %v", path, got.status, got.header)
		}
		if strings.Contains(got.text, "Bearer") || strings.Contains(got.text, "unread") {
			t.Errorf("%s shows a header, or what nobody read: %s", path, got.text)
		}
	}
	for _, n := range []string{"0", "99", "-1", "x", ""} {
		if r := w.local(http.MethodGet, "/__local/request?n="+n); r.status != http.StatusNotFound {
			t.Errorf("request %q: %d", n, r.status)
		}
	}
}

// The log keeps the beginning of long bodies, and shows as much of it as is JSON.
func TestPageCutsBodies(t *testing.T) {
	w := newWorld(t)
	portal := w.create("/v3/portals", object{"name": "p"})
	w.create("/v3/portals/"+portal+"/pages", object{"slug": "a", "content": strings.Repeat("long ", 20_000), "title": "behind"})
	got := w.requestPage("/v3/portals/" + portal + "/pages")
	if !strings.Contains(got.text, "keeps 16384 of") || strings.Contains(got.text, "long long") || len(got.text) > 1<<16 {
		t.Errorf("%d bytes are shown of a long body", len(got.text))
	}
	for i := range 100 {
		w.create("/v3/apis", object{"name": fmt.Sprintf("api-%02d", i), "description": strings.Repeat("x", 300)})
	}
	w.must(http.StatusOK, http.MethodGet, "/v3/apis?page[size]=100", nil)
	got = w.requestPage("/v3/apis?page[size]=100")
	if n := strings.Count(got.text, `"name": "api-`); n < 10 || n > 90 || !strings.Contains(got.text, "Cut:") {
		t.Errorf("%d of 100 are shown of a long list", n)
	}
	cp := w.create("/v2/control-planes", object{"name": "cp"})
	plugins := "/v2/control-planes/" + cp + "/core-entities/plugins"
	for i := range 30 {
		service := w.create("/v2/control-planes/"+cp+"/core-entities/services", object{"name": fmt.Sprintf("s-%02d", i), "host": "h"})
		w.create(plugins, object{"name": "session", "service": object{"id": service}, "config": object{"secret": "canary-of-a-list"}, "tags": []any{strings.Repeat("t", 500)}})
	}
	w.must(http.StatusOK, http.MethodGet, plugins+"?size=100", nil)
	got = w.requestPage(plugins + "?size=100")
	if n := strings.Count(got.text, `"secret": "[hidden]"`); n < 3 || n > 28 || strings.Contains(got.text, "canary") {
		t.Errorf("%d secrets are hidden in a long list", n)
	}
	// What follows could say which fields are secret, so nothing is shown.
	one := plugins + "/" + uuid.NewString()
	w.send(http.MethodPut, one, `{"config":{"secret":"canary-of-one"},"tags":["a"],"other":"`+strings.Repeat("y", 20_000)+`","name":"session"}`)
	if got = w.requestPage(one); strings.Contains(got.text, "canary") || !strings.Contains(got.text, "secrets cannot be recognized") {
		t.Errorf("a plugin that is cut: %s", got.text)
	}
}

// No secret field of any type, and none of any plugin, reaches the pages of the
// log, whether Konnect takes the request or refuses it.
func TestRequestPagesHaveNoSecrets(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	planted, kinds := 0, 0
	for _, b := range cat.All() {
		w := newWorld(t)
		m := &maker{w: w, made: map[string][]string{}}
		op := b.Create
		if op == nil {
			op, _ = m.nested(b)
		}
		if op == nil {
			op = b.Update
		}
		if op == nil || op.Body() == nil {
			continue
		}
		p := &planter{}
		fields, _ := p.plant(op.Body(), 0).(object)
		if fields == nil {
			fields = object{}
		}
		if b.Kind == "gateway_key_auth" {
			fields["key"] = p.canary()
		}
		if b.Kind == "gateway_vault" {
			fields["config"] = object{"prefix": p.canary()}
		}
		if p.n == 0 {
			continue
		}
		kinds, planted = kinds+1, planted+p.n
		t.Run(b.Kind, func(t *testing.T) {
			m.w = w.in(t)
			m.sendSecrets(b, op, fields)
			m.noCanary()
		})
	}
	t.Logf("%d secret fields of %d types", planted, kinds)
	if kinds < 10 || planted < 50 {
		t.Errorf("only %d secret fields of %d types", planted, kinds)
	}
	t.Run("plugins", func(t *testing.T) {
		w := newWorld(t)
		cp := w.create("/v2/control-planes", object{"name": "cp"})
		m, p := &maker{w: w}, &planter{}
		for i, name := range plugin.Names() {
			config := p.record(plugin.Lookup(name).Config)
			config["my_api_key"] = p.canary()
			w.send(http.MethodPost, "/v2/control-planes/"+cp+"/core-entities/plugins", object{"config": config, "name": name, "tags": []any{"authorization:" + p.canary()}})
			if i%50 == 0 {
				m.noCanary()
			}
		}
		m.noCanary()
		if p.n < 300 {
			t.Errorf("only %d secret fields of plugins", p.n)
		}
	})
}

// No secret field of any operation of the contract passes the mask: neither in a
// request, nor in the answer, alone or in a list, nor where the answer quotes it.
func TestMaskKnowsEveryOperation(t *testing.T) {
	w := newWorld(t)
	planted := 0
	for _, op := range w.cat.Contract.Operations() {
		if op.Body() == nil {
			continue
		}
		params := map[string]string{}
		for _, name := range op.PathParams() {
			params[name] = "x"
		}
		path, err := op.Expand(params)
		if err != nil {
			t.Fatal(err)
		}
		p := &planter{}
		fields, _ := p.plant(op.Body(), 0).(object)
		if p.n == 0 {
			continue
		}
		planted += p.n
		again := func() (copied object) {
			if err := json.Unmarshal([]byte(show(fields)), &copied); err != nil {
				t.Fatal(err)
			}
			return copied
		}
		for name, answer := range map[string]any{
			"one": again(), "a list": object{"data": []any{again()}}, "an item": object{"item": again()}, "nothing": nil,
			"a quote": object{"detail": "must not be " + canaries.FindString(show(fields))},
		} {
			sent, told := w.srv.Masked(op.Method, path, again(), answer)
			if text := show(sent) + show(told); strings.Contains(text, "canary") || !strings.Contains(text, "[hidden]") {
				t.Errorf("%s, %s: %s", op.Key(), name, text)
			}
		}
	}
	t.Logf("%d secret fields", planted)
	if planted < 100 {
		t.Errorf("only %d secret fields", planted)
	}
}

// sendSecrets sends all secrets of a type at once, those of exclusive branches too,
// and then one body that is valid but for them, and reads what became of it.
func (m *maker) sendSecrets(b *catalog.Bound, op *contract.Operation, fields object) {
	var ids []string
	own := "-"
	if b.Parent != nil {
		ids = append(ids, m.parent(b)...)
	}
	if b.Shape == catalog.Map {
		own = m.key(b)
	}
	if b.Create == nil && op != b.Update {
		_, ref := m.nested(b)
		own = m.one(m.w.cat.Kind(ref.Kind))
	}
	path, err := op.Expand(b.PathParams(op, ids, own))
	if err != nil {
		m.w.t.Fatal(err)
	}
	m.w.send(op.Method, path, fields)
	valid := m.body(b, op)
	graft(valid, fields)
	r := m.w.send(op.Method, path, valid)
	if id := r.text("id"); id != "" {
		own = id
	} else if id := r.text("item", "id"); id != "" {
		own = id
	}
	for _, read := range []*contract.Operation{b.List, b.Read} {
		if read == nil {
			continue
		}
		if path, err := read.Expand(b.PathParams(read, ids, own)); err == nil {
			m.w.send(http.MethodGet, path, nil)
		}
	}
}

// graft puts canaries in place of the texts that a body has.
func graft(body, fields object) {
	for k, v := range body {
		switch x := v.(type) {
		case string:
			if text, ok := fields[k].(string); ok && !strings.Contains(x, "BEGIN") {
				body[k] = text
			}
		case object:
			if below, ok := fields[k].(object); ok {
				graft(x, below)
			}
		}
	}
	for k, v := range fields {
		if _, has := body[k]; !has {
			if _, isText := v.(string); isText {
				body[k] = v
			}
		}
	}
}

// noCanary reads the pages of all requests that the log has.
func (m *maker) noCanary() {
	m.w.t.Helper()
	list := read(m.w.t, m.w.srv, pageRequest(m.w.t, http.MethodGet, "/", nil))
	if canaries.MatchString(list.text) {
		m.w.t.Errorf("the page shows a secret: %s", list.text)
	}
	seen := 0
	for n := 1; n < 1000; n++ {
		got := m.w.requestText(n)
		if got == "" {
			if seen > 0 {
				break
			}
			continue
		}
		seen++
		if at := canaries.FindStringIndex(got); at != nil {
			m.w.t.Errorf("request %d shows a secret: …%s…", n, got[max(0, at[0]-300):at[1]])
		}
	}
	if seen == 0 {
		m.w.t.Error("the log has no requests")
	}
}

// requestText is the page of a request; empty when the log does not have it.
func (w *world) requestText(n int) string {
	w.t.Helper()
	got := read(w.t, w.srv, pageRequest(w.t, http.MethodGet, fmt.Sprintf("/__local/request?n=%d", n), nil))
	if got.status != http.StatusOK {
		return ""
	}
	return got.text
}

var canaries = regexp.MustCompile(`canary-\d{4}`)

// planter makes values with a canary in every secret field.
type planter struct{ n int }

func (p *planter) canary() string { p.n++; return fmt.Sprintf("canary-%04d", p.n) }

// plant is a value of a schema with its secret fields and no others, of all
// branches of unions; nil where there are none.
func (p *planter) plant(schema *contract.Schema, depth int) any {
	schema = schema.Deref()
	if schema == nil || depth > 8 {
		return nil
	}
	if schema.Items != nil {
		if v := p.plant(schema.Items, depth+1); v != nil {
			return []any{v}
		}
		return nil
	}
	out := object{}
	for _, part := range append(slices.Concat([]*contract.Schema{schema}, schema.AllOf), schema.Branches()...) {
		if part = part.Deref(); part != schema {
			if below, ok := p.plant(part, depth+1).(object); ok {
				overlayAll(out, below)
			}
			continue
		}
		for _, name := range part.Object(nil).Names() {
			f := part.Properties[name].Deref()
			switch {
			case f == nil:
			case f.Secret:
				out[name] = p.canary()
			default:
				if v := p.plant(f, depth+1); v != nil {
					out[name] = v
				}
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func overlayAll(into, from object) {
	for k, v := range from {
		below, ok := v.(object)
		if have, both := into[k].(object); ok && both {
			overlayAll(have, below)
			continue
		}
		into[k] = v
	}
}

// record is the configuration of a plugin with its secret fields and no others.
func (p *planter) record(f *plugin.Field) object {
	out := object{}
	for _, x := range f.Fields {
		if v := p.field(x); v != nil {
			out[x.Name] = v
		}
	}
	return out
}

func (p *planter) field(f *plugin.Field) any {
	if f.IsSecret() {
		return p.canary()
	}
	switch f.Kind {
	case plugin.KindRecord:
		if v := p.record(f); len(v) > 0 {
			return v
		}
	case plugin.KindArray, plugin.KindSet:
		if v := p.field(f.Element); v != nil {
			return []any{v}
		}
	case plugin.KindMap:
		if v := p.field(f.Element); v != nil {
			return object{"any": v}
		}
	}
	return nil
}
