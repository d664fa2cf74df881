// Package layered draws directed graphs in columns: what comes first stands left.
//
// In: nodes with labels, and which of them come before others. Out: places of nodes
// and paths of edges, and the drawing as SVG. The same graph gives the same bytes.
// It must never know what a node means, and imports nothing of this program.
package layered

import (
	"cmp"
	"slices"
)

// Node is one node of a graph.
type Node struct {
	// Class is a CSS class, of letters and - alone.
	Class string
	// Above and Name are the two lines of its label.
	Above, Name string
	// Title is shown where the pointer rests.
	Title string
	// Link is where a click leads; "" leads nowhere.
	Link string
}

// Graph is what is drawn. An edge leads from the place of a node in Nodes to the
// place of one that comes after it; edges of a cycle and those that lead nowhere
// are not drawn.
type Graph struct {
	Nodes []Node
	Edges [][2]int
}

// Sizes of a drawing, in pixels.
const (
	nodeWidth  = 216
	nodeHeight = 44
	gapX       = 72
	gapY       = 14
	margin     = 12
	bendHeight = 10 // of an edge that passes a column
)

// sweeps is how often the order within the columns is improved.
const sweeps = 8

// cell is what stands in a column: a node, or an edge that passes.
type cell struct {
	node          int // -1 for an edge that passes
	column        int
	before, after []*cell
	order         float64
	y             int
}

func (c *cell) height() int {
	if c.node < 0 {
		return bendHeight
	}
	return nodeHeight
}

// layout is a graph with places.
type layout struct {
	columns [][]*cell
	nodes   []*cell
	// chains are the edges, each from cell to cell.
	chains        [][]*cell
	width, height int
}

// arrange gives every node its place.
func arrange(g Graph) *layout {
	edges := forward(g)
	rank := ranks(len(g.Nodes), edges)
	l := &layout{nodes: make([]*cell, len(g.Nodes))}
	for i := range g.Nodes {
		l.nodes[i] = l.add(i, rank[i])
	}
	for _, e := range edges {
		chain := []*cell{l.nodes[e[0]]}
		for column := rank[e[0]] + 1; column < rank[e[1]]; column++ {
			chain = append(chain, l.add(-1, column))
		}
		chain = append(chain, l.nodes[e[1]])
		for i := 1; i < len(chain); i++ {
			chain[i-1].after = append(chain[i-1].after, chain[i])
			chain[i].before = append(chain[i].before, chain[i-1])
		}
		l.chains = append(l.chains, chain)
	}
	l.sort()
	l.place()
	return l
}

func (l *layout) add(node, column int) *cell {
	for len(l.columns) <= column {
		l.columns = append(l.columns, nil)
	}
	c := &cell{node: node, column: column}
	l.columns[column] = append(l.columns[column], c)
	return c
}

// forward are the edges that close no cycle, each once.
func forward(g Graph) [][2]int {
	next := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		from, to := e[0], e[1]
		inside := from >= 0 && to >= 0 && from < len(next) && to < len(next)
		if inside && from != to && !slices.Contains(next[from], to) {
			next[from] = append(next[from], to)
		}
	}
	const open, done = 1, 2
	state := make([]int, len(g.Nodes))
	var out [][2]int
	type step struct{ node, at int }
	for start := range g.Nodes {
		if state[start] != 0 {
			continue
		}
		state[start] = open
		for path := []step{{start, 0}}; len(path) > 0; {
			top := &path[len(path)-1]
			if top.at == len(next[top.node]) {
				state[top.node] = done
				path = path[:len(path)-1]
				continue
			}
			to := next[top.node][top.at]
			top.at++
			if state[to] != open {
				out = append(out, [2]int{top.node, to})
			}
			if state[to] == 0 {
				state[to] = open
				path = append(path, step{to, 0})
			}
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	return out
}

// ranks are the columns: each node is right of all that come before it.
func ranks(n int, edges [][2]int) []int {
	next, waits := make([][]int, n), make([]int, n)
	for _, e := range edges {
		next[e[0]] = append(next[e[0]], e[1])
		waits[e[1]]++
	}
	var ready []int
	for i, w := range waits {
		if w == 0 {
			ready = append(ready, i)
		}
	}
	rank := make([]int, n)
	for ; len(ready) > 0; ready = ready[1:] {
		for _, to := range next[ready[0]] {
			rank[to] = max(rank[to], rank[ready[0]]+1)
			if waits[to]--; waits[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	return rank
}

// sort puts cells near to what they are connected with, column by column, to and
// fro.
func (l *layout) sort() {
	number := func(column []*cell) {
		for i, c := range column {
			c.order = float64(i)
		}
	}
	for _, column := range l.columns {
		number(column)
	}
	for sweep := range sweeps {
		for i := range l.columns {
			beside := func(c *cell) []*cell { return c.before }
			if sweep%2 == 1 {
				i = len(l.columns) - 1 - i
				beside = func(c *cell) []*cell { return c.after }
			}
			column := l.columns[i]
			middle := make(map[*cell]float64, len(column))
			for _, c := range column {
				middle[c] = c.order
				if near := beside(c); len(near) > 0 {
					sum := 0.0
					for _, n := range near {
						sum += n.order
					}
					middle[c] = sum / float64(len(near))
				}
			}
			slices.SortStableFunc(column, func(a, b *cell) int { return cmp.Compare(middle[a], middle[b]) })
			number(column)
		}
	}
}

// place gives coordinates: columns next to each other, each in the middle of the
// height.
func (l *layout) place() {
	heights := make([]int, len(l.columns))
	for i, column := range l.columns {
		for _, c := range column {
			heights[i] += c.height() + gapY
		}
		l.height = max(l.height, heights[i]-gapY)
	}
	for i, column := range l.columns {
		y := margin + (l.height-heights[i]+gapY)/2
		for _, c := range column {
			c.y = y
			y += c.height() + gapY
		}
	}
	l.height += 2 * margin
	l.width = 2*margin + max(len(l.columns), 1)*(nodeWidth+gapX) - gapX
}

func (c *cell) x() int { return margin + c.column*(nodeWidth+gapX) }
