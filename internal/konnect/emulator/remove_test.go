package emulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// eachType runs f in a world of its own for every type of the catalog.
func eachType(t *testing.T, f func(m *maker, b *catalog.Bound)) {
	t.Helper()
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range cat.All() {
		t.Run(b.Kind, func(t *testing.T) { f(&maker{w: newWorld(t), made: map[string][]string{}}, b) })
	}
}

// held is how many resources of a kind there are, but for those that Konnect
// made by itself.
func (w *world) held(b *catalog.Bound) int {
	w.t.Helper()
	n := 0
	list, _ := w.local(http.MethodGet, "/__local/state").field(b.Kind).([]any)
	for _, e := range list {
		if b.SystemFlag == "" || e.(object)[b.SystemFlag] != true {
			n++
		}
	}
	return n
}

// Of every type there is at most one with the same identity below a parent:
// a second one is refused, and one at the same key takes the place of the first. Only
// where each namespace may have one, Konnect keeps any number.
func TestEveryTypeIsUnique(t *testing.T) {
	eachType(t, func(m *maker, b *catalog.Bound) {
		if b.Create == nil && (b.Shape == catalog.Singleton || b.Parent == nil || brings(b)) || unlimited(b) {
			return // there is exactly one, or any number, or nobody creates one
		}
		ids := m.make(b)
		own := ids[len(ids)-1]
		op, path := m.creation(b, ids[:len(ids)-1], own)
		want, most := http.StatusConflict, 1
		if op.Method != http.MethodPost {
			want = writes(op)
		}
		if b.PerNamespace {
			want, most = http.StatusCreated, 2
		}
		body := m.last
		m.w.must(want, op.Method, path, body)
		if n := m.w.held(b); n != most {
			m.w.t.Errorf("there are %d", n)
		}
		if b.Parent == nil || b.Parent.Create == nil {
			return // there is no other parent
		}
		m.elsewhere(b)
		ids = m.parent(b)
		if ref, ok := b.Reference([]string{b.MapKey}); ok && m.made[ref.Kind] == nil {
			own = m.one(m.w.cat.Kind(ref.Kind)) // it stays below the same resource
		}
		ids = append(ids, own)
		op, path = m.creation(b, ids[:len(ids)-1], own)
		if b.Link != "" {
			body = catalog.LinkBody(b, ids[:len(ids)-1], own)
		}
		for _, ref := range b.References {
			m.refer(b, body, ref)
		}
		m.nameInside(b, body)
		switch {
		case len(b.Unique) > 0:
			want = http.StatusConflict
		case op.Method != http.MethodPost:
			want = writes(op)
		default:
			want = http.StatusCreated
		}
		m.w.must(want, op.Method, path, body)
	})
}

// What belongs to a resource goes with it, whatever the type.
func TestEveryTypeGoesWithItsParent(t *testing.T) {
	eachType(t, func(m *maker, b *catalog.Bound) {
		if b.Parent == nil || b.Parent.ReadOnly && b.Parent.ItemPath() == b.Parent.Path {
			return // nothing deletes the parent
		}
		ids := m.make(b)
		own := ids[len(ids)-1]
		if b.Create == nil && b.Shape == catalog.Singleton {
			path, err := b.Update.Expand(b.PathParams(b.Update, ids[:len(ids)-1], own))
			if err != nil {
				m.w.t.Fatal(err)
			}
			body := object{}
			if b.Orders != "" {
				body[catalog.OrderField(b)] = []any{}
			} else if b.Puts() {
				body = m.body(b, b.Update)
			}
			m.w.must(succeeds(b.Update), b.Update.Method, path, body)
		}
		if n := m.w.held(b); n != 1 {
			m.w.t.Fatalf("%d were made", n)
		}
		above := m.itemPath(b.Parent, ids[:len(ids)-1])
		if b.Parent.ForceDelete {
			m.w.must(http.StatusBadRequest, http.MethodDelete, above, nil)
			m.w.must(http.StatusBadRequest, http.MethodDelete, above+"?force=false", nil)
			above += "?force=true"
		}
		if b.Set != "" { // members go before what they are members of
			m.w.must(http.StatusConflict, http.MethodDelete, above, nil)
			m.w.must(succeeds(b.Update), b.Update.Method, above+strings.TrimPrefix(b.Path, b.Parent.ItemPath()), object{b.Set: []any{}})
		}
		m.w.must(http.StatusNoContent, http.MethodDelete, above, nil)
		if n := m.w.held(b); n != 0 {
			m.w.t.Errorf("%d are left", n)
		}
		if b.Read != nil && !b.Listed {
			path, err := b.Read.Expand(b.PathParams(b.Read, ids[:len(ids)-1], own))
			if err != nil {
				m.w.t.Fatal(err)
			}
			m.w.must(http.StatusNotFound, http.MethodGet, path, nil)
		}
	})
}

func (m *maker) itemPath(b *catalog.Bound, ids []string) string {
	m.w.t.Helper()
	if b.Delete == nil {
		_, path := m.creation(b, ids[:len(ids)-1], "")
		return path + "/" + ids[len(ids)-1]
	}
	path, err := b.Delete.Expand(b.PathParams(b.Delete, ids[:len(ids)-1], ids[len(ids)-1]))
	if err != nil {
		m.w.t.Fatal(err)
	}
	return path
}

// Every reference of every type: what the deletion of its target does is what
// the table says.
func TestEveryReferenceEndsAsTheTableSays(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range emulator.Endings(cat) {
		seen[e.Ends] = true
		if b, target := cat.Kind(e.Kind), cat.Kind(e.Target); target.ReadOnly && target.Writer == "" && target.Delete == nil || b.Orders != "" || inMappingsOfAList(b, e.Field) {
			continue // what nobody deletes does not end; an order is not created, and what stands in such a list is not followed
		}
		t.Run(e.Kind+"."+e.Field, func(t *testing.T) {
			m := &maker{w: newWorld(t), made: map[string][]string{}}
			m.ends(cat.Kind(e.Kind), e)
		})
	}
	for _, ends := range []string{"refused", "forced", "followed", "ignored"} {
		if !seen[ends] {
			t.Errorf("no reference is %s: that rule was not tried", ends)
		}
	}
}

// inMappingsOfAList reports whether a field stands in a mapping of a list.
func inMappingsOfAList(b *catalog.Bound, field string) bool {
	path := strings.Split(field, ".")
	if b.WriteOp() == nil || b.Writer != "" {
		return false
	}
	for n := 1; n < len(path); n++ {
		if s := b.WriteOp().Body().At(path[:n], nil); s != nil && s.Type == "array" {
			return true
		}
	}
	return false
}

func (m *maker) ends(b *catalog.Bound, e emulator.Ending) {
	w := m.w
	target := w.cat.Kind(e.Target)
	id := m.one(target)
	user := m.using(b, e.Field, id)
	path := m.itemPath(target, m.made[target.Kind])
	expect := func(status, left int, query string) {
		w.t.Helper()
		r := w.must(status, http.MethodDelete, path+query, nil)
		if status != http.StatusNoContent && !strings.Contains(r.text("detail")+r.text("message"), id) {
			w.t.Errorf("the refusal does not name what is used: %s", show(r.body))
		}
		if status != http.StatusNoContent && target == b {
			left++ // the target is one of them
		}
		if n := w.held(b); n != left {
			w.t.Errorf("%s: %d %s are left, want %d", e.Ends, n, b.Kind, left)
		}
	}
	switch e.Ends {
	case "refused":
		status := http.StatusConflict
		if b.Writer != "" {
			status = http.StatusBadRequest
		}
		expect(status, 1, "")
		w.must(http.StatusNoContent, http.MethodDelete, m.itemPath(b, user), nil)
		expect(http.StatusNoContent, 0, "")
	case "forced":
		expect(http.StatusConflict, 1, "")
		expect(http.StatusConflict, 1, "?force=false")
		expect(http.StatusNoContent, 0, "?force=true")
	case "followed":
		expect(http.StatusNoContent, 0, "")
	case "ignored":
		expect(http.StatusNoContent, 1, "")
		m.leavesAlone(b, user, e.Field)
	}
}

// leavesAlone changes another field of a resource than the one that refers to what is
// gone.
func (m *maker) leavesAlone(b *catalog.Bound, ids []string, field string) {
	if b.Update == nil || b.Set != "" {
		return
	}
	path, err := b.Update.Expand(b.PathParams(b.Update, ids[:len(ids)-1], ids[len(ids)-1]))
	if err != nil {
		m.w.t.Fatal(err)
	}
	body := object{}
	if b.Puts() {
		body = fitting(b.Update.Body(), m.read(b, ids))
	} else if f := m.changed(b); f != "" && f != field {
		body[f] = m.value(b.Update.Body().At([]string{f}, nil))
	}
	m.w.must(succeeds(b.Update), b.Update.Method, path, body)
}

// using makes a resource whose field refers to another.
func (m *maker) using(b *catalog.Bound, field, id string) []string {
	var ids []string
	if b.Parent != nil {
		ids = append(ids, m.parent(b)...)
	}
	op, _ := m.creation(b, ids, "-")
	body, key := m.body(b, op), ""
	switch {
	case field == b.MapKey:
		key = id
	case b.Shape == catalog.Map:
		key = m.key(b)
	}
	if field != b.MapKey {
		if b.Create != nil || b.Writer != "" { // else the path says it
			body = m.referring(op.Body(), body, strings.Split(field, "."), id)
		}
		for k, v := range m.gatewayExample(b) {
			if body[k] == nil {
				body[k] = v
			}
		}
	}
	if b.Link != "" {
		body = catalog.LinkBody(b, ids, key)
	}
	_, path := m.creation(b, ids, key)
	r := m.w.send(op.Method, path, body)
	if r.status != http.StatusCreated && r.status != http.StatusOK {
		m.w.t.Fatalf("%s: %d %s", op.Key(), r.status, show(r.body))
	}
	if key == "" {
		key = r.text("id")
	}
	return append(ids, key)
}

// referring sets a field; where it stands in another branch of a union than the
// body, that branch takes the body's place.
func (m *maker) referring(schema *contract.Schema, body object, path []string, id string) object {
	if property, branches := schema.Selector(); property != "" && schema.At(path, body) == nil {
		for _, value := range contract.SelectorValues(branches) {
			if branches[value].At(path, nil) != nil {
				body = m.required(branches[value])
				body[property] = value
				break
			}
		}
	} else if _, ok := body[path[0]]; !ok && len(schema.Branches()) > 0 {
		for _, branch := range schema.Branches() {
			if branch.At(path, nil) != nil {
				body = m.required(branch)
				if len(path) > 1 {
					body[path[0]] = m.required(branch.At(path[:1], nil))
				}
				break
			}
		}
	}
	if inner := schema.At(path[:1], nil); len(path) > 1 && inner != nil {
		if below, ok := body[path[0]].(object); ok && inner.At(path[1:], below) == nil {
			body[path[0]] = m.referring(inner, below, path[1:], id)
			return body
		}
	}
	at := body
	for _, seg := range path[:len(path)-1] {
		next, ok := at[seg].(object)
		if !ok {
			next = object{}
			at[seg] = next
		}
		at = next
	}
	last := path[len(path)-1]
	if at[last] = id; schema.At(path, nil) != nil && schema.At(path, nil).Type == "array" {
		at[last] = []any{id}
	}
	return body
}

// A reference that no row of the table names refuses; what goes together is not
// in its own way.
func TestReferencesRefuse(t *testing.T) {
	w := newWorld(t)
	base := "/v1/event-gateways/" + w.create("/v1/event-gateways", object{"name": "g", "min_runtime_version": "1.0"})
	backend := w.create(base+"/backend-clusters", object{
		"name": "b", "bootstrap_servers": []any{"kafka:9092"}, "authentication": object{"type": "anonymous"}, "tls": object{"enabled": false},
	})
	w.create(base+"/virtual-clusters", object{
		"name": "v", "destination": object{"id": backend}, "authentication": []any{object{"type": "anonymous"}}, "dns_label": "v", "acl_mode": "passthrough",
	})
	w.must(http.StatusConflict, http.MethodDelete, base+"/backend-clusters/"+backend, nil)
	w.must(http.StatusNoContent, http.MethodDelete, base, nil)
	w.must(http.StatusNotFound, http.MethodGet, base+"/backend-clusters/"+backend, nil)
}

// Every fixed answer is a row of its own and is served.
func TestFixedAnswers(t *testing.T) {
	w := newWorld(t)
	portal := w.create("/v3/portals", object{"name": "p"})
	w.create("/v3/portals/"+portal+"/identity-providers", object{"type": "oidc", "enabled": true, "config": object{"issuer_url": "https://id.example.com", "client_id": "p"}})
	user := w.must(http.StatusOK, http.MethodGet, "/v3/users/me", nil).text("id")
	cp := newGateway(w)
	w.must(http.StatusCreated, http.MethodPost, cp.path("/services"), object{"name": "s", "host": "h"})
	w.must(http.StatusCreated, http.MethodPost, cp.path("/partials"), object{"name": "p", "type": "redis-ce", "config": object{}})
	w.must(http.StatusCreated, http.MethodPost, cp.path("/consumers"), object{"username": "c"})
	w.must(http.StatusCreated, http.MethodPost, cp.path("/consumer_groups"), object{"name": "g"})
	team := w.create("/v3/teams", object{"name": "t"})
	ai := w.create("/v1/ai-gateways", object{"name": "a", "display_name": "a"})
	w.create("/v1/ai-gateways/"+ai+"/consumers", object{"name": "alice", "display_name": "Alice", "type": "api-key"})
	account := w.create("/v3/system-accounts", object{"name": "bot", "description": "builds"})
	card := (&maker{w: w, made: map[string][]string{}}).make(w.cat.Kind("scorecard"))[0]
	person := "/v3/users/" + user + "/access-tokens"
	machine := "/v3/system-accounts/" + account + "/access-tokens"
	fill := strings.NewReplacer(
		"/v3/portals/{portalId}/teams/{teamId}/", "/v3/portals/"+portal+"/teams/"+w.create("/v3/portals/"+portal+"/teams", object{"name": "t"})+"/",
		"/v3/users/{userId}/access-tokens/{tokenId}", person+"/"+w.create(person, object{"name": "ci", "ttl_seconds": 86400}),
		"/v3/system-accounts/{accountId}/access-tokens/{tokenId}", machine+"/"+w.create(machine, object{"name": "ci", "expires_at": "2030-01-02T03:04:05Z"}),
		"/v1/scorecards/{id}", "/v1/scorecards/"+card, "{apiId}", w.create("/v3/apis", object{"name": "a"}),
		"{accountId}", account, "{teamId}", team, "{gatewayId}", ai, "{consumerIdOrName}", "alice",
		"{portalId}", portal, "{userId}", user, "{templateName}", "reset-password",
		"{controlPlaneId}", cp.id, "{ServiceId}", "s", "{PartialId}", "p", "{ConsumerId}", "c", "{ConsumerGroupId}", "g",
		"{entity}", "service", "{pluginName}", "cors", "{partialType}", "redis-ce")
	for _, op := range emulator.FixedOperations() {
		method, path, _ := strings.Cut(op, " ")
		if method != http.MethodGet {
			continue // TestMemberships
		}
		if strings.HasSuffix(path, "/raw") {
			continue // TestImagesOfAPortal
		}
		t.Run(op, func(t *testing.T) {
			r := w.in(t).must(http.StatusOK, method, fill.Replace(path), nil)
			if len(r.object()) == 0 {
				t.Errorf("answers %s", show(r.body))
			}
		})
	}
	template := "/v3/portals/" + portal + "/email-templates/reset-password"
	w.must(http.StatusNotFound, http.MethodGet, template, nil)
	w.must(http.StatusBadRequest, http.MethodPatch, "/v3/portals/"+portal+"/email-templates/greeting", object{})
	one := w.must(http.StatusOK, http.MethodPatch, template, object{})
	if one.text("default_content", "subject") == "" || one.field("enabled") != true || one.field("content") != nil || one.text("created_at") == "" {
		t.Errorf("a template of a portal: %s", show(one.body))
	}
	names := contractEnum(w, "GET /v3/portals/email-templates/{templateName}", "templateName")
	for path, want := range map[string]int{"/v3/portals/email-templates": len(names), "/v3/portals/" + portal + "/email-templates": 1} {
		if n := len(w.must(http.StatusOK, http.MethodGet, path, nil).data()); n != want {
			t.Errorf("%s: %d templates, want %d of %d", path, n, want, len(names))
		}
	}
	if users := w.must(http.StatusOK, http.MethodGet, "/v3/users?filter[email][contains]=local", nil).data(); len(users) != 1 || users[0]["id"] != user {
		t.Errorf("users: %s", show(users))
	}
	if users := w.must(http.StatusOK, http.MethodGet, "/v3/users?filter[email][contains]=nobody", nil).data(); len(users) != 0 {
		t.Errorf("users that are not there: %s", show(users))
	}
	unknown := "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"
	for _, path := range []string{"/v3/users/" + unknown, "/v3/portals/" + unknown + "/email-templates", "/v3/portals/" + unknown + "/email-templates/reset-password"} {
		w.must(http.StatusNotFound, http.MethodGet, path, nil)
	}
	if role := w.must(http.StatusOK, http.MethodGet, "/v3/roles", nil).text("control_planes", "roles", "admin", "name"); role != "Admin" {
		t.Errorf("the role is %q", role)
	}
	open := w.local(http.MethodGet, "/v3/available-regions")
	if stable, _ := open.field("regions", "stable").([]any); open.status != http.StatusOK || len(stable) != 6 {
		t.Errorf("regions: %d %s", open.status, show(open.body))
	}
}

func contractEnum(w *world, key, param string) []any {
	method, path, _ := strings.Cut(key, " ")
	for _, p := range w.cat.Contract.Operation(method, path).Params() {
		if p.Name == param {
			return p.Schema.Deref().Enum
		}
	}
	return nil
}
