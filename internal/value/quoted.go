package value

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// longLine is the length from which on a line of a text says something by itself.
const longLine = 16

// longInBase64 is the length in bytes from which on a text is looked for within the base64
// of others: what is left of a shorter one there stands in ordinary words, too.
const longInBase64 = 6

// Quoted returns the forms in which others may quote a text: as it is, as JSON, Go,
// URLs, HTML and base64 write it, as it stands within the base64 of a longer text, and
// each long line of it by itself. The longest is first.
func Quoted(s string) []string {
	forms := []string{s, url.QueryEscape(s), url.PathEscape(s), withoutQuotes(strconv.Quote(s))}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		forms = append(forms, strings.TrimRight(encoding.EncodeToString([]byte(s)), "="))
		if len(s) >= longInBase64 {
			forms = append(forms, within(encoding, s)...)
		}
	}
	for _, escapeHTML := range []bool{true, false} {
		text := inJSON(s, escapeHTML)
		forms = append(forms, text, asASCII(text))
	}
	escaped := html.EscapeString(s)
	forms = append(forms, escaped, strings.NewReplacer("&#34;", "&quot;", "&#39;", "'").Replace(escaped))
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); len(line) >= longLine {
			forms = append(forms, line)
		}
	}
	slices.Sort(forms)
	forms = slices.Compact(forms)
	slices.SortStableFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return forms
}

// within are the characters that say nothing but a text in the base64 of a longer one,
// behind any number of bytes: three bytes are four characters, so the text begins at one
// of three places in them. The characters at its edges hold bits of what is around it.
func within(encoding *base64.Encoding, s string) []string {
	var out []string
	for before := range 3 {
		text := encoding.EncodeToString([]byte("\x00\x00"[:before] + s))
		first, end := (before*8+5)/6, (before+len(s))*8/6
		out = append(out, text[first:end])
	}
	return out
}

func withoutQuotes(s string) string { return s[1 : len(s)-1] }

// inJSON is a text as JSON writes it, with & < > as escapes or as they are.
func inJSON(s string, escapeHTML bool) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(escapeHTML)
	if e.Encode(s) != nil {
		return s
	}
	return withoutQuotes(strings.TrimSuffix(b.String(), "\n"))
}

// asASCII writes all but ASCII as escapes of JSON.
func asASCII(s string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(s)) {
		if unit < 0x80 {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
