package cluster

import (
	"net/http"
	"testing"
)

// TestListExpired asserts that a list whose rest is gone is read again, once
// and whole.
func TestListExpired(t *testing.T) {
	var whole bool
	server := newAnswers(t,
		answer(200, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"continue":"more","resourceVersion":"1"},"items":[{"metadata":{"name":"old"}}]}`),
		failure(410, "Expired", "the continue parameter is too old"),
		func(w http.ResponseWriter, r *http.Request) {
			whole = !r.URL.Query().Has("limit") && !r.URL.Query().Has("continue")
			answer(200, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"2"},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}`)(w, r)
		})
	list, err := server.open(t).List(t.Context(), configMaps, "n", ListOptions{})
	if err != nil || !whole || len(list) != 2 || list[0].GetName() != "a" {
		t.Errorf("%v, %v, whole %t", list, err, whole)
	}
}
