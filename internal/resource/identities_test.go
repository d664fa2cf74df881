package resource_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/resource"
)

// What differs from an identity in one field is found as a comparison with each finds it.
func TestNearly(t *testing.T) {
	typ := &resource.Type{Identity: []string{"a", "b.c", "d"}, Variant: "v"}
	values := []any{"x", "y", 1, nil}
	var objects []*resource.Object
	for _, a := range values {
		for _, c := range values {
			for _, d := range values {
				for _, v := range values {
					objects = append(objects, &resource.Object{
						ID: fmt.Sprint(len(objects)), Fields: map[string]any{"a": a, "b": map[string]any{"c": c}, "d": d, "v": v},
					})
				}
			}
		}
	}
	ids := func(list []*resource.Object) (out []string) {
		for _, o := range list {
			out = append(out, o.ID)
		}
		return out
	}
	x := resource.NewIdentities(typ, objects)
	for _, want := range []map[string]any{
		{"a": "x", "b.c": "y", "d": "x"}, {"a": "x", "b.c": "z", "d": "x", "v": "y"}, {"a": 1, "b.c": "x", "d": nil, "v": "x"}, {"a": "z", "b.c": "z", "d": "x"},
	} {
		var near []*resource.Object
		for _, o := range objects {
			if resource.OnlyDifference(typ, want, o) != "" {
				near = append(near, o)
			}
		}
		if diff := cmp.Diff(ids(near), ids(x.Nearly(want))); diff != "" {
			t.Errorf("%v (-want +got):\n%s", want, diff)
		}
	}
}
