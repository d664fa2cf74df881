package emulator_test

import (
	"net/http"
	"testing"
)

// A draft is published once, and archived once.
func TestStatusesFollowEachOther(t *testing.T) {
	w := newWorld(t)
	m := &maker{w: w, made: map[string][]string{}}
	for _, kind := range []string{"metering_addon", "metering_plan"} {
		t.Run(kind, func(t *testing.T) {
			w := w.in(t)
			b := w.cat.Kind(kind)
			path := b.Path + "/" + m.make(b)[0]
			w.must(http.StatusConflict, http.MethodPost, path+"/archive", nil)
			w.must(http.StatusOK, http.MethodPost, path+"/publish", nil)
			w.must(http.StatusConflict, http.MethodPost, path+"/publish", nil)
			w.must(http.StatusOK, http.MethodPost, path+"/archive", nil)
			w.must(http.StatusConflict, http.MethodPost, path+"/archive", nil)
			w.must(http.StatusConflict, http.MethodPost, path+"/publish", nil)
			if got := w.must(http.StatusOK, http.MethodGet, path, nil); got.text("status") != "archived" || got.text("effective_to") < got.text("effective_from") {
				t.Errorf("in the end: %s", show(got.body))
			}
		})
	}
}
