package resource_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/resource"
)

func TestSetByTypeAndParent(t *testing.T) {
	above, below := &resource.Type{}, &resource.Type{}
	a, b := &resource.Resource{Type: above, Ref: "a"}, &resource.Resource{Type: above, Ref: "b"}
	set := &resource.Set{Resources: []*resource.Resource{a, {Type: below, Ref: "a1", Parent: a}, b}}
	equal := func(what string, list []*resource.Resource, want ...string) {
		t.Helper()
		var got []string
		for _, r := range list {
			got = append(got, r.Ref)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	equal("of a type", set.Of(above), "a", "b")
	equal("below a parent", set.Children(a), "a1")
	equal("below nothing", set.Children(b))
	set.Resources = append(set.Resources, &resource.Resource{Type: below, Ref: "b1", Parent: b})
	equal("added", set.Of(below), "a1", "b1")
	equal("added below its parent", set.ChildrenOf(b, below), "b1")
	equal("of another type", set.ChildrenOf(b, above))
	nested := &resource.Resource{Type: above, Ref: "c", Above: a}
	set.Resources = append(set.Resources, nested, &resource.Resource{Type: below, Ref: "c1", Parent: nested})
	set.Resources = append([]*resource.Resource{{Type: below, Ref: "a0", Parent: a}}, set.Resources...)
	equal("with all that belongs to it and nests in it", set.Under(a), "a0", "a", "a1", "c", "c1")
	equal("alone", set.Under(set.ChildrenOf(b, below)[0]), "b1")
}
