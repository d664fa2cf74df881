package layered

import (
	"fmt"
	"html"
	"strings"
	"unicode"
)

// Standalone is the style of a drawing that is a file of its own: light, or dark
// where the reader's system is.
const Standalone = `
svg{background:#fff;--line:#8c959f;--box:#f6f8fa;--edge:#d0d7de;--ink:#1f2328;--soft:#59636e;--create:#1a7f37;--update:#9a6700;--replace:#bc4c00;--delete:#cf222e;--run:#8250df}
@media (prefers-color-scheme:dark){svg{background:#0d1117;--line:#656c76;--box:#161b22;--edge:#3d444d;--ink:#e6edf3;--soft:#9198a1;--create:#3fb950;--update:#d29922;--replace:#db6d28;--delete:#f85149;--run:#ab7df8}}
.edge{fill:none;stroke:var(--line);stroke-width:1.25}
.tip{fill:var(--line)}
.node rect{fill:var(--box);stroke:var(--edge)}
.node .bar{stroke:none;fill:var(--soft)}
.node text{font:12px ui-sans-serif,system-ui,"Segoe UI",Helvetica,Arial,sans-serif;fill:var(--ink)}
.node .above{font-size:11px;fill:var(--soft)}
.external rect{stroke-dasharray:4 3}.external .bar{stroke-dasharray:none}
.create .bar{fill:var(--create)}.update .bar{fill:var(--update)}.replace .bar{fill:var(--replace)}.delete .bar{fill:var(--delete)}.run .bar{fill:var(--run)}
`

// SVG draws a graph. Style is CSS inside of the drawing; without one it is drawn in
// the style of the page around it.
func SVG(g Graph, label, style string) string {
	l := arrange(g)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="%s" width="%d" height="%d" viewBox="0 0 %d %d">`, text(label), l.width, l.height, l.width, l.height)
	b.WriteString("\n")
	if style != "" {
		b.WriteString("<style>" + style + "</style>\n")
	}
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>` + "\n")
	for _, chain := range l.chains {
		from, to := chain[0].node, chain[len(chain)-1].node
		fmt.Fprintf(&b, `<path class="edge" data-from="%d" data-to="%d" marker-end="url(#tip)" d="%s"/>`+"\n", from, to, curve(chain))
	}
	for i, n := range g.Nodes {
		l.nodes[i].draw(&b, i, n)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// curve is the path of an edge through the columns.
func curve(chain []*cell) string {
	var b strings.Builder
	first := chain[0]
	x, y := first.x()+nodeWidth, first.y+first.height()/2
	fmt.Fprintf(&b, "M%d %d", x, y)
	for _, c := range chain[1:] {
		nx, ny := c.x(), c.y+c.height()/2
		half := (nx - x) / 2
		fmt.Fprintf(&b, "C%d %d %d %d %d %d", x+half, y, nx-half, ny, nx, ny)
		x, y = nx, ny
		if c.node < 0 {
			x += nodeWidth
			fmt.Fprintf(&b, "H%d", x)
		}
	}
	return b.String()
}

func (c *cell) draw(b *strings.Builder, i int, n Node) {
	const most = 29
	x, y := c.x(), c.y
	if n.Link != "" {
		fmt.Fprintf(b, `<a href="%s">`, text(n.Link))
	}
	fmt.Fprintf(b, `<g class="node %s" data-node="%d">`, text(n.Class), i)
	if n.Title != "" {
		fmt.Fprintf(b, "<title>%s</title>", text(n.Title))
	}
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="6"/><rect class="bar" x="%d" y="%d" width="4" height="%d" rx="2"/>`, x, y, nodeWidth, nodeHeight, x+5, y+8, nodeHeight-16)
	fmt.Fprintf(b, `<text class="above" x="%d" y="%d">%s</text><text x="%d" y="%d">%s</text></g>`, x+16, y+18, text(short(n.Above, most+4)), x+16, y+34, text(short(n.Name, most)))
	if n.Link != "" {
		b.WriteString("</a>")
	}
	b.WriteString("\n")
}

func short(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}

// text is text from elsewhere in XML, which has no place for control characters.
func text(s string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return html.EscapeString(clean)
}
