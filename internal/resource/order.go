package resource

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/value"
)

// sort orders the resources, or tells of references that lead back to where
// they start, each circle once.
func (k *linker) sort() {
	at := map[*Resource]int{}
	for i, r := range k.set.Resources {
		at[r] = i
	}
	broken := map[[2]int]bool{}
	for {
		g := k.graph(at, broken)
		cycle := g.Cycle()
		if cycle == nil {
			k.prefer(g, at)
			for _, i := range g.Order() {
				k.links.sorted = append(k.links.sorted, k.set.Resources[i])
			}
			return
		}
		k.circle(cycle, broken)
	}
}

// graph has an edge for each reference, each given order that is not broken, and for
// what nests.
func (k *linker) graph(at map[*Resource]int, broken map[[2]int]bool) *graph.Graph[int] {
	g := &graph.Graph[int]{}
	for i := range k.set.Resources {
		g.Add(i)
	}
	for i, r := range k.set.Resources {
		for _, e := range k.links.from[r] {
			g.Need(i, at[e.Target])
		}
		for _, before := range r.After {
			if to := at[before]; !broken[[2]int{i, to}] {
				g.Need(i, to)
			}
		}
		for _, before := range []*Resource{r.Parent, r.Above} {
			if before != nil {
				g.Need(i, at[before])
			}
		}
	}
	return g
}

// circle reports a cycle at the first reference on it, else at the first order that
// a resource was given, and breaks it there, so that those who follow links come to an
// end. There is one: what nests alone leads to no circle.
func (k *linker) circle(cycle []int, broken map[[2]int]bool) {
	var chain []string
	for _, i := range cycle {
		chain = append(chain, k.set.Resources[i].Describe())
	}
	detail := "These resources wait for each other: " + strings.Join(chain, " → ") + "."
	for n := range len(cycle) - 1 {
		from, to := k.set.Resources[cycle[n]], k.set.Resources[cycle[n+1]]
		link := slices.IndexFunc(k.links.from[from], func(e Edge) bool { return e.Target == to })
		if link >= 0 {
			k.diags.Add(diag.RefCycle, position(from, k.links.from[from][link].Path), detail, "remove one of the references between them.")
			k.links.drop(from, to)
			return
		}
	}
	for n := range len(cycle) - 1 {
		from, to := k.set.Resources[cycle[n]], k.set.Resources[cycle[n+1]]
		if slices.Contains(from.After, to) {
			broken[[2]int{cycle[n], cycle[n+1]}] = true
			k.diags.Add(diag.RefCycle, from.Pos, detail, "let one of them come first.")
			return
		}
	}
}

func position(r *Resource, p value.Path) value.Pos { return r.Fields.Nearest(p) }

// prefer orders by what resources would rather come after, where that leads to
// no circle.
func (k *linker) prefer(g *graph.Graph[int], at map[*Resource]int) {
	for i, r := range k.set.Resources {
		for _, t := range r.Prefer {
			if !reaches(g, at[t], i, map[int]bool{}) {
				k.links.order[r] = append(k.links.order[r], t)
				g.Need(i, at[t])
			}
		}
	}
}

// reaches tells whether one node is another or waits for it.
func reaches(g *graph.Graph[int], from, to int, seen map[int]bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	return slices.ContainsFunc(g.Needs(from), func(n int) bool { return !seen[n] && reaches(g, n, to, seen) })
}
