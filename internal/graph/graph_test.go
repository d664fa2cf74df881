package graph_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/graph"
)

// edge says that a node needs another.
type edge struct{ node, before string }

func build(nodes []string, edges []edge) *graph.Graph[string] {
	var g graph.Graph[string]
	for _, n := range nodes {
		g.Add(n)
	}
	for _, e := range edges {
		g.Need(e.node, e.before)
	}
	return &g
}

func TestGroups(t *testing.T) {
	for _, row := range []struct {
		name  string
		nodes []string
		edges []edge
		want  [][]string
	}{
		{"nothing", nil, nil, nil},
		{"nodes that need nothing keep the order in which they came", []string{"c", "a", "b"}, nil, [][]string{{"c", "a", "b"}}},
		{"a chain", []string{"a", "b", "c"}, []edge{{"a", "b"}, {"b", "c"}}, [][]string{{"c"}, {"b"}, {"a"}}},
		{"a node waits for the last of those it needs", []string{"end", "mid", "start"}, []edge{{"end", "mid"}, {"end", "start"}, {"mid", "start"}}, [][]string{{"start"}, {"mid"}, {"end"}}},
		{"an edge adds its nodes", nil, []edge{{"b", "a"}}, [][]string{{"a"}, {"b"}}},
		{"said twice is said once", []string{"b"}, []edge{{"b", "a"}, {"b", "a"}}, [][]string{{"a"}, {"b"}}},
		{"a node does not need itself", []string{"a"}, []edge{{"a", "a"}}, [][]string{{"a"}}},
		{"what is on a cycle or behind one is in no group", []string{"free", "behind"}, []edge{{"a", "b"}, {"b", "a"}, {"behind", "a"}}, [][]string{{"free"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			g := build(row.nodes, row.edges)
			if diff := cmp.Diff(row.want, g.Groups()); diff != "" {
				t.Errorf("groups (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(slices.Concat(row.want...), g.Order()); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNeedsAreRemembered(t *testing.T) {
	g := build([]string{"a"}, []edge{{"a", "b"}, {"a", "c"}, {"a", "b"}})
	if diff := cmp.Diff([]string{"b", "c"}, g.Needs("a")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, g.Nodes()); diff != "" {
		t.Error(diff)
	}
}

func TestCycle(t *testing.T) {
	for _, row := range []struct {
		name  string
		edges []edge
		want  []string
	}{
		{"none in a diamond", []edge{{"d", "b"}, {"d", "c"}, {"b", "a"}, {"c", "a"}}, nil},
		{"two nodes", []edge{{"a", "b"}, {"b", "a"}}, []string{"a", "b", "a"}},
		{"the way to the cycle is left out", []edge{{"x", "a"}, {"a", "b"}, {"b", "c"}, {"c", "a"}}, []string{"a", "b", "c", "a"}},
		{"after a branch that ends", []edge{{"a", "leaf"}, {"a", "b"}, {"b", "a"}}, []string{"a", "b", "a"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, build(nil, row.edges).Cycle()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
