package gateway

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// shortest is the length from which on a text is hidden within others, too.
//
// What a variable holds is hidden by its value wherever it stands, since nobody
// can tell by the field. A value such as a, 80 or prod stands in ordinary names,
// numbers and words as well: it is hidden where it is the whole value of a field,
// and never as a number, a boolean or a part of a name.
const shortest = 6

// Mask hides secrets in a name or in what somebody says: those that are long
// enough, as they are and as JSON, URLs and Go quote them. Passwords in URLs are
// hidden, too.
func Mask(text string, secrets []string) string { return mask(text, Long(secrets)) }

// Long are the secrets that are hidden within other texts, too.
func Long(secrets []string) []string {
	return slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return len(strings.TrimSpace(s)) < shortest })
}

// MaskError hides secrets in what decK or the service says of a failure. Fields
// are texts of fields that are secret by their nature: a short one is hidden
// where it stands alone. The end of a key, by which decK tells keys apart, is
// taken out.
func MaskError(text string, secrets, fields []string) string {
	text = mask(text, append(Long(secrets), Long(fields)...))
	for _, s := range fields {
		if s = strings.TrimSpace(s); s != "" && len(s) < shortest {
			text = maskWord(text, s)
		}
	}
	return keyEnd.ReplaceAllString(text, "${1}key${2}")
}

// keyEnd finds decK's name of a key: its last five bytes, which may be parts of
// characters, or all of a shorter one.
var keyEnd = regexp.MustCompile(`(\bkey-auth )(?s:.{1,5}?)( for consumer | failed|$)`)

// maskLeaf hides secrets in the value of a field.
func maskLeaf(path []string, text string, secrets []string) string {
	isName := len(path) > 0 && slices.Contains([]string{"name", "username"}, path[len(path)-1])
	if !isName && text != "" && slices.Contains(secrets, text) {
		return Hidden
	}
	return Mask(text, secrets)
}

func mask(text string, secrets []string) string {
	var forms []string
	for _, s := range secrets {
		s = strings.TrimSpace(s)
		forms = append(forms, s, url.QueryEscape(s), url.PathEscape(s))
		if quoted, err := json.Marshal(s); err == nil {
			forms = append(forms, string(quoted[1:len(quoted)-1]))
		}
		// Of a text of several lines each is told by itself.
		for line := range strings.Lines(s) {
			if line = strings.TrimSpace(line); len(line) >= 16 && line != s {
				forms = append(forms, line)
			}
		}
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(forms))
	for _, f := range forms {
		pairs = append(pairs, f, Hidden)
	}
	return withoutPassword(strings.NewReplacer(pairs...).Replace(text))
}

func maskWord(text, word string) string {
	pattern := regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(word) + `($|[^\pL\pN_])`)
	return pattern.ReplaceAllString(text, "${1}"+Hidden+"${2}")
}

// password finds one in a URL: user, password and host, whatever stands in the
// password but the signs that end a host.
var password = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://[^/?#@:\s]*):([^/?#\s]+)@`)

// withoutPassword hides the passwords in URLs.
func withoutPassword(s string) string {
	if !strings.Contains(s, "://") || !strings.Contains(s, "@") {
		return s
	}
	return password.ReplaceAllString(s, "${1}:"+Hidden+"@")
}
