package client

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// A map without a list is read key by key: a key that nothing is at is left out,
// and a refusal is an error, not an empty list.
func TestMapWithoutAListIsReadByKey(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		status int
		ids    []string
		fails  bool
	}{
		{"there", http.StatusOK, []string{"icon"}, false},
		{"not there", http.StatusNotFound, nil, false},
		{"refused", http.StatusForbidden, nil, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			var asked []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = append(asked, r.Method+" "+r.URL.Path)
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(row.status)
				_, _ = w.Write([]byte(`{"image_type": "icon", "status": "valid"}`))
			}))
			defer server.Close()
			c, _ := newClient(t, server.URL, nil)
			objects, err := NewTarget(cat, c).List(t.Context(), remote.Scope{Type: cat.Kind("api_image"), Ancestors: []string{"a"}})
			if (err != nil) != row.fails {
				t.Fatalf("error %v, want one: %v", err, row.fails)
			}
			var ids []string
			for _, o := range objects {
				ids = append(ids, o.ID)
			}
			if !slices.Equal(ids, row.ids) {
				t.Errorf("got %v, want %v", ids, row.ids)
			}
			if want := []string{"GET /v3/apis/a/images/icon"}; !slices.Equal(asked, want) {
				t.Errorf("asked %v, want %v", asked, want)
			}
		})
	}
}

// A list is asked for one value in a form that the contract has for it.
func TestFiltersAreKnown(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for _, b := range cat.All() {
		if b.List == nil {
			continue
		}
		for field, schema := range b.List.Filters() {
			plain := "filter[" + field + "]"
			name := filterName(b.List, field)
			operator := strings.TrimSuffix(strings.TrimPrefix(name, plain+"["), "]")
			if operator == "contains" {
				parts++
			}
			_, named := b.List.Query(name)
			if has := schema.Object(nil); !named && name != plain && has.Field(operator) == nil || name == plain && has.Field("eq") != nil && !named {
				t.Errorf("%s: %s is not in the contract, which has %v", b.Kind, name, has.Names())
			}
		}
	}
	if parts == 0 {
		t.Error("no list looks for parts")
	}
}
