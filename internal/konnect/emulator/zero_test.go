package emulator_test

import (
	"net/http"
	"strings"
	"testing"
)

// Answers name what a resource belongs to, and when it was made: no type shows the
// values that stand for a missing id or time.
func TestAnswersHaveNoZeroIDs(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range cat.All() {
		t.Run(b.Kind, func(t *testing.T) {
			m := &maker{w: newWorld(t), made: map[string][]string{}}
			ids := m.make(b)
			for _, op := range []string{"read", "list"} {
				of := b.Read
				if op == "list" {
					of = b.List
				}
				if of == nil || of.Unpublished {
					continue
				}
				path, err := of.Expand(b.PathParams(of, ids[:len(ids)-1], ids[len(ids)-1]))
				if err != nil {
					t.Fatal(err)
				}
				raw := m.w.must(http.StatusOK, http.MethodGet, path, nil).raw
				for _, zero := range []string{"00000000-0000-0000-0000-000000000000", "1970-01-01"} {
					if strings.Contains(raw, zero) {
						t.Errorf("%s shows %s: %s", of.Key(), zero, raw)
					}
				}
			}
		})
	}
}
