package language

import (
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/value"
)

// cycles tells of externals that wait for each other by the names of their
// parents, whatever their types: that is the first thing to fix. What is on a
// circle loses its parent, so that nothing else is reported about it.
func (b *externals) cycles() {
	byRef := map[string]int{}
	for i, r := range b.set.Resources {
		if r.External != nil && r.Explicit {
			byRef[r.Ref] = i
		}
	}
	for i, r := range b.set.Resources {
		for _, v := range waitsFor(r) {
			if r.Explicit && v.Expr().Name == r.Ref {
				b.circle([]int{i, i})
				break
			}
		}
	}
	for {
		g := &graph.Graph[int]{}
		for i, r := range b.set.Resources {
			for _, v := range waitsFor(r) {
				if to, ok := byRef[v.Expr().Name]; ok {
					g.Add(i)
					g.Need(i, to)
				}
			}
		}
		cycle := g.Cycle()
		if cycle == nil {
			return
		}
		b.circle(cycle)
	}
}

// waitsFor lists the names that an external needs to be found first.
func waitsFor(r *resource.Resource) []value.Value {
	if r.External == nil {
		return nil
	}
	var out []value.Value
	add := func(v value.Value) {
		if e := v.Expr(); e != nil && e.Op == value.OpRef {
			out = append(out, v)
		}
	}
	if r.Parent == nil {
		add(r.ParentRef)
	}
	r.Fields.Walk(func(_ value.Path, v value.Value) bool { add(v); return true })
	return out
}

func (b *externals) circle(cycle []int) {
	var chain []string
	for _, i := range cycle {
		chain = append(chain, b.set.Resources[i].Ref)
	}
	first := b.set.Resources[cycle[0]]
	pos := first.Pos
	for _, v := range waitsFor(first) {
		if v.Expr().Name == chain[1] {
			pos = v.Pos()
		}
	}
	b.diags.Add(diag.ExtCycle, pos, "Resource dependency chain: "+strings.Join(chain, " → "), "let one of them name a parent that does not wait for it.")
	for _, i := range cycle {
		r := b.set.Resources[i]
		r.ParentRef = unreadable(r.ParentRef)
		r.Fields = value.MapAt(r.Pos)
	}
}
