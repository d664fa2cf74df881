package view

import (
	"io"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/terminal"
)

const (
	columnGap = 2
	// leastColumn is how narrow a column may become.
	leastColumn = 6
	// longText is how wide a column may become before the last ones are cut.
	longText = 20
)

// WriteTable writes a header and rows in columns. Where a width is known, columns are
// cut until the lines fit it, those that say least first; 0 stands for no bound.
func WriteTable(w io.Writer, header []string, rows [][]string, width int, style Style) error {
	lines := [][]string{header}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = printable(c)
		}
		lines = append(lines, cells)
	}
	widths := make([]int, len(header))
	for _, line := range lines {
		for i, c := range line {
			widths[i] = max(widths[i], terminal.Columns(c))
		}
	}
	squeeze(header, widths, width)
	var b strings.Builder
	for n, line := range lines {
		var text strings.Builder
		for i, c := range line {
			c = shorten(c, widths[i])
			text.WriteString(c)
			if i < len(line)-1 {
				text.WriteString(strings.Repeat(" ", widths[i]-terminal.Columns(c)+columnGap))
			}
		}
		line := strings.TrimRight(text.String(), " ")
		if n == 0 {
			line = style.paint(bold, line)
		}
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// squeeze takes from the columns that say least until all fit: from ids and values, from
// long texts, from the last ones. The name is cut when nothing else is left to cut.
func squeeze(header []string, widths []int, width int) {
	over := columnGap*(len(widths)-1) - width
	for _, n := range widths {
		over += n
	}
	if width <= 0 {
		return
	}
	to := func(i, least int) {
		n := max(0, min(over, widths[i]-least))
		widths[i], over = widths[i]-n, over-n
	}
	name := max(0, slices.Index(header, "NAME"))
	for i, title := range header {
		if title == "ID" || title == "VALUE" {
			to(i, leastColumn)
		}
	}
	for over > 0 {
		widest := -1
		for i, n := range widths {
			if i != name && n > longText && (widest < 0 || n > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		to(widest, widths[widest]-1)
	}
	for i := len(widths) - 1; i >= 0; i-- {
		if i != name {
			to(i, leastColumn)
		}
	}
	to(name, leastColumn)
}
