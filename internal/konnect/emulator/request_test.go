package emulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

func TestTokenIsRequired(t *testing.T) {
	w := newWorld(t)
	for _, row := range []struct {
		name, authorization string
		want                int
	}{
		{"no token", "", http.StatusUnauthorized},
		{"another scheme", "Basic YTpi", http.StatusUnauthorized},
		{"an empty token", "Bearer ", http.StatusUnauthorized},
		{"any token", "Bearer kpat_x", http.StatusOK},
		{"the scheme in lower case", "bearer kpat_x", http.StatusOK},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			header := map[string]string{}
			if row.authorization != "" {
				header["Authorization"] = row.authorization
			}
			r := w.sendWith(http.MethodGet, "/v3/portals", nil, header)
			if r.status != row.want {
				t.Fatalf("status %d, want %d", r.status, row.want)
			}
			if r.status == http.StatusUnauthorized {
				w.problem(r, "UnauthorizedError")
			}
		})
	}
}

func TestPathsThatLeadNowhere(t *testing.T) {
	w := newWorld(t)
	unknown := "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"
	portal := w.create("/v3/portals", object{"name": "one"})
	other := w.create("/v3/portals", object{"name": "two"})
	team := w.create("/v3/portals/"+portal+"/teams", object{"name": "crew"})
	for _, row := range []struct {
		name, method, path string
		want               int
	}{
		{"a path that Konnect does not have", http.MethodGet, "/v3/nothing", http.StatusNotFound},
		{"an unknown id", http.MethodGet, "/v3/portals/" + unknown, http.StatusNotFound},
		{"a list below an unknown parent", http.MethodGet, "/v3/portals/" + unknown + "/pages", http.StatusNotFound},
		{"a singleton of an unknown parent", http.MethodGet, "/v3/portals/" + unknown + "/customization", http.StatusNotFound},
		{"a singleton that was not created", http.MethodGet, "/v3/portals/" + portal + "/custom-domain", http.StatusNotFound},
		{"a child below another parent", http.MethodGet, "/v3/portals/" + other + "/teams/" + team, http.StatusNotFound},
		{"a grandchild below another parent", http.MethodGet, "/v3/portals/" + other + "/teams/" + team + "/assigned-roles", http.StatusNotFound},
		{"an id that is no UUID", http.MethodGet, "/v3/portals/dev", http.StatusBadRequest},
		{"a parent's id that is no UUID", http.MethodGet, "/v3/portals/dev/pages", http.StatusBadRequest},
		{"a method that the path does not have", http.MethodPut, "/v3/portals", http.StatusMethodNotAllowed},
		{"a write that is not served", http.MethodPost, "/v3/openmeter/customers", http.StatusNotImplemented},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			r := w.send(row.method, row.path, nil)
			if r.status != row.want {
				t.Fatalf("status %d, want %d: %s", r.status, row.want, show(r.body))
			}
			if row.want == http.StatusBadRequest {
				w.problem(r, "BadRequestError")
			} else {
				w.problem(r, "NotFoundError")
			}
			if row.want == http.StatusMethodNotAllowed && r.header.Get("Allow") != "GET, POST" {
				t.Errorf("Allow: %q", r.header.Get("Allow"))
			}
			if row.want == http.StatusNotImplemented && !strings.Contains(r.text("detail"), "create-customer") {
				t.Errorf("detail %q does not name the operation", r.text("detail"))
			}
		})
	}
}

// problem checks the form of a refusal against a schema of the contract.
func (w *world) problem(r reply, schema string) {
	w.t.Helper()
	if got := r.header.Get("Content-Type"); got != "application/problem+json" {
		w.t.Errorf("content type %q", got)
	}
	for _, v := range w.cat.Contract.Validate(schema, contract.Response, r.body, nil) {
		w.t.Errorf("%s: %s in %s", schema, v.Error(), show(r.body))
	}
	if r.field("status") != float64(r.status) {
		w.t.Errorf("status in the body: %v", r.field("status"))
	}
	if !strings.HasPrefix(r.text("instance"), "konnect:trace:") {
		w.t.Errorf("instance %q", r.text("instance"))
	}
}

func TestBodiesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("x", 256)
	many := object{}
	for i := range 51 {
		many["k"+strings.Repeat("x", i)] = "v"
	}
	label := func(key string) object { return object{"name": "p", "labels": object{key: "v"}} }
	for _, row := range []struct {
		name        string
		path        string
		body        any
		field, rule string
	}{
		{"nothing", "/v3/portals", nil, "", "required"},
		{"no JSON", "/v3/portals", "{", "", "invalid"},
		{"JSON and more", "/v3/portals", `{"name":"p"} {}`, "", "invalid"},
		{"a body that is not UTF-8", "/v3/portals", "{\"name\":\"p\xff\"}", "", "invalid"},
		{"a key twice", "/v3/portals", `{"name":"p","name":"q"}`, "", "invalid"},
		{"a key twice, once in another spelling", "/v3/portals", `{"name":"p","n\u0061me":"q"}`, "", "invalid"},
		{"a key twice below", "/v3/portals", `{"name":"p","labels":{"a":"b","a":null}}`, "", "invalid"},
		{"a key twice in a list", "/v2/application-auth-strategies", `{"name":"p","configs":[1,{"a":{},"b":[],"a":1}]}`, "", "invalid"},
		{"a number that is too large", "/v3/portals", `{"name":1e999}`, "name", "invalid"},
		{"a number that is too small", "/v2/application-auth-strategies", `{"name":"p","configs":[1,{"a":[1e-400]}]}`, "configs[1].a[0]", "invalid"},
		{"a list", "/v3/portals", `[]`, "", "is_object"},
		{"a required field is missing", "/v3/portals", object{}, "name", "required"},
		{"a field that is not known", "/v3/portals", object{"name": "p", "colour": "red"}, "colour", "unknown_property"},
		{"a field that only Konnect sets", "/v3/portals", object{"name": "p", "default_domain": "a.b"}, "default_domain", "unknown_property"},
		{"another type", "/v3/portals", object{"name": 1}, "name", "type"},
		{"null where there must be a value", "/v3/portals", object{"name": nil}, "name", "type"},
		{"a value outside of the enum", "/v3/portals", object{"name": "p", "default_api_visibility": "secret"}, "default_api_visibility", "enum"},
		{"a text that is too long", "/v3/portals", object{"name": long}, "name", "invalid"},
		{"a text that does not match", "/v1/catalog-services", object{"name": "With Space", "display_name": "x"}, "name", "matches_regex"},
		{"an id that is no UUID", "/v3/portals", object{"name": "p", "default_application_auth_strategy_id": "x"}, "default_application_auth_strategy_id", "is_uuid"},
		{"a variant that does not exist", "/v2/application-auth-strategies", object{"name": "s", "display_name": "s", "strategy_type": "magic", "configs": object{}}, "strategy_type", "enum"},
		{"a field of another variant", "/v2/application-auth-strategies", object{
			"name": "s", "display_name": "s", "strategy_type": "key_auth", "configs": object{"key-auth": object{}}, "dcr_provider_id": "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7",
		}, "dcr_provider_id", "unknown_property"},
		{"a reference to nothing", "/v3/portals", object{"name": "p", "default_application_auth_strategy_id": "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"}, "default_application_auth_strategy_id", "missing_reference"},
		{"a label key with a slash", "/v3/portals", label("a/b"), "labels.a/b", "is_label"},
		{"an empty label key", "/v3/portals", label(""), "labels.", "is_label"},
		{"a label key that is too long", "/v3/portals", label(strings.Repeat("k", 64)), "labels." + strings.Repeat("k", 64), "is_label"},
		{"a label key of kong's", "/v3/portals", label("kong-x"), "labels.kong-x", "is_label"},
		{"a label key of konnect's", "/v3/portals", label("konnect"), "labels.konnect", "is_label"},
		{"a label key of mesh's", "/v3/portals", label("mesh.x"), "labels.mesh.x", "is_label"},
		{"a label key of kic's", "/v3/portals", label("kicx"), "labels.kicx", "is_label"},
		{"a label key with an underscore", "/v3/portals", label("_x"), "labels._x", "is_label"},
		{"a label value with a slash", "/v3/portals", object{"name": "p", "labels": object{"k": "a/b"}}, "labels.k", "matches_regex"},
		{"too many labels", "/v3/portals", object{"name": "p", "labels": many}, "labels", "invalid"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			r := w.must(http.StatusBadRequest, http.MethodPost, row.path, row.body)
			w.problem(r, "BadRequestError")
			first := r.field("invalid_parameters").([]any)[0].(object)
			if first["field"] != row.field || first["rule"] != row.rule || first["source"] != "body" {
				t.Errorf("invalid parameter %s, want field %q, rule %q", show(first), row.field, row.rule)
			}
		})
	}
	if n := len(w.must(http.StatusOK, http.MethodGet, "/v3/portals", nil).data()); n != 0 {
		t.Errorf("%d portals were created by requests that were refused", n)
	}
}

// The same key may be in several mappings, and a value may look like one.
func TestKeysThatOnlyLookRepeated(t *testing.T) {
	w := newWorld(t)
	w.must(http.StatusCreated, http.MethodPost, "/v3/portals", `{"name":"name","labels":{"name":"name","Name":"name"},"description":"labels"}`)
	g := newGateway(w)
	g.must(http.StatusOK, http.MethodPut, g.path("/plugins/"+idA),
		`{"name":"openid-connect","config":{"issuer":"https://idp","client_jwk":[{"kid":"kid"},{"kid":"kid"}],"scopes":["issuer","issuer"]}}`)
}

func TestLabelKeysThatOnlyLookReserved(t *testing.T) {
	w := newWorld(t)
	labels := object{"KONGCTL-namespace": "default", "Kong": "x", "a": "y", strings.Repeat("k", 63): "z"}
	r := w.must(http.StatusCreated, http.MethodPost, "/v3/portals", object{"name": "p", "labels": labels})
	if show(r.field("labels")) != show(labels) {
		t.Errorf("labels %s", show(r.field("labels")))
	}
}

func TestContentType(t *testing.T) {
	w := newWorld(t)
	for _, row := range []struct {
		name, path, media string
		want              int
	}{
		{"text", "/v3/portals", "text/plain", http.StatusBadRequest},
		{"none", "/v3/portals", "", http.StatusBadRequest},
		{"text where the contract has 415", "/v3/apis", "text/plain", http.StatusUnsupportedMediaType},
		{"JSON with a character set", "/v3/portals", "application/json; charset=utf-8", http.StatusCreated},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			r := w.sendWith(http.MethodPost, row.path, object{"name": "x"}, map[string]string{"Authorization": "Bearer x", "Content-Type": row.media})
			if r.status != row.want {
				t.Errorf("status %d, want %d: %s", r.status, row.want, show(r.body))
			}
		})
	}
}

func TestQueriesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	for _, row := range []struct{ name, path string }{
		{"a page size of zero", "/v3/portals?page[size]=0"},
		{"a page size that is too large", "/v3/portals?page[size]=1001"},
		{"a page size that is no number", "/v3/portals?page[size]=ten"},
		{"page zero", "/v3/portals?page[number]=0"},
		{"a field that cannot be filtered by", "/v3/portals?filter[colour]=red"},
		{"labels where the contract does not filter by them", "/v3/portals?filter[labels.team]=red"},
		{"an operator that is not known", "/v3/portals?filter[name][like]=a"},
		{"an operator that the field does not have", "/v3/portals?filter[id][contains]=a"},
		{"a filter without a field", "/v3/portals?filter=a"},
		{"a parameter that is not known", "/v3/portals?colour=red"},
		{"a field that cannot be sorted by", "/v3/portals?sort=colour"},
		{"an order that is neither", "/v3/portals?sort=name%20sideways"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			r := w.must(http.StatusBadRequest, http.MethodGet, row.path, nil)
			w.problem(r, "BadRequestError")
			if first := r.field("invalid_parameters").([]any)[0].(object); first["source"] != "query" {
				t.Errorf("source %v", first["source"])
			}
		})
	}
}

func TestCoreEntitiesRefuseInTheirOwnForm(t *testing.T) {
	w := newWorld(t)
	cp := w.create("/v2/control-planes", object{"name": "cp"})
	base := "/v2/control-planes/" + cp + "/core-entities/services"
	r := w.must(http.StatusBadRequest, http.MethodPost, base, object{"name": "s"})
	if r.field("code") != float64(3) || r.text("message") == "" || len(r.field("details").([]any)) != 1 {
		t.Errorf("400: %s", show(r.body))
	}
	r = w.must(http.StatusNotFound, http.MethodGet, base+"/none", nil)
	if r.field("code") != float64(5) || r.text("message") == "" {
		t.Errorf("404: %s", show(r.body))
	}
}
