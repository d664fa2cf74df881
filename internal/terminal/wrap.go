package terminal

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/kongctl/kongctl/internal/pattern"
)

// minWidth is the narrowest width that lines are wrapped at.
const minWidth = 20

var (
	// sequence is what takes no column: colours, and what moves the cursor.
	sequence = pattern.New(`^(\x1b\[[0-9;]*[A-Za-z]|\r)`)
	// mark begins a line whose further lines stand below the text after it.
	mark = pattern.New(`^([-+~>⏸]|-/\+|fix:|\[ *[0-9]+/[0-9]+\]) `)
	// fixed are lines that mean nothing when they are wrapped: those of sources,
	// and documents.
	fixed = pattern.New(`^( *[0-9]* \||\{)`)
)

// Wrap breaks a line of text between words so that no part has more columns than
// a width. Further parts are indented below the first one. A word that does not
// fit by itself is cut. Width 0 wraps nothing.
func Wrap(line string, width int) string {
	if width <= 0 || Columns(line) <= max(width, minWidth) || fixed.MatchString(plain(line)) {
		return line
	}
	width = max(width, minWidth)
	indent := min(hang(plain(line)), width/2)
	if text := strings.TrimLeft(line, " "); len(line)-len(text) > width/2 {
		line = strings.Repeat(" ", width/2) + text
	}
	var b strings.Builder
	column, below := 0, false // below: the current part is a further one
	for rest := line; rest != ""; {
		word := strings.TrimLeft(rest, " ")
		blanks := len(rest) - len(word)
		if end := strings.IndexByte(word, ' '); end >= 0 {
			word = word[:end]
		}
		rest = rest[blanks+len(word):]
		start := 0 // where the current part begins
		if below {
			start = indent
		}
		n := Columns(word)
		if column+blanks+n <= width || word == "" {
			b.WriteString(strings.Repeat(" ", blanks) + word)
			column += blanks + n
			continue
		}
		if strings.TrimSpace(plain(b.String())) != "" && column > start {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column, below = indent, true
		} else {
			b.WriteString(strings.Repeat(" ", blanks)) // what the line is indented by
			column += blanks
		}
		for n = Columns(word); column+n > width; n = Columns(word) {
			head := Cut(word, width-column)
			b.WriteString(head + "\n" + strings.Repeat(" ", indent))
			word, column, below = word[len(head):], indent, true
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// hang is how far the further parts of a line are indented.
func hang(line string) int {
	text := strings.TrimLeft(line, " ")
	n := len(line) - len(text)
	if m := mark.FindString(text); m != "" {
		return n + Columns(m)
	}
	return n + 2
}

// Columns is how many columns of a terminal a text takes.
func Columns(s string) int {
	n := 0
	s = plain(s)
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// Cut returns the beginning of a text that takes so many columns, at least one character.
func Cut(word string, columns int) string {
	used, at := 0, 0
	for at < len(word) {
		if seq := sequence.FindString(word[at:]); seq != "" {
			at += len(seq)
			continue
		}
		r, size := utf8.DecodeRuneInString(word[at:])
		if used+columnsOf(r) > columns && used > 0 {
			break
		}
		used += columnsOf(r)
		at += size
	}
	return word[:at]
}

// plain is a text without what takes no column.
func plain(s string) string {
	if !strings.ContainsAny(s, "\x1b\r") {
		return s
	}
	var b strings.Builder
	for s != "" {
		if seq := sequence.FindString(s); seq != "" {
			s = s[len(seq):]
			continue
		}
		_, size := utf8.DecodeRuneInString(s)
		b.WriteString(s[:size])
		s = s[size:]
	}
	return b.String()
}

// Wrapper wraps the lines that are written to a terminal.
type Wrapper struct {
	out   io.Writer
	width func() int
	begun bool // a line has begun that has not ended
}

// NewWrapper wraps lines at a width, which is asked for at each write, as people
// resize; 0 wraps nothing.
func NewWrapper(out io.Writer, width func() int) *Wrapper { return &Wrapper{out: out, width: width} }

// Write wraps each line that begins in p. What a line begins with is written at
// once: people may be asked for its end.
func (w *Wrapper) Write(p []byte) (int, error) {
	width := w.width()
	if width <= 0 {
		return w.out.Write(p)
	}
	var out bytes.Buffer
	for rest := p; len(rest) > 0; {
		line, next, ended := bytes.Cut(rest, []byte("\n"))
		if w.begun {
			out.Write(line)
		} else {
			out.WriteString(Wrap(string(line), width))
		}
		if ended {
			out.WriteByte('\n')
		}
		if at := bytes.LastIndexByte(line, '\r'); at >= 0 { // back at its beginning
			w.begun, line = false, line[at+1:]
		}
		w.begun, rest = !ended && (w.begun || plain(string(line)) != ""), next
	}
	if _, err := w.out.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}
