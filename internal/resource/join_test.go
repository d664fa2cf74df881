package resource_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// pair is two resources of two targets, the second of which takes a value of the
// first.
func pair(t *testing.T) (first, second *resource.Resource, set *resource.Set, links *resource.Links) {
	t.Helper()
	kind := func(name string) *resource.Type {
		return &resource.Type{Kind: name, Words: name, Identity: []string{"name"}, Behaviour: resource.Plain{}}
	}
	a, b := kind("a"), kind("b")
	set = &resource.Set{Types: resource.NewTypes([]*resource.Type{a}, nil).With(resource.NewTypes([]*resource.Type{b}, nil))}
	first = &resource.Resource{Type: a, Ref: "one", Namespace: "z", Fields: value.From(value.Pos{}, map[string]any{"name": "one"})}
	second = &resource.Resource{Type: b, Ref: "two", Namespace: "m", Fields: value.MapAt(value.Pos{},
		value.Entry{Key: "name", Value: value.StringAt(value.Pos{}, "two")},
		value.Entry{Key: "of", Value: value.ExprAt(value.Pos{}, value.Expression{Op: value.OpRef, Name: "one", Field: "color"})},
		value.Entry{Key: "home", Value: value.ExprAt(value.Pos{}, value.Expression{Op: value.OpEnv, Name: "HOME"})},
	)}
	set.Declare(first)
	set.Declare(second)
	links, diags := resource.Link(set)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return first, second, set, links
}

func flat(t *resource.Type, r *resource.Resource, o *resource.Object, others ...*resource.Object) resource.TargetState {
	return resource.TargetState{Types: resource.NewTypes([]*resource.Type{t}, nil), State: &resource.Flat{
		Of: map[*resource.Type][]*resource.Object{t: append(others, o)}, Declared: map[*resource.Resource]*resource.Object{r: o},
	}}
}

func TestJoinAsksTheTargetOfAType(t *testing.T) {
	first, second, _, _ := pair(t)
	one, two, stray := &resource.Object{ID: "1"}, &resource.Object{ID: "2"}, &resource.Object{ID: "3"}
	s := resource.Join(flat(first.Type, first, one, stray), flat(second.Type, second, two))
	if s.Object(first) != one || s.Object(second) != two {
		t.Errorf("objects: %v, %v", s.Object(first), s.Object(second))
	}
	if got, read := s.Undeclared(first.Type, nil); !read || len(got) != 1 || got[0] != stray {
		t.Errorf("undeclared: %v, %v", got, read)
	}
	if diff := cmp.Diff([]string{"a", "b"}, s.Kinds()); diff != "" {
		t.Error(diff)
	}
	alone := resource.Join(flat(first.Type, first, one))
	if _, read := alone.Undeclared(second.Type, nil); read || alone.Object(second) != nil {
		t.Error("a target that did not take part was read")
	}
}

func TestDeclareNamesNamespaces(t *testing.T) {
	first, second, set, _ := pair(t)
	if diff := cmp.Diff([]string{"m", "z"}, set.Namespaces); diff != "" {
		t.Error(diff)
	}
	if !set.Mentions("a", "z") || set.Mentions("a", "m") || first.Number == second.Number {
		t.Errorf("mentioned: %v, numbers %d and %d", set.Mentioned, first.Number, second.Number)
	}
	whole := &resource.Set{}
	whole.Declare(&resource.Resource{Type: first.Type, Namespace: "a"})
	whole.Take(set)
	if diff := cmp.Diff([]string{"a", "m", "z"}, whole.Namespaces); diff != "" || first.Number != 1 || second.Number != 2 {
		t.Errorf("%s numbers %d and %d", diff, first.Number, second.Number)
	}
}

func TestWithinHidesOtherTargets(t *testing.T) {
	_, second, set, links := pair(t)
	types := resource.NewTypes([]*resource.Type{second.Type}, nil)
	part := set.Within(types)
	if len(part.Resources) != 1 || set.Within(set.Types) != set {
		t.Errorf("within: %v", part.Resources)
	}
	if inner := links.Within(part); len(inner.From(second)) != 0 || len(inner.Sorted()) != 1 {
		t.Errorf("links lead outside: %v", inner.From(second))
	}
}

func TestDesired(t *testing.T) {
	first, second, set, links := pair(t)
	q := resource.Query{Set: set, Links: links, Env: func(string) (string, bool) { return "/home", true }}
	if got, known := q.Desired(second); known || got["of"] != (value.Unknown{}) || got["home"] != "/home" {
		t.Errorf("before anything was read: %v, %v", got, known)
	}
	q.Before = resource.Join(flat(first.Type, first, &resource.Object{ID: "1", Fields: map[string]any{"color": "red"}}))
	if got, known := q.Desired(second); !known || got["of"] != "red" {
		t.Errorf("after it was read: %v, %v", got, known)
	}
}
