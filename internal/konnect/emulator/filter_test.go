package emulator_test

import (
	"net/http"
	"testing"
)

// Values that no resource can have, and queries that cannot be read, are
// refused.
func TestFiltersThatAreWrong(t *testing.T) {
	w := newWorld(t)
	id := w.create("/v3/apis", object{"name": "a"})
	for query, want := range map[string]int{
		"filter[id][eq]=nonsense":                        http.StatusBadRequest,
		"filter[id]=nonsense":                            http.StatusBadRequest,
		"filter[id][oeq]=" + id + ",nonsense":            http.StatusBadRequest,
		"filter[id][oeq]=" + id:                          http.StatusOK,
		"filter[id][eq]=" + id:                           http.StatusOK,
		"filter[created_at][gt]=garbage":                 http.StatusBadRequest,
		"filter[created_at][gt]=2025-01-01T00:00:00Z":    http.StatusOK,
		"filter[created_at][lte]=2025-01-01T00:00:00.5Z": http.StatusOK,
		"filter[name][eq]=%zz":                           http.StatusBadRequest,
		"page[size]=1;page[number]=2":                    http.StatusBadRequest,
	} {
		if r := w.send(http.MethodGet, "/v3/apis?"+query, nil); r.status != want {
			t.Errorf("%s: %d, want %d: %s", query, r.status, want, show(r.body))
		}
	}
}

// Text is sorted as text, also where it looks like numbers.
func TestSortOfText(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"9", "10", "1e999999999", "1/3"} {
		w.create("/v3/apis", object{"name": name})
	}
	if got := names(w.must(http.StatusOK, http.MethodGet, "/v3/apis?sort=name", nil).data()); got != "1/3 10 1e999999999 9" {
		t.Errorf("sorted: %s", got)
	}
}
