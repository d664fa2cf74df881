package terminal

import (
	"bytes"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/pattern"
)

// Allow says what of a stream is not text of others.
type Allow struct {
	// Own are the escape sequences that this program writes itself.
	Own bool
	// Data keeps the characters that change the order of what is shown, and line
	// breaks that are CRLF: the stream is read by programs.
	Data bool
	// Inert keeps lines from being taken for commands by GitHub Actions, which reads
	// the stream.
	Inert bool
}

// Writer is the last thing between this program and a stream: whatever a view
// or a message forgot is escaped here. It may be written to from several sides.
type Writer struct {
	out   io.Writer
	allow func() Allow

	mutex sync.Mutex
	line  commands
	rest  []byte // the beginning of a character or of an escape sequence
}

// NewWriter makes a stream safe. allow is asked at each write.
func NewWriter(out io.Writer, allow func() Allow) *Writer {
	return &Writer{out: out, allow: allow}
}

var (
	// ownSequence is a colour, or what redraws the lines of progress.
	ownSequence = pattern.New(`^(\x1b\[(0|1|2|31|32|33)m|\x1b\[[0-9]+A\r\x1b\[J)`)
	// begunSequence may become one.
	begunSequence = pattern.New(`^\x1b(\[([0-9]{0,4}(A(\r(\x1b(\[)?)?)?)?)?)?$`)
)

// Write writes all of p but for an incomplete character at its end, which it
// keeps for the next write.
func (w *Writer) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	text := append(w.rest, p...)
	w.rest = nil
	var out []byte
	allow := w.allow()
	unsafe := unsafeText
	if allow.Data {
		unsafe = unsafeControl
	}
	for len(text) > 0 {
		next := bytes.IndexByte(text, '\x1b')
		if next < 0 || !allow.Own {
			next = len(text)
		}
		if next == 0 {
			sequence := ownSequence.Find(text)
			switch {
			case sequence != nil:
				out = append(out, sequence...)
				next = len(sequence)
			case begunSequence.Match(text):
				w.rest = bytes.Clone(text)
				next = len(text)
			default:
				out = append(out, escape(text[:1], unsafe)...)
				next = 1
			}
			text = text[next:]
			continue
		}
		part := text[:next]
		if next == len(text) {
			cut := incomplete(part, allow.Data)
			w.rest = bytes.Clone(part[cut:])
			part = part[:cut]
		}
		part = escapeLines(part, unsafe, allow.Data)
		if allow.Inert {
			part = w.line.inert(part)
		}
		out = append(out, part...)
		text = text[next:]
	}
	if len(out) > 0 {
		if _, err := w.out.Write(out); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// Flush writes what is left of a character that never came to its end.
func (w *Writer) Flush() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	rest := w.rest
	w.rest = nil
	if len(rest) == 0 {
		return nil
	}
	_, err := w.out.Write(escape(rest, unsafeText))
	return err
}

// crlf is a line break that data may have.
var crlf = []byte("\r\n")

// escapeLines is escape, which leaves line breaks of data as they are.
func escapeLines(p []byte, unsafe func(rune) bool, data bool) []byte {
	if !data || !bytes.Contains(p, crlf) {
		return escape(p, unsafe)
	}
	lines := bytes.Split(p, crlf)
	for i := range lines {
		lines[i] = escape(lines[i], unsafe)
	}
	return bytes.Join(lines, crlf)
}

// incomplete returns where a last character begins that has not ended, or a line break
// of data.
func incomplete(p []byte, data bool) int {
	if n := len(p) - 1; data && n >= 0 && p[n] == '\r' {
		return n
	}
	for i := len(p) - 1; i >= 0 && i >= len(p)-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				return i
			}
			break
		}
	}
	return len(p)
}
