package catalog_test

import (
	"encoding/json"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

// The newest version is the resource, whatever order they come in and however many
// digits its number has.
func TestLatest(t *testing.T) {
	version := func(id, key, number string) *resource.Object {
		return &resource.Object{ID: id, Fields: map[string]any{"key": key, "version": json.Number(number)}}
	}
	objects := []*resource.Object{version("a", "pro", "2"), version("b", "pro", "10"), version("c", "free", "1"), version("d", "pro", "9")}
	for kind, want := range map[string][2]string{"metering_plan": {"bc", "da"}, "metering_meter": {"abcd", ""}} {
		latest, older := catalog.Latest(testkit.Catalog(t).Kind(kind), objects)
		if got := [2]string{ids(latest), ids(older)}; got != want {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	}
}

func ids(list []*resource.Object) (out string) {
	for _, o := range list {
		out += o.ID
	}
	return out
}
