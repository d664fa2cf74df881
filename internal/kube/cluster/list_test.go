package cluster

import (
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/resource"
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

// TestImpossibleName asserts that what does not name one object is refused
// without a request: its path would be that of others, or of all.
func TestImpossibleName(t *testing.T) {
	server := newAnswers(t, answer(200, oneConfigMap))
	c := server.open(t)
	for _, at := range [][2]string{{"n", "a/b"}, {"n", ".."}, {"n", ""}, {"", "secrets"}, {"..", "a"}, {"n/m", "a"}} {
		u := object(t, oneConfigMap)
		u.SetNamespace(at[0])
		u.SetName(at[1])
		_, get := c.Get(t.Context(), configMaps, at[0], at[1])
		_, apply := c.Apply(t.Context(), configMaps, u, ApplyOptions{Manager: "m"})
		_, create := c.Create(t.Context(), configMaps, u, false)
		_, update := c.Update(t.Context(), configMaps, u, false)
		_, patch := c.Patch(t.Context(), configMaps, at[0], at[1], types.MergePatchType, []byte("{}"), PatchOptions{})
		for _, err := range []error{get, apply, create, update, patch, c.Delete(t.Context(), configMaps, at[0], at[1], DeleteOptions{UID: "1"})} {
			if !resource.Rejected(err) || resource.Unauthorized(err) || !resource.Unsent(err) || resource.Uncertain(err) {
				t.Errorf("%q: %v", at, err)
			}
		}
	}
	if server.count() != 0 {
		t.Errorf("sent %q", server.requests)
	}
}
