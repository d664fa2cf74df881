package emulator_test

import (
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// Of every type, a request in which all that may be left out is null does what the
// same request without them does, at any depth.
func TestNullMeansUnset(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range cat.All() {
		if b.ReadOnly && b.Writer == "" {
			continue
		}
		t.Run(b.Kind, func(t *testing.T) {
			m := &maker{w: newWorld(t), made: map[string][]string{}}
			ids := m.make(b)
			made := m.read(b, ids)
			m.createdWithNulls(b, made)
			m.updatedWithNulls(b, ids, made)
		})
	}
}

// createdWithNulls makes the same resource in another organization.
func (m *maker) createdWithNulls(b *catalog.Bound, want object) {
	t := m.w.t
	other := &maker{w: newWorld(t), made: map[string][]string{}, nulls: b}
	got := other.read(b, other.make(b))
	for k, v := range other.last {
		if v == nil && !cmp.Equal(want[k], got[k]) {
			t.Errorf("created with null for %s: %s, and without it: %s", k, show(got[k]), show(want[k]))
		}
	}
}

func (m *maker) updatedWithNulls(b *catalog.Bound, ids []string, before object) {
	t := m.w.t
	op := b.Update
	if op == nil {
		op = m.w.cat.Contract.Operation(http.MethodPut, b.ItemPath())
	}
	if op == nil {
		return
	}
	path, err := op.Expand(b.PathParams(op, ids[:len(ids)-1], ids[len(ids)-1]))
	if err != nil {
		t.Fatal(err)
	}
	body := m.last
	if b.Shape == catalog.Singleton && b.Create == nil {
		body = m.body(b, op)
	}
	body = fitting(op.Body(), body)
	if op.Method == http.MethodPut || b.Shape == catalog.Singleton {
		m.w.must(succeeds(op), op.Method, path, body)
		before = m.read(b, ids)
	}
	with := nulled(op.Body(), b.Write(), op.Body(), body).(object)
	m.w.must(succeeds(op), op.Method, path, with)
	if diff := cmp.Diff(before, m.read(b, ids), ignored); diff != "" {
		t.Errorf("%s %s (-without +with nulls):\n%s", op.Key(), show(with), diff)
	}
}

// Of every type, a required field that is null is as missing as one that is not sent.
func TestNullIsMissing(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, b := range cat.All() {
		if b.Create == nil || b.ReadOnly && b.Writer == "" || b.Link != "" || b.Set != "" {
			continue
		}
		t.Run(b.Kind, func(t *testing.T) {
			m := &maker{w: newWorld(t), made: map[string][]string{}}
			var ids []string
			if b.Parent != nil {
				ids = m.parent(b)
			}
			key := "-"
			if b.Shape == catalog.Map {
				key = m.key(b)
			}
			op, path := m.creation(b, ids, key)
			body := m.body(b, op)
			for _, name := range op.Body().Object(body).Names() {
				f := op.Body().Object(body).Field(name)
				if _, sent := body[name]; !sent || !f.Required || f.Schema.Nullable {
					continue
				}
				tried++
				without, null := maps.Clone(body), maps.Clone(body)
				delete(without, name)
				null[name] = nil
				for what, wrong := range map[string]object{"without it": without, "with null": null} {
					if r := m.w.send(op.Method, path, wrong); r.status != http.StatusBadRequest || !strings.Contains(r.raw, name) {
						t.Errorf("%s must have %s, and %s is answered with %d %s", op.Key(), name, what, r.status, r.raw)
					}
				}
			}
		})
	}
	if tried < 100 {
		t.Errorf("%d fields were tried", tried)
	}
}

// fitting is what of a body another operation takes.
func fitting(schema *contract.Schema, body object) object {
	out := object{}
	o := schema.Object(nil)
	for k, v := range body {
		f := o.Field(k)
		part, isMap := v.(object)
		switch {
		case f == nil:
		case isMap && len(f.Schema.Object(nil).Names()) > 0:
			out[k] = fitting(f.Schema, part)
		default:
			out[k] = v
		}
	}
	return out
}

// ignored is what every write changes: the time, and the version of event gateways.
var ignored = cmp.FilterPath(func(p cmp.Path) bool {
	return strings.Contains(p.GoString(), `"updated_at"`) || strings.HasSuffix(p.GoString(), `["version"]`) || strings.HasSuffix(p.GoString(), `["entity_version"]`) ||
		itemID.MatchString(p.GoString())
}, cmp.Ignore())

// itemID is the id of an item of a list: one that is sent without it is a new one.
var itemID = regexp.MustCompile(`\)\[\d+\]\.\(map\[string\](any|interface \{\})\)\["id"\]$`)

// read is what Konnect has of a resource.
func (m *maker) read(b *catalog.Bound, ids []string) object {
	m.w.t.Helper()
	op, own := b.Read, ids[len(ids)-1]
	if op == nil || b.Listed {
		op, own = b.List, ""
	}
	path, err := op.Expand(b.PathParams(op, ids[:len(ids)-1], own))
	if err != nil {
		m.w.t.Fatal(err)
	}
	return m.w.must(http.StatusOK, http.MethodGet, path, nil).object()
}

// nulled adds null for every field that is not there, not required and that the
// contract does not let be null, and for those of other variants: forms joins the
// variants of all unions that the value stands in.
func nulled(schema, needed, forms *contract.Schema, v any) any {
	schema, needed, forms = schema.Deref(), needed.Deref(), forms.Deref()
	switch x := v.(type) {
	case object:
		o, must, every := schema.Object(x), needed.Object(x), forms.Object(nil)
		out := object{}
		for k, e := range x {
			out[k] = e
			if f := o.Field(k); f != nil && must.Field(k) != nil {
				out[k] = nulled(f.Schema, must.Field(k).Schema, every.Field(k).Schema, e)
			}
		}
		for _, n := range o.Names() {
			f, g := o.Field(n), must.Field(n)
			if _, there := x[n]; !there && g != nil && !f.Required && !g.Required && !f.Schema.ReadOnly && !f.Schema.Nullable && len(f.Schema.Branches()) == 0 {
				out[n] = nil
			}
		}
		for _, n := range every.Names() { // of other variants
			if _, there := out[n]; !there && o.Field(n) == nil {
				out[n] = nil
			}
		}
		return out
	case []any:
		if schema == nil || schema.Items == nil || needed == nil || needed.Items == nil {
			return x
		}
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = nulled(schema.Items, needed.Items, forms.Item(), e)
		}
		return out
	default:
		return v
	}
}

// What other clients send as null.
func TestNullsOfOtherClients(t *testing.T) {
	w := newWorld(t)
	plane := w.create("/v2/control-planes", object{"name": "cp"})
	entities := "/v2/control-planes/" + plane + "/core-entities"
	portal := w.create("/v3/portals", object{"name": "p"})
	ssl := object{"domain_verification_method": "http", "custom_certificate": nil, "custom_private_key": nil}
	w.must(http.StatusBadRequest, http.MethodPost, "/v3/portals/"+portal+"/custom-domain", object{"hostname": "a.example.com", "enabled": true, "ssl": object{"domain_verification_method": "http", "typo": nil}})
	w.must(http.StatusCreated, http.MethodPost, "/v3/portals/"+portal+"/custom-domain", object{"hostname": "a.example.com", "enabled": true, "ssl": ssl})
	for _, row := range []struct {
		name, method, path string
		body               object
		want               int
	}{
		{"the port of a route's source", http.MethodPost, entities + "/routes", object{"name": "r", "protocols": []any{"tcp"}, "sources": []any{object{"ip": "10.0.0.1", "port": nil}}}, http.StatusCreated},
		{"the names of a service's certificate", http.MethodPost, entities + "/services", object{"name": "s", "protocol": "https", "host": "a.example", "tls_sans": object{"dnsnames": nil, "uris": nil}}, http.StatusCreated},
		{"a custom field of a service", http.MethodPost, "/v1/catalog-services", object{"name": "s", "display_name": "s", "custom_fields": object{"jira_project": nil}}, http.StatusCreated},
		{"the description of a team", http.MethodPost, "/v3/teams", object{"name": "t", "description": nil}, http.StatusCreated},
		{"the names of keys of a strategy", http.MethodPost, "/v2/application-auth-strategies", object{"name": "s", "display_name": "s", "strategy_type": "key_auth", "configs": object{"key-auth": object{"key_names": nil}}}, http.StatusCreated},
		{"the certificate of a domain", http.MethodPatch, "/v3/portals/" + portal + "/custom-domain", object{"ssl": object{"custom_certificate": nil, "custom_private_key": nil}}, http.StatusOK},
		{"settings of an identity provider", http.MethodPatch, "/v3/portals/" + portal + "/authentication-settings", object{"basic_auth_enabled": nil, "oidc_issuer": nil, "oidc_scopes": nil, "oidc_claim_mappings": object{"name": nil}}, http.StatusOK},
	} {
		t.Run(row.name, func(t *testing.T) { w.in(t).must(row.want, row.method, row.path, row.body) })
	}
}
