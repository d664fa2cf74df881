package emulator_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func names(list []map[string]any) string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i], _ = item["name"].(string)
	}
	return strings.Join(out, " ")
}

func TestPagesByNumber(t *testing.T) {
	w := newWorld(t)
	for i := range 25 {
		w.create("/v3/portals", object{"name": fmt.Sprintf("p%02d", i)})
	}
	for _, row := range []struct {
		name, query   string
		number, size  float64
		first, last   string
		count         int
		totalOverride float64
	}{
		{name: "ten by default", query: "", number: 1, size: 10, first: "p00", last: "p09", count: 10},
		{name: "the last page is short", query: "?page[number]=3", number: 3, size: 10, first: "p20", last: "p24", count: 5},
		{name: "another size", query: "?page[size]=20&page[number]=2", number: 2, size: 20, first: "p20", last: "p24", count: 5},
		{name: "the largest size", query: "?page[size]=1000", number: 1, size: 1000, first: "p00", last: "p24", count: 25},
		{name: "after the end", query: "?page[number]=9", number: 9, size: 10},
		{name: "an empty parameter is none", query: "?page[size]=", number: 1, size: 10, first: "p00", last: "p09", count: 10},
		{name: "what is filtered is counted", query: "?filter[name][contains]=p1&page[size]=4", number: 1, size: 4, first: "p10", last: "p13", count: 4, totalOverride: 10},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := w.in(t).must(http.StatusOK, http.MethodGet, "/v3/portals"+row.query, nil)
			total := 25.0
			if row.totalOverride != 0 {
				total = row.totalOverride
			}
			if diff := cmp.Diff(object{"page": object{"number": row.number, "size": row.size, "total": total}}, r.field("meta")); diff != "" {
				t.Errorf("meta (-want +got):\n%s", diff)
			}
			list := r.data()
			if len(list) != row.count {
				t.Fatalf("%d items, want %d", len(list), row.count)
			}
			if row.count > 0 && (list[0]["name"] != row.first || list[row.count-1]["name"] != row.last) {
				t.Errorf("%v to %v, want %s to %s", list[0]["name"], list[row.count-1]["name"], row.first, row.last)
			}
		})
	}
}

func TestPagesByOffset(t *testing.T) {
	w := newWorld(t)
	base := "/v2/control-planes/" + w.create("/v2/control-planes", object{"name": "cp"}) + "/core-entities/services"
	for i := range 5 {
		w.create(base, object{"name": fmt.Sprintf("s%d", i), "host": "h", "tags": []any{"all", fmt.Sprintf("t%d", i%2)}})
	}
	var got []string
	path := base + "?size=2"
	for path != "" {
		r := w.must(http.StatusOK, http.MethodGet, path, nil)
		got = append(got, names(r.data()))
		next, _ := r.field("next").(string)
		if offset, _ := r.field("offset").(string); (offset == "") != (next == "") || (next != "" && !strings.Contains(next, url.QueryEscape(offset))) {
			t.Fatalf("offset %q, next %q", offset, next)
		}
		path = next
	}
	if diff := cmp.Diff([]string{"s0 s1", "s2 s3", "s4"}, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	if all := names(w.must(http.StatusOK, http.MethodGet, base, nil).data()); all != "s0 s1 s2 s3 s4" {
		t.Errorf("without size: %s", all)
	}
	if both := names(w.must(http.StatusOK, http.MethodGet, base+"?tags=all,t1", nil).data()); both != "s1 s3" {
		t.Errorf("with both tags: %s", both)
	}
	w.must(http.StatusBadRequest, http.MethodGet, base+"?offset=nonsense", nil)
	w.must(http.StatusBadRequest, http.MethodGet, base+"?size=1001", nil)
}

func TestFiltersAndOrders(t *testing.T) {
	w := newWorld(t)
	ids := map[string]string{}
	for _, a := range []object{
		{"name": "beta", "version": "2", "labels": object{"env": "prod", "team": "x"}},
		{"name": "alpha", "version": "10", "labels": object{"env": "dev"}},
		{"name": "gamma"},
	} {
		ids[a["name"].(string)] = w.create("/v3/apis", a)
	}
	for _, p := range []object{
		{"name": "beta", "labels": object{"env": "prod", "team": "x"}, "cluster_type": "CLUSTER_TYPE_SERVERLESS"},
		{"name": "alpha", "labels": object{"env": "dev"}},
	} {
		w.create("/v2/control-planes", p)
	}
	created := w.must(http.StatusOK, http.MethodGet, "/v3/apis/"+ids["alpha"], nil).text("created_at")
	for _, row := range []struct{ name, path, want string }{
		{"oldest first", "/v3/apis", "beta alpha gamma"},
		{"by name", "/v3/apis?sort=name", "alpha beta gamma"},
		{"by name from the end", "/v3/apis?sort=-name", "gamma beta alpha"},
		{"by name in words", "/v3/apis?sort=name%20desc", "gamma beta alpha"},
		{"newest first", "/v3/apis?sort=-created_at", "gamma alpha beta"},
		{"a name", "/v3/apis?filter[name]=beta", "beta"},
		{"a name with its operator", "/v3/apis?filter[name][eq]=beta", "beta"},
		{"a part of a name", "/v3/apis?filter[name][contains]=et", "beta"},
		{"all but one", "/v3/apis?filter[name][neq]=beta", "alpha gamma"},
		{"one of several", "/v3/apis?filter[name][oeq]=beta,gamma", "beta gamma"},
		{"one of several parts", "/v3/apis?filter[name][ocontains]=be,ga", "beta gamma"},
		{"an id", "/v3/apis?filter[id][eq]=" + ids["alpha"], "alpha"},
		{"a label", "/v3/apis?filter[labels.env]=dev", "alpha"},
		{"a label with its operator", "/v3/apis?filter[labels.env][eq]=prod", "beta"},
		{"a label of any value", "/v3/apis?filter[labels.env]=", "beta alpha"},
		{"two at once", "/v3/apis?filter[labels.env]=prod&filter[name]=alpha", ""},
		{"before a time", "/v3/apis?filter[created_at][lt]=" + created, "beta"},
		{"from a time on", "/v3/apis?filter[created_at][gte]=" + created, "alpha gamma"},
		{"a control plane's label", "/v2/control-planes?labels=env:prod", "beta"},
		{"a control plane's label of any value", "/v2/control-planes?labels=env", "beta alpha"},
		{"two labels of a control plane", "/v2/control-planes?labels=env:prod,team", "beta"},
		{"a control plane's type", "/v2/control-planes?filter[cluster_type][eq]=CLUSTER_TYPE_SERVERLESS", "beta"},
		{"true or false", "/v2/control-planes?filter[cloud_gateway]=false", "beta alpha"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := names(w.in(t).must(http.StatusOK, http.MethodGet, row.path, nil).data()); got != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

func TestListsLeaveTheContentOut(t *testing.T) {
	w := newWorld(t)
	portal := w.create("/v3/portals", object{"name": "p"})
	base := "/v3/portals/" + portal + "/snippets"
	id := w.create(base, object{"name": "s", "content": "text"})
	if item := w.must(http.StatusOK, http.MethodGet, base, nil).data()[0]; item["content"] != nil || item["updated_at"] == nil {
		t.Errorf("listed: %s", show(item))
	}
	if got := w.must(http.StatusOK, http.MethodGet, base+"/"+id, nil).text("content"); got != "text" {
		t.Errorf("read: %q", got)
	}
}
