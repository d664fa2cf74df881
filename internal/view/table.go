package view

import (
	"io"
	"strings"
	"unicode/utf8"
)

const (
	columnGap = 2
	// leastColumn is how narrow a column may become.
	leastColumn = 6
)

// WriteTable writes a header and rows in columns. Where a width is known, the
// widest columns are cut until the lines fit it; 0 stands for no bound.
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
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	squeeze(widths, width)
	var b strings.Builder
	for n, line := range lines {
		var text strings.Builder
		for i, c := range line {
			c = shorten(c, widths[i])
			text.WriteString(c)
			if i < len(line)-1 {
				text.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c)+columnGap))
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

// squeeze takes from the widest columns until all fit.
func squeeze(widths []int, width int) {
	total := columnGap * (len(widths) - 1)
	for _, n := range widths {
		total += n
	}
	for ; width > 0 && total > width; total-- {
		widest := 0
		for i, n := range widths {
			if n > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= leastColumn {
			return
		}
		widths[widest]--
	}
}
