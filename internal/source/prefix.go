package source

import (
	"bytes"

	"github.com/kongctl/kongctl/internal/pattern"
)

const byteOrderMark = "\ufeff"

// versionTwo is the directive of YAML 1.2, which the parser refuses although it
// reads such documents; the scalars follow YAML 1.2 in any case.
var versionTwo = pattern.New(`^(%YAML[ \t]+1\.)2([ \t\r\n]|$)`)

// prefixed brings what stands before documents into the form that the parser
// reads: byte order marks are left out, and a document of YAML 1.2 counts as one
// of the version before. Lines and columns stay as they are.
func prefixed(data []byte) []byte {
	if !bytes.Contains(data, []byte(byteOrderMark)) && !bytes.Contains(data, []byte("%YAML")) {
		return data
	}
	out := make([]byte, 0, len(data))
	before := true // no document has begun
	for line := range bytes.Lines(data) {
		rest, marked := bytes.CutPrefix(line, []byte(byteOrderMark))
		if marked && (before || marker(rest, "---") || bytes.HasPrefix(rest, []byte("%"))) {
			line, before = rest, true
		}
		if before {
			line = versionTwo.ReplaceAll(line, []byte("${1}1${2}"))
		}
		out = append(out, line...)
		switch {
		case marker(line, "---"):
			before = len(bytes.TrimSpace(line)) == len("---")
		case marker(line, "..."):
			before = true
		case len(bytes.TrimSpace(line)) > 0 && line[0] != '#' && line[0] != '%':
			before = false
		}
	}
	return out
}

// marker reports whether a line begins or ends a document.
func marker(line []byte, sign string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(sign))
	return ok && (len(rest) == 0 || bytes.ContainsAny(rest[:1], " \t\r\n"))
}
