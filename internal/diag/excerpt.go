package diag

import (
	"strings"

	"github.com/kongctl/kongctl/internal/terminal"
)

// Excerpt is the line that a diagnostic is about, as it may be shown: without
// secrets and comments. Start and End bound what is marked, in characters from 0.
type Excerpt struct {
	Line       string
	Start, End int
}

// widest and narrowest are how many columns of a line are shown at most, and where
// there is no room.
const (
	widest    = 100
	narrowest = 20
)

// room is how many columns of a line are shown beside others: two are left for the
// signs that something is cut off. 0 columns are any number.
func room(columns, others int) int {
	if columns <= 0 {
		return widest
	}
	return max(min(columns-others-2, widest), narrowest)
}

// shown are the line and the marks below it, in columns: tabs and control
// characters take the place that they are shown in, wide characters two columns.
func (e Excerpt) shown(most int) (line, marks string) {
	runes := []rune(e.Line)
	start := min(max(e.Start, 0), len(runes))
	end := min(max(e.End, start+1), max(len(runes), start+1))
	cells := make([]string, len(runes))
	for i, r := range runes {
		cells[i] = terminal.Line(string(r))
	}
	from, to := window(cells, start, end, most)
	var out, below strings.Builder
	if from > 0 {
		out.WriteString("…")
		below.WriteString(" ")
	}
	for i := from; i < to; i++ {
		out.WriteString(cells[i])
		sign := " "
		if i >= start && i < end {
			sign = "^"
		}
		below.WriteString(strings.Repeat(sign, terminal.Columns(cells[i])))
	}
	if to < len(runes) {
		out.WriteString("…")
	}
	if start >= len(runes) {
		below.WriteString("^")
	}
	return strings.TrimRight(out.String(), " "), strings.TrimRight(below.String(), " ")
}

// window bounds what is shown of a long line: around the mark.
func window(cells []string, start, end, most int) (from, to int) {
	total := 0
	for _, c := range cells {
		total += terminal.Columns(c)
	}
	if total <= most {
		return 0, len(cells)
	}
	from, to = min(start, len(cells)), min(start, len(cells))
	used := 0
	grow := func(more int) {
		for more > 0 && used < most && to < len(cells) {
			used += terminal.Columns(cells[to])
			to, more = to+1, more-1
		}
	}
	grow(min(end-start, most))
	before := most / 3
	for n := 0; n < before && from > 0 && used < most; n++ {
		from--
		used += terminal.Columns(cells[from])
	}
	grow(len(cells))
	for from > 0 && used < most {
		from--
		used += terminal.Columns(cells[from])
	}
	return from, to
}
