package explain

import "strings"

const (
	// leastText is the narrowest column of text beside a name, where no word needs
	// more; below it the text stands under the name.
	leastText = 30
	// under is how far such a text is indented.
	under = 6
	// widestList is the width of a list of words where any number of columns will do.
	widestList = 100
)

// hang writes a text behind its beginning in lines of a width. Further lines stand
// below the first word of the text.
func hang(b *strings.Builder, begin, says string, width int) {
	if width <= 0 || len(begin)+len(says) <= width || says == "" {
		b.WriteString(strings.TrimRight(begin+says, " ") + "\n")
		return
	}
	at, need := len(begin), leastText
	for _, w := range strings.Fields(says) {
		need = max(need, len(w))
	}
	if width-at < need && at > under {
		b.WriteString(strings.TrimRight(begin, " ") + "\n")
		at = under
		begin = strings.Repeat(" ", at)
	}
	line, fresh := begin, true
	for _, w := range strings.Fields(says) {
		if !fresh && len(line)+1+len(w) > width {
			b.WriteString(line + "\n")
			line, fresh = strings.Repeat(" ", at), true
		}
		if !fresh {
			line += " "
		}
		line, fresh = line+w, false
	}
	b.WriteString(line + "\n")
}

// writeWords writes words with commas between them in lines of a width.
func writeWords(b *strings.Builder, words []string, indent string, width int) {
	if width <= 0 {
		width = widestList
	}
	hang(b, indent, strings.Join(words, ", "), width)
}
