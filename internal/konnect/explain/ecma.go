package explain

import "strings"

// ecma is a pattern in the form that ECMA-262 takes with the flag u, as validators of
// JSON Schema compile it: there a character that means nothing else must not be
// escaped. Go reads the result alike.
func ecma(pattern string) string {
	var out strings.Builder
	class := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\' && i+1 < len(pattern):
			i++
			if mayEscape(pattern[i], class) {
				out.WriteByte('\\')
			}
			c = pattern[i]
		case c == '[':
			class = true
		case c == ']':
			class = false
		}
		out.WriteByte(c)
	}
	return out.String()
}

// mayEscape reports whether a character may follow a backslash, in a class or outside.
func mayEscape(c byte, class bool) bool {
	if class && c == '-' {
		return true
	}
	return strings.IndexByte(`^$\.*+?()[]{}|/`, c) >= 0 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
