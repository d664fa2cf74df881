package value

import "strings"

// TrimLines is a text without white space at its ends and at the ends of its
// lines: editors and services change those of certificates.
func TrimLines(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "\r\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return strings.Join(lines, "\n")
}
