package main

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	charWidth  = 8.43
	lineHeight = 20
	margin     = 20
	titleBar   = 34
)

// colors are those of a terminal with a dark background.
var colors = map[int]string{
	31: "#ff7b72", 32: "#56d364", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#56d4dd", 90: "#8b949e",
	91: "#ffa198", 92: "#7ee787", 93: "#f2cc60", 94: "#a5d6ff", 95: "#e2c5ff", 96: "#76e3ea",
}

var sgr = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// look is how text is shown.
type look struct {
	color     string
	bold, dim bool
}

// with is the look after a sequence of codes.
func (l look) with(codes string) look {
	for _, part := range strings.Split(codes, ";") {
		n, _ := strconv.Atoi(part) // nothing is 0: back to the beginning
		switch {
		case n == 0:
			l = look{}
		case n == 1:
			l.bold = true
		case n == 2:
			l.dim = true
		case n == 22:
			l.bold, l.dim = false, false
		case n == 39:
			l.color = ""
		case colors[n] != "":
			l.color = colors[n]
		}
	}
	return l
}

func (l look) attributes() string {
	var b strings.Builder
	if l.color != "" {
		fmt.Fprintf(&b, ` fill="%s"`, l.color)
	}
	if l.bold {
		b.WriteString(` font-weight="bold"`)
	}
	if l.dim {
		b.WriteString(` opacity="0.7"`)
	}
	return b.String()
}

// terminalSVG draws a terminal window with coloured text.
func terminalSVG(text string) []byte {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	columns := 0
	for _, line := range lines {
		columns = max(columns, utf8.RuneCountInString(sgr.ReplaceAllString(line, "")))
	}
	width, height := int(float64(columns)*charWidth)+2*margin, len(lines)*lineHeight+titleBar+margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="8" fill="#0d1117" stroke="#30363d"/>`+"\n", width, height)
	for i, color := range []string{"#ff5f56", "#ffbd2e", "#27c93f"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="17" r="5.5" fill="%s"/>`+"\n", margin+i*18, color)
	}
	var now look
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="#e6edf3" xml:space="preserve">`, margin, titleBar+(i+1)*lineHeight-4)
		at := 0
		for _, m := range append(sgr.FindAllStringSubmatchIndex(line, -1), nil) {
			end := len(line)
			if m != nil {
				end = m[0]
			}
			if end > at {
				fmt.Fprintf(&b, `<tspan%s>%s</tspan>`, now.attributes(), html.EscapeString(line[at:end]))
			}
			if m != nil {
				now, at = now.with(line[m[2]:m[3]]), m[1]
			}
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}
