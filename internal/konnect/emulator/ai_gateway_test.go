package emulator_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// A key of a consumer is made up where it is left out, and shown once.
func TestKeysOfConsumersAreIssued(t *testing.T) {
	w := newWorld(t)
	gateway := "/v1/ai-gateways/" + w.create("/v1/ai-gateways", object{"name": "a", "display_name": "a"})
	consumer := w.create(gateway+"/consumers", object{"name": "alice", "display_name": "Alice", "type": "api-key"})
	keys := gateway + "/consumers/" + consumer + "/credentials"
	made := map[string]bool{}
	for _, body := range []object{
		{"name": "one", "display_name": "One", "type": "api-key"},
		{"name": "two", "display_name": "Two", "type": "api-key", "api_key": nil},
	} {
		r := w.must(http.StatusCreated, http.MethodPost, keys, body)
		key := r.text("api_key")
		if made[key] = true; len(key) < 32 {
			t.Errorf("key %q", key)
		}
		if read := show(w.must(http.StatusOK, http.MethodGet, keys+"/"+r.text("id"), nil).body); strings.Contains(read, "api_key") {
			t.Errorf("read: %s", read)
		}
	}
	if len(made) != 2 {
		t.Error("the keys are the same")
	}
	given := w.must(http.StatusCreated, http.MethodPost, keys, object{"name": "three", "display_name": "Three", "type": "api-key", "api_key": "canary"})
	if list := show(w.must(http.StatusOK, http.MethodGet, keys, nil).body); strings.Contains(list+show(given.body), "canary") || strings.Contains(list, "api_key") {
		t.Errorf("listed: %s", list)
	}
}

// The groups of a consumer are set as a whole, seen from the consumer.
func TestGroupsOfAConsumerAreSet(t *testing.T) {
	w := newWorld(t)
	gateway := "/v1/ai-gateways/" + w.create("/v1/ai-gateways", object{"name": "a", "display_name": "a"})
	w.create(gateway+"/consumers", object{"name": "alice", "display_name": "Alice", "type": "api-key"})
	w.create(gateway+"/consumers", object{"name": "bob", "display_name": "Bob", "type": "api-key"})
	ids := map[string]string{}
	for _, name := range []string{"one", "two", "three"} {
		ids[name] = w.create(gateway+"/consumer-groups", object{"name": name, "display_name": name})
	}
	w.must(http.StatusCreated, http.MethodPost, gateway+"/consumer-groups/"+ids["one"]+"/consumers", object{"consumer": "bob"})
	set := func(want string, names ...any) {
		t.Helper()
		r := w.must(http.StatusCreated, http.MethodPut, gateway+"/consumers/alice/consumer-groups", object{"consumer_groups": append([]any{}, names...)})
		if got, _ := r.field("consumer_groups").([]any); len(got) != len(names) {
			t.Errorf("answered %s", show(r.body))
		}
		var got []string
		for _, group := range w.must(http.StatusOK, http.MethodGet, gateway+"/consumers/alice/consumer-groups", nil).data() {
			got = append(got, group["name"].(string))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("groups %v, want %s", got, want)
		}
	}
	set("one two", "one", "two")
	set("two three", "two", ids["three"])
	w.must(http.StatusBadRequest, http.MethodPut, gateway+"/consumers/alice/consumer-groups", object{"consumer_groups": []any{"one", "four"}})
	if members := w.must(http.StatusOK, http.MethodGet, gateway+"/consumer-groups/"+ids["two"]+"/consumers", nil).data(); len(members) != 1 || members[0]["name"] != "alice" {
		t.Errorf("members: %s", show(members))
	}
	set("")
	if members := w.must(http.StatusOK, http.MethodGet, gateway+"/consumer-groups/"+ids["one"]+"/consumers", nil).data(); len(members) != 1 || members[0]["name"] != "bob" {
		t.Errorf("others: %s", show(members))
	}
}

// The names of AI gateways and of what lies below them stay.
func TestNamesOfAIGatewaysStay(t *testing.T) {
	w := newWorld(t)
	gateway := "/v1/ai-gateways/" + w.create("/v1/ai-gateways", object{"name": "a", "display_name": "a"})
	w.create(gateway+"/consumer-groups", object{"name": "g", "display_name": "G"})
	for path, name := range map[string]string{gateway: "a", gateway + "/consumer-groups/g": "g"} {
		if r := w.must(http.StatusBadRequest, http.MethodPut, path, object{"name": "other", "display_name": "New"}); !strings.Contains(show(r.body), "cannot be changed") {
			t.Errorf("renamed: %s", show(r.body))
		}
		if r := w.must(http.StatusOK, http.MethodPut, path, object{"name": name, "display_name": "New"}); r.text("display_name") != "New" {
			t.Errorf("replaced: %s", show(r.body))
		}
	}
}

// Over all types: what a field names with the same parent is there when it is written,
// and stays while it is named, as far as the contract lets a deletion be refused.
func TestNamesOfSiblings(t *testing.T) {
	tried := 0
	eachType(t, func(m *maker, b *catalog.Bound) {
		for _, n := range b.Namings {
			if n.Inside != "" {
				continue
			}
			target := m.w.cat.Kind(n.Kind)
			m.one(target)
			named := m.itemPath(target, m.made[n.Kind])
			name := m.w.must(http.StatusOK, http.MethodGet, named, nil).text("name")
			for _, field := range n.Fields {
				if b.Write().At(value.ParsePath(field)[:1], nil).Type != "array" || strings.Contains(field, ".") {
					continue // of the fields that are lists of names
				}
				tried++
				parents := m.parent(b)
				op, path := m.creation(b, parents, "")
				body := m.body(b, op)
				body[field] = []any{name, "missing"}
				m.w.must(http.StatusBadRequest, op.Method, path, body)
				body[field] = []any{name}
				made := m.w.create(path, body)
				want := http.StatusNoContent
				for _, status := range []int{http.StatusBadRequest, http.StatusConflict} {
					if slices.Contains(target.Delete.Statuses, strconv.Itoa(status)) {
						want = status
					}
				}
				m.w.must(want, http.MethodDelete, named, nil)
				m.w.must(http.StatusNoContent, http.MethodDelete, m.itemPath(b, append(slices.Clone(parents), made)), nil)
				if want != http.StatusNoContent {
					m.w.must(http.StatusNoContent, http.MethodDelete, named, nil)
				}
				m.made = map[string][]string{b.Parent.Kind: m.made[b.Parent.Kind]}
				m.one(target)
				named = m.itemPath(target, m.made[n.Kind])
				name = m.w.must(http.StatusOK, http.MethodGet, named, nil).text("name")
			}
		}
	})
	if tried < 5 {
		t.Errorf("%d fields were tried", tried)
	}
}

// A model names its provider and who may use it: neither is deleted before.
func TestModelsNameTheirProviders(t *testing.T) {
	w := newWorld(t)
	gateway := func(name string) string {
		base := "/v1/ai-gateways/" + w.create("/v1/ai-gateways", object{"name": name, "display_name": name})
		w.create(base+"/model-providers", object{"name": "p", "display_name": "P", "type": "openai", "config": object{"auth": object{"type": "basic", "headers": []any{object{"name": "a", "value": "b"}}}}})
		return base
	}
	one, other := gateway("one"), gateway("other")
	model := func(provider string) object {
		return object{
			"name": "m", "display_name": "M", "type": "model", "formats": []any{object{"type": "openai"}}, "capabilities": []any{"generate"},
			"targets": []any{object{"provider": provider, "name": "gpt", "config": object{"type": "openai"}}}, "config": object{"route": object{}},
		}
	}
	w.must(http.StatusBadRequest, http.MethodPost, one+"/models", model("missing"))
	id := w.create(one+"/models", model("p"))
	w.must(http.StatusBadRequest, http.MethodPut, one+"/models/"+id, model("missing"))
	w.must(http.StatusConflict, http.MethodDelete, one+"/model-providers/p", nil)
	w.must(http.StatusNoContent, http.MethodDelete, other+"/model-providers/p", nil)
	w.must(http.StatusNoContent, http.MethodDelete, one, nil)
}
