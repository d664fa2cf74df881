package layered

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"
)

// random is a graph of n nodes, the same for the same seed.
func random(seed int64, n, edges int) Graph {
	r := rand.New(rand.NewSource(seed)) //nolint:gosec // a test that repeats itself
	g := Graph{Nodes: make([]Node, n)}
	for i := range g.Nodes {
		g.Nodes[i] = Node{Name: fmt.Sprint("node-", i)}
	}
	for range edges {
		g.Edges = append(g.Edges, [2]int{r.Intn(n), r.Intn(n)})
	}
	return g
}

// What comes first stands left, and nothing stands on anything else.
func TestArrange(t *testing.T) {
	for seed := range int64(60) {
		g := random(seed, 1+int(seed), int(seed)*2)
		l := arrange(g)
		for _, chain := range l.chains {
			for i := 1; i < len(chain); i++ {
				if chain[i].column != chain[i-1].column+1 {
					t.Fatalf("seed %d: an edge leads from column %d to %d", seed, chain[i-1].column, chain[i].column)
				}
			}
		}
		seen := 0
		for _, column := range l.columns {
			bottom := 0
			for _, c := range column {
				if c.y < bottom+gapY-margin || c.y+c.height() > l.height {
					t.Fatalf("seed %d: a cell at %d, the one above ends at %d, height %d", seed, c.y, bottom, l.height)
				}
				bottom = c.y + c.height()
				if c.node >= 0 {
					seen++
				}
			}
		}
		if seen != len(g.Nodes) {
			t.Fatalf("seed %d: %d of %d nodes are placed", seed, seen, len(g.Nodes))
		}
		if first := SVG(g, "x", ""); first != SVG(g, "x", "") {
			t.Fatal("the same graph gives another drawing")
		}
	}
}

func TestCycles(t *testing.T) {
	g := Graph{Nodes: make([]Node, 4), Edges: [][2]int{{0, 1}, {1, 2}, {2, 0}, {2, 2}, {3, 9}, {-1, 0}, {2, 3}, {2, 3}}}
	if got := fmt.Sprint(forward(g)); got != "[[0 1] [1 2] [2 3]]" {
		t.Errorf("edges %s", got)
	}
}

// A chain crosses no other where that can be avoided.
func TestOrder(t *testing.T) {
	g := Graph{Nodes: make([]Node, 6), Edges: [][2]int{{0, 5}, {1, 4}, {2, 3}}}
	l := arrange(g)
	for _, e := range g.Edges {
		if l.nodes[e[0]].y != l.nodes[e[1]].y {
			t.Errorf("the edge %v is not level: %d, %d", e, l.nodes[e[0]].y, l.nodes[e[1]].y)
		}
	}
}

func TestHostileLabels(t *testing.T) {
	x := "</text><script>alert(1)</script>\x00\x1b\xff\"'&]]>"
	g := Graph{Nodes: []Node{{Class: x, Above: x, Name: x, Title: x, Link: "#" + x}}}
	drawing := SVG(g, x, Standalone)
	dec := xml.NewDecoder(strings.NewReader(drawing))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, drawing)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
			t.Error("a script element")
		}
	}
}

func TestEmpty(t *testing.T) {
	if got := SVG(Graph{}, "nothing", ""); !strings.Contains(got, "</svg>") {
		t.Error(got)
	}
}
