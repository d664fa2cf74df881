package value

import (
	"encoding/pem"
	"strings"
)

// pemBegin starts a block in PEM form.
const pemBegin = "-----BEGIN "

// Blocks are the blocks of certificates and keys in PEM form: what stands outside
// of them does not count. Other texts are trimmed.
func Blocks(text string) string {
	if blocks, ok := pemBlocks(text); ok {
		return blocks
	}
	return TrimLines(text)
}

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

// pemBlocks are the blocks of a text, and whether all that it begins are whole.
func pemBlocks(text string) (string, bool) {
	var out strings.Builder
	left := strings.Count(text, pemBegin)
	if left == 0 {
		return "", false
	}
	for rest := []byte(text); left > 0; left-- {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return "", false
		}
		if err := pem.Encode(&out, block); err != nil {
			return "", false
		}
	}
	return strings.TrimSpace(out.String()), true
}
