// Package view renders plans, events and reports for people and programs.
//
// In: a plan document, the events of a run, the answers of the embedded
// Konnect. Out: text, JSON or YAML on a writer that comes in. It decides
// nothing and must never import cli, start a call or read a file.
package view

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/terminal"
)

// Style is what the receiver of a text can show.
type Style struct {
	// Color allows escape sequences for colours.
	Color bool
	// Width is how many columns a line may have before it is wrapped; 0 wraps none.
	Width int
	// Diff says how changed values are shown.
	Diff Diff
}

type color string

const (
	red    color = "31"
	green  color = "32"
	yellow color = "33"
	bold   color = "1"
	dim    color = "2"
)

func (s Style) paint(c color, text string) string {
	if !s.Color || c == "" || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// lineWriter wraps what is written to it line by line.
type lineWriter struct {
	*bufio.Writer
	width int
}

func (s Style) writer(w io.Writer) *lineWriter { return &lineWriter{bufio.NewWriter(w), s.Width} }

// WriteString writes whole lines.
func (l *lineWriter) WriteString(text string) (int, error) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = terminal.Wrap(line, l.width)
	}
	return l.Writer.WriteString(strings.Join(lines, "\n"))
}

// line paints a line, without what it is indented by.
func (s Style) line(l line) string {
	text := strings.TrimLeft(l.text, " ")
	return l.text[:len(l.text)-len(text)] + s.paint(l.color, text)
}

// printable makes text from elsewhere fit for a place in a line.
func printable(s string) string { return terminal.Line(s) }

// shorten cuts text to a number of columns, an ellipsis included.
func shorten(s string, most int) string {
	switch {
	case terminal.Columns(s) <= most || most < 1:
		return s
	case most == 1:
		return "…"
	default:
		return strings.TrimRight(terminal.Cut(s, most-1), " ") + "…"
	}
}

// size tells a number of bytes the way people do.
func size(n int) string {
	switch {
	case n < 1024:
		return fmt.Sprintf("%d B", n)
	case n < 1024*1024:
		return fmt.Sprintf("%.1f KiB", float64(n)/1024)
	default:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1024*1024))
	}
}

// count is a number with its noun.
func count(n int, noun string) string { return diag.Count(n, noun) }

// Counted is how many resources and entities of gateways there are.
func Counted(resources, entities int) string {
	switch entities {
	case 0:
		return count(resources, "resource")
	case 1:
		return count(resources, "resource") + " and 1 gateway entity"
	default:
		return fmt.Sprintf("%s and %d gateway entities", count(resources, "resource"), entities)
	}
}

// duration is short: 0.2s, 12s, 3m05s.
func duration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0fs", d.Truncate(time.Second).Seconds())
	default:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
}
