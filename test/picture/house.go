package main

import (
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"
)

// group is a group of packages of the import graph.
type group struct {
	name     string
	packages []string
	imports  map[string]bool // names of packages
}

// groupsOf reads the import graph of docs/architecture.md.
func groupsOf(page string) ([]*group, error) {
	_, text, found := strings.Cut(page, "<!-- import graph: begin")
	text, _, ended := strings.Cut(text, "<!-- import graph: end")
	if !found || !ended {
		return nil, errors.New("docs/architecture.md has no import graph")
	}
	var out []*group
	title := regexp.MustCompile(`^[a-z]+$`)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		words := strings.Fields(line)
		switch {
		case title.MatchString(line):
			out = append(out, &group{name: line, imports: map[string]bool{}})
			continue
		case len(words) == 0 || len(out) == 0 || !strings.HasPrefix(line, "  "):
			continue
		}
		g := out[len(out)-1]
		if !strings.HasPrefix(line, "   ") { // else more imports of the package above
			g.packages, words = append(g.packages, words[0]), words[1:]
		}
		for _, name := range words {
			g.imports[name] = true
		}
	}
	return out, nil
}

const (
	boxWidth  = 170
	boxHeight = 26
	boxGap    = 8
	panelPad  = 16
)

// titles say what a group is for.
var titles = map[string]string{
	"front":   "front: command line, views, settings",
	"core":    "core: knows no target and no type by name",
	"konnect": "Konnect",
	"gateway": "gateways (decK)",
	"kube":    "Kubernetes",
}

// houseSVG draws the groups: the front above the core, the targets below it.
func houseSVG(page string) ([]byte, error) {
	groups, err := groupsOf(page)
	if err != nil {
		return nil, err
	}
	byName := map[string]*group{}
	for _, g := range groups {
		if titles[g.name] == "" {
			return nil, fmt.Errorf("no title for the group %s", g.name)
		}
		byName[g.name] = g
	}
	if len(byName) != len(titles) {
		return nil, fmt.Errorf("%d groups, want %d", len(byName), len(titles))
	}
	var b strings.Builder
	width := 5*(boxWidth+boxGap) - boxGap + 2*panelPad + 2*margin
	inner := width - 2*margin
	y := margin
	y = panel(&b, byName["front"], margin, y, inner, 5, "#ddf4ff", "#0969da")
	y = arrow(&b, width/2, y, true, "the front imports the core")
	y = panel(&b, byName["core"], margin, y, inner, 5, "#dafbe1", "#1a7f37")
	for _, name := range []string{"konnect", "gateway", "kube"} {
		if byName["core"].imports[name] || !byName[name].imports["resource"] {
			return nil, fmt.Errorf("the picture is wrong: %s does not import the core, or the core imports it", name)
		}
	}
	y = arrow(&b, width/2, y, false, "targets import the core; it knows none of them")
	x, end := margin, y
	for _, t := range []struct {
		name    string
		columns int
	}{{"konnect", 3}, {"gateway", 1}, {"kube", 2}} {
		part := (inner - 2*boxGap) * t.columns / 6
		end = max(end, panel(&b, byName[t.name], x, y, part, t.columns, "#fff8c5", "#9a6700"))
		x += part + boxGap
	}
	height := end + margin
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="system-ui,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif" font-size="13">`+"\n"+
		`<rect width="%d" height="%d" rx="8" fill="#ffffff"/>`+"\n", width, height, width, height, width, height)
	return []byte(head + b.String() + "</svg>\n"), nil
}

// panel draws a group and returns where it ends.
func panel(b *strings.Builder, g *group, x, y, width, columns int, fill, stroke string) int {
	rows := (len(g.packages) + columns - 1) / columns
	height := 34 + rows*(boxHeight+boxGap) + panelPad - boxGap
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", x, y, width, height, fill, stroke)
	fmt.Fprintf(b, `<text x="%d" y="%d" font-weight="bold" fill="#1f2328">%s</text>`+"\n", x+panelPad, y+22, html.EscapeString(titles[g.name]))
	box := (width - 2*panelPad - (columns-1)*boxGap) / columns
	for i, name := range g.packages {
		bx, by := x+panelPad+(i%columns)*(box+boxGap), y+34+(i/columns)*(boxHeight+boxGap)
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="#ffffff" stroke="#d0d7de"/>`, bx, by, box, boxHeight)
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" font-size="12" fill="#1f2328">%s</text>`+"\n", bx+box/2, by+17, html.EscapeString(strings.TrimPrefix(name, g.name+"/")))
	}
	return y + height
}

// arrow draws an arrow below y, down or up, and returns where it ends.
func arrow(b *strings.Builder, x, y int, down bool, text string) int {
	from, to := y+4, y+32
	head := fmt.Sprintf("M%d %d l-5 -8 h10 z", x, to)
	if !down {
		head = fmt.Sprintf("M%d %d l-5 8 h10 z", x, from)
	}
	fmt.Fprintf(b, `<path d="M%d %d V%d" stroke="#57606a" fill="none"/><path d="%s" fill="#57606a"/>`, x, from+2, to-2, head)
	fmt.Fprintf(b, `<text x="%d" y="%d" fill="#57606a">%s</text>`+"\n", x+14, y+23, html.EscapeString(text))
	return y + 36
}
