// Package graph holds directed graphs: an order that respects the edges, a
// cycle reported as a path, and a walk that starts each node as soon as all it
// waits for are done.
//
// In: nodes and edges. Out: orders, groups, cycles, calls. It must never know
// what a node means.
package graph

import (
	"cmp"
	"slices"
)

// Graph is a set of nodes, each with the nodes that must come before it. The
// zero Graph is empty.
type Graph[N cmp.Ordered] struct {
	nodes []N
	needs map[N][]N
	after map[N][]N
}

// Add adds a node; nodes keep the order in which they are added.
func (g *Graph[N]) Add(n N) {
	if g.needs == nil {
		g.needs = map[N][]N{}
	}
	if _, ok := g.needs[n]; !ok {
		g.nodes = append(g.nodes, n)
		g.needs[n] = nil
	}
}

// Need says that n comes after before. Both are added.
func (g *Graph[N]) Need(n, before N) {
	g.Add(n)
	g.Add(before)
	if n != before && !slices.Contains(g.needs[n], before) {
		g.needs[n] = append(g.needs[n], before)
	}
}

// After says that n starts when before has ended, however that was. Both are
// added.
func (g *Graph[N]) After(n, before N) {
	g.Add(n)
	g.Add(before)
	if g.after == nil {
		g.after = map[N][]N{}
	}
	if n != before {
		g.after[n] = append(g.after[n], before)
	}
}

// before lists what n needs and what it comes after.
func (g *Graph[N]) before(n N) []N {
	if len(g.after[n]) == 0 {
		return g.needs[n]
	}
	return slices.Concat(g.needs[n], g.after[n])
}

// Nodes lists the nodes in the order in which they were added.
func (g *Graph[N]) Nodes() []N { return g.nodes }

// Needs lists what must come before n.
func (g *Graph[N]) Needs(n N) []N { return g.needs[n] }

// Groups puts every node into the first group that comes after all it needs and
// all that it comes after.
// What is on a cycle, or behind one, is in no group.
func (g *Graph[N]) Groups() [][]N {
	var groups [][]N
	done := map[N]bool{}
	for len(done) < len(g.nodes) {
		var group []N
		for _, n := range g.nodes {
			if done[n] || slices.ContainsFunc(g.before(n), func(x N) bool { return !done[x] }) {
				continue
			}
			group = append(group, n)
		}
		if len(group) == 0 {
			return groups
		}
		for _, n := range group {
			done[n] = true
		}
		groups = append(groups, group)
	}
	return groups
}

// Order lists the nodes so that each comes after all it needs.
func (g *Graph[N]) Order() []N { return slices.Concat(g.Groups()...) }

// Cycle finds a cycle and returns it as a path whose first node is also its
// last, or nil.
func (g *Graph[N]) Cycle() []N {
	const (
		open = 1
		done = 2
	)
	state := map[N]int{}
	var path []N
	var visit func(n N) []N
	visit = func(n N) []N {
		switch state[n] {
		case done:
			return nil
		case open:
			return append(slices.Clone(path[slices.Index(path, n):]), n)
		}
		state[n] = open
		path = append(path, n)
		for _, before := range g.before(n) {
			if c := visit(before); c != nil {
				return c
			}
		}
		path = path[:len(path)-1]
		state[n] = done
		return nil
	}
	for _, n := range g.nodes {
		if c := visit(n); c != nil {
			return c
		}
	}
	return nil
}
