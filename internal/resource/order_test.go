package resource_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

func TestGivenOrder(t *testing.T) {
	kind := &resource.Type{Kind: "thing", Words: "thing"}
	thing := func(ref string, line int) *resource.Resource {
		return &resource.Resource{Type: kind, Ref: ref, Explicit: true, Fields: value.MapAt(value.Pos{}), Pos: value.Pos{File: "a.yaml", Line: line, Column: 1}}
	}
	a, b, c := thing("a", 1), thing("b", 2), thing("c", 3)
	set := &resource.Set{Types: resource.NewTypes([]*resource.Type{kind}, nil), Resources: []*resource.Resource{a, b, c}}
	a.After = []*resource.Resource{c}
	links, diags := resource.Link(set)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	var refs []string
	for _, r := range links.Sorted() {
		refs = append(refs, r.Ref)
	}
	if got := strings.Join(refs, " "); strings.Index(got, "c") > strings.Index(got, "a") {
		t.Errorf("the order is %s", got)
	}
	if after := links.After(a); len(after) != 1 || after[0] != c {
		t.Errorf("a comes after %v", after)
	}

	c.After = []*resource.Resource{b}
	b.After = []*resource.Resource{a}
	_, diags = resource.Link(set)
	if len(diags) != 1 || diags[0].Code != diag.RefCycle || !strings.Contains(diags[0].Detail, "→") {
		t.Errorf("a circle of given orders: %v", diags)
	}
}
