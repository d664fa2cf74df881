package emulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a list holds is read by its id, where the contract has that read: the lists that
// a new organization has, of types of the catalog and of others.
func TestListedIsReadByID(t *testing.T) {
	w := newWorld(t)
	lists, read := 0, 0
	for _, op := range w.cat.Contract.Operations() {
		begin, param, item := strings.Cut(op.Path, "/{")
		list := w.cat.Contract.Operation(http.MethodGet, begin)
		if op.Method != http.MethodGet || !item || strings.Contains(param, "/") || list == nil {
			continue
		}
		property, _, ok := list.Envelope()
		if !ok {
			continue
		}
		lists++
		r := w.must(http.StatusOK, http.MethodGet, begin, nil)
		items, _ := r.body.([]any)
		if property != "" {
			items, _ = r.field(property).([]any)
		}
		for _, x := range items {
			v, _ := x.(map[string]any)
			id, _ := v["id"].(string)
			if id == "" {
				continue
			}
			read++
			one := w.send(http.MethodGet, begin+"/"+id, nil)
			if one.status != http.StatusOK || one.field("id") != id {
				t.Errorf("%s lists %s; by its id: %d %s", begin, id, one.status, show(one.body))
			}
			for name, was := range v {
				if is := one.field(name); is != nil && !cmp.Equal(is, was) {
					t.Errorf("%s/%s: %s is %v, and in the list %v", begin, id, name, is, was)
				}
			}
		}
	}
	t.Logf("%d lists, %d of what they hold", lists, read)
	if lists < 30 || read < 10 {
		t.Errorf("only %d lists and %d of what they hold", lists, read)
	}
}
