package emulator_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// What a list answers to a filter is what the whole list shows with that value in
// that field: for every type, and every filter that the contract has.
func TestFiltersSeeWhatListsShow(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, b := range cat.All() {
		if b.List == nil || len(b.List.Filters()) == 0 {
			continue
		}
		t.Run(b.Kind, func(t *testing.T) {
			m := &maker{w: newWorld(t), made: map[string][]string{}}
			ids := m.make(b)
			if several(b) {
				m.make(b)
			}
			path, err := b.List.Expand(b.PathParams(b.List, ids[:len(ids)-1], ids[len(ids)-1]))
			if err != nil {
				t.Fatal(err)
			}
			l := filteredList{w: m.w, op: b.List, path: path}
			for _, field := range slices.Sorted(maps.Keys(b.List.Filters())) {
				place := shownAt(b, field)
				if place == "" {
					continue
				}
				for _, v := range l.values(place) {
					l.asks(field, place, v)
					asked++
				}
			}
		})
	}
	if asked < 200 {
		t.Errorf("only %d filters were asked for", asked)
	}
}

// several reports whether the maker can make a second resource beside the first.
func several(b *catalog.Bound) bool {
	return b.Create != nil && b.Create.Method == http.MethodPost && len(b.Identity) == 1 && b.Identity[0] == "name" && b.Example["name"] == nil && !b.ReadOnly && b.MapKey == ""
}

// shownAt is where the items of a list show what a filter is about; "" where they do
// not.
func shownAt(b *catalog.Bound, field string) string {
	if place, ok := map[string]string{
		"control_plane cluster_type": "config.cluster_type", "control_plane cloud_gateway": "config.cloud_gateway",
		"application_auth_strategy dcr_provider_id": "dcr_provider.id", "application_auth_strategy dcr_provider_name": "dcr_provider.name",
		"application_auth_strategy dcr_provider_type": "dcr_provider.provider_type",
		"dcr_provider initial_client_id":              "dcr_config.initial_client_id", "dcr_provider initial_client_audience": "dcr_config.initial_client_audience",
		"gateway_consumer name": "username", "portal_developer name": "full_name", "api_version type": "spec.type",
		"event_gateway_virtual_cluster backend_cluster_id": "destination.id",
		"metering_llm_cost_override provider":              "provider.id", "metering_llm_cost_override model_id": "model.id", "metering_llm_cost_override model_name": "model.name",
		"metering_feature meter_id": "meter.id", "portal_email_domain verification_status": "verification.status",
		"api_implementation service_id": "service.id", "api_package_operation api_id": "api.id",
		"portal_application developer_id": "owner.id", "portal_application_registration application_name": "application.name",
		"api_publication auth_strategy_id": "auth_strategy_ids", "api_package_publication auth_strategy_id": "auth_strategy_ids",
	}[b.Kind+" "+field]; ok {
		return place
	}
	if _, item, _ := b.List.Envelope(); item.At(strings.Split(field, "."), nil) == nil {
		return ""
	}
	return field
}

// filteredList is a list that can be filtered.
type filteredList struct {
	w    *world
	op   *contract.Operation
	path string
}

func (l filteredList) get(query string) []object {
	l.w.t.Helper()
	if _, ok := l.op.Query("page[size]"); ok {
		query += "&page[size]=100"
	}
	r := l.w.must(http.StatusOK, http.MethodGet, l.path+"?"+strings.TrimPrefix(query, "&"), nil)
	property, _, _ := l.op.Envelope()
	list, _ := r.body.([]any)
	if property != "" {
		list, _ = r.field(property).([]any)
	}
	out := make([]object, len(list))
	for i, x := range list {
		out[i], _ = x.(object)
	}
	return out
}

// at is what an item shows at a place; a switch that is not shown is off.
func (l filteredList) at(item object, place string) []string {
	have := textsAt(item, place)
	_, schema, _ := l.op.Envelope()
	if field := schema.At(strings.Split(place, "."), nil); len(have) == 0 && field != nil && field.Deref().Type == "boolean" {
		return []string{"false"}
	}
	return have
}

// textsAt are the texts that an item shows at a place.
func textsAt(item any, place string) []string {
	v := item
	if place != "" {
		for _, name := range strings.Split(place, ".") {
			fields, _ := v.(object)
			v = fields[name]
		}
	}
	switch x := v.(type) {
	case nil, object:
		return nil
	case []any:
		var out []string
		for _, e := range x {
			out = append(out, textsAt(e, "")...)
		}
		return out
	default:
		return []string{fmt.Sprint(x)}
	}
}

// values are those that a place has in a list.
func (l filteredList) values(place string) []string {
	seen := map[string]bool{}
	for _, item := range l.get("") {
		for _, x := range l.at(item, place) {
			seen[x] = x != ""
		}
	}
	maps.DeleteFunc(seen, func(_ string, asked bool) bool { return !asked })
	return slices.Sorted(maps.Keys(seen))
}

// asks filters by one value with each operator of the contract.
func (l filteredList) asks(field, place, v string) {
	l.w.t.Helper()
	operators := map[string]func([]string) bool{
		"eq":  func(have []string) bool { return slices.Contains(have, v) },
		"oeq": func(have []string) bool { return slices.Contains(have, v) },
		"neq": func(have []string) bool { return !slices.Contains(have, v) },
		"contains": func(have []string) bool {
			return slices.ContainsFunc(have, func(x string) bool { return strings.Contains(x, v) })
		},
		"ocontains": func(have []string) bool {
			return slices.ContainsFunc(have, func(x string) bool { return strings.Contains(x, v) })
		},
	}
	known := l.op.Filters()[field].Object(nil)
	for op, holds := range operators {
		if known.Field(op) == nil && (op != "eq" || len(known.Names()) > 0) || strings.Contains(v, ",") {
			continue
		}
		name := "filter[" + field + "][" + op + "]"
		if len(known.Names()) == 0 {
			name = "filter[" + field + "]"
		}
		query := name + "=" + url.QueryEscape(v)
		var want []object
		for _, item := range l.get("") {
			if holds(l.at(item, place)) {
				want = append(want, item)
			}
		}
		if got := l.get("&" + query); len(got)+len(want) > 0 && !cmp.Equal(want, got) {
			l.w.t.Errorf("%s?%s: %d items, want %d", l.path, query, len(got), len(want))
		}
	}
}
