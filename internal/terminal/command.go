package terminal

import (
	"unicode"
	"unicode/utf8"
)

// commands finds what GitHub Actions would take for a command to itself: a line that
// begins with :: after blanks, and ##[ anywhere.
type commands struct {
	begun  bool // the line has more than blanks and colons
	colons int  // at its beginning
	hashes int  // right before
}

// inert writes the last character of each command as an escape, which JSON reads
// as the same character. Text may come in pieces.
func (c *commands) inert(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		command := r == ':' && !c.begun && c.colons == 1 || r == '[' && c.hashes >= 2
		switch {
		case command && r == ':':
			out = append(out, `\u003a`...)
		case command:
			out = append(out, `\u005b`...)
		default:
			out = append(out, text[:size]...)
		}
		c.follow(r, command)
		text = text[size:]
	}
	return out
}

// follow remembers what the next character stands behind.
func (c *commands) follow(r rune, command bool) {
	if r == '#' {
		c.hashes++
	} else {
		c.hashes = 0
	}
	switch {
	case r == '\n':
		c.begun, c.colons = false, 0
	case r == ':' && !command && c.colons == 0:
		c.colons++
	case c.colons == 0 && (unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff'):
	default:
		c.begun = true
	}
}
