package value_test

import (
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/value"
)

func TestPlaces(t *testing.T) {
	data, err := value.Decode([]byte(`{"a":{"id":"1"},"l":["2","3"],"items":[{"key":{"id":"4"}},{},{"key":{"id":"5"}},"x"],"deep":[{"l":[{"id":"6"}]},{"l":[{"id":"7"},{"id":"8"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		path          string
		places, texts []string
		listed        string
	}{
		{"a.id", []string{"a.id"}, []string{"1"}, "a.id"},
		{"a.none", nil, nil, "a.none"},
		{"l", []string{"l"}, []string{"2", "3"}, "l"},
		{"items.key.id", []string{"items[0].key.id", "items[2].key.id"}, []string{"4", "5"}, "items"},
		{"deep.l.id", []string{"deep[0].l[0].id", "deep[1].l[0].id", "deep[1].l[1].id"}, []string{"6", "7", "8"}, "deep"},
	} {
		p := value.ParsePath(row.path)
		var places []string
		for _, at := range value.Places(data, p) {
			places = append(places, at.String())
		}
		if !slices.Equal(places, row.places) {
			t.Errorf("%s: places %q, want %q", row.path, places, row.places)
		}
		if got := value.TextsAt(data, p); !slices.Equal(got, row.texts) {
			t.Errorf("%s: texts %q, want %q", row.path, got, row.texts)
		}
		if got := value.Listed(data, p).String(); got != row.listed {
			t.Errorf("%s: listed %s, want %s", row.path, got, row.listed)
		}
	}
}
