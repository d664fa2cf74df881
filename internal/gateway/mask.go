package gateway

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// shortest is the length from which on a text is hidden within others, too.
//
// What a variable holds is hidden by its value wherever it stands, since nobody
// can tell by the field. A value such as a, 80 or prod stands in ordinary names,
// numbers and words as well: it is hidden where it is the whole value of a field,
// and never as a number, a boolean or a part of a name.
const shortest = 6

// Mask hides secrets in a name or in what somebody says: those that are long
// enough, in all forms in which others quote them. Passwords in URLs are hidden, too.
func Mask(text string, secrets []string) string { return newMasker(secrets).mask(text) }

// Long are the secrets that are hidden within other texts, too.
func Long(secrets []string) []string {
	return slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return len(strings.TrimSpace(s)) < shortest })
}

// MaskError gives what hides secrets in what decK or the service says of a
// failure. Fields are texts of fields that are secret by their nature: a short
// one is hidden where it stands alone. The end of a key, by which decK tells
// keys apart, is taken out.
func MaskError(secrets, fields []string) func(text string) string {
	m := newMasker(slices.Concat(secrets, fields))
	var words []*regexp.Regexp
	for _, s := range fields {
		if s = strings.TrimSpace(s); s != "" && len(s) < shortest {
			words = append(words, regexp.MustCompile(`(^|[^\pL\pN_])`+regexp.QuoteMeta(s)+`($|[^\pL\pN_])`))
		}
	}
	return func(text string) string {
		text = m.mask(text)
		for _, w := range words {
			text = w.ReplaceAllString(text, "${1}"+Hidden+"${2}")
		}
		return keyEnd.ReplaceAllString(text, "${1}key${2}")
	}
}

// keyEnd finds decK's name of a key: its last five bytes, which may be parts of
// characters, or all of a shorter one.
var keyEnd = pattern.New(`(\bkey-auth )(?s:.{1,5}?)( for consumer | failed|$)`)

// masker hides the same secrets in many texts.
type masker struct {
	short, long map[string]bool
	replacer    *strings.Replacer
}

func newMasker(secrets []string) *masker {
	m := &masker{short: map[string]bool{}, long: map[string]bool{}}
	var forms []string
	for _, s := range secrets {
		if s == "" || m.short[s] || m.long[s] {
			continue
		}
		if len(strings.TrimSpace(s)) < shortest {
			m.short[s] = true
			continue
		}
		m.long[s] = true
		forms = append(forms, value.Quoted(strings.TrimSpace(s))...)
	}
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, f := range slices.Compact(forms) {
		pairs = append(pairs, f, Hidden)
	}
	m.replacer = strings.NewReplacer(pairs...)
	return m
}

func (m *masker) mask(text string) string { return withoutPassword(m.replacer.Replace(text)) }

// leaf hides secrets in the value of a field.
func (m *masker) leaf(path []string, text string) string {
	isName := len(path) > 0 && (path[len(path)-1] == "name" || path[len(path)-1] == "username")
	if !isName && (m.short[text] || m.long[text]) {
		return Hidden
	}
	return m.mask(text)
}

// all hides secrets in whatever stands at a path.
func (m *masker) all(path []string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = m.all(append(path[:len(path):len(path)], k), x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = m.all(path, x)
		}
		return out
	case string:
		return m.leaf(path, v)
	case json.Number:
		if m.long[v.String()] {
			return Hidden
		}
	}
	return v
}

// withoutPassword hides the passwords in URLs.
func withoutPassword(s string) string { return value.HidePassword(s, Hidden) }
