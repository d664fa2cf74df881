package value_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/value"
)

func TestQuoted(t *testing.T) {
	rows := []struct {
		how, text, quoted string
	}{
		{"as it is", `a&"b`, `a&"b`},
		{"JSON of Go", `a&"b`, `a\u0026\"b`},
		{"JSON of most others", `a&"b`, `a&\"b`},
		{"JSON in ASCII", "ä<\U0001f600", `\u00e4<\ud83d\ude00`},
		{"Go", "a\tb\x7f", `a\tb\x7f`},
		{"a query", `a&"b c`, `a%26%22b+c`},
		{"a path", `a/b c`, `a%2Fb%20c`},
		{"HTML", `a&"b`, `a&amp;&#34;b`},
		{"HTML with names", `a&"b'c`, `a&amp;&quot;b'c`},
		{"base64, without its end", "secret?", "c2VjcmV0Pw"},
		{"base64 of URLs", "\xff\xfe?>", "__4_Pg"},
		{"base64 after a byte", "secret?", "NlY3JldD"},
		{"base64 after two bytes", "secret?", "zZWNyZXQ/"},
		{"base64 of URLs after two bytes", "secret?", "zZWNyZXQ_"},
		{"a long line", "-----\nthe second line of a key\n-----", "the second line of a key"},
	}
	for _, r := range rows {
		if !slices.Contains(value.Quoted(r.text), r.quoted) {
			t.Errorf("%s: %q is not among %q", r.how, r.quoted, value.Quoted(r.text))
		}
	}
	if forms := value.Quoted("abc"); slices.ContainsFunc(forms, func(form string) bool { return len(form) < 3 || len(form) == 3 && form != "abc" }) {
		t.Errorf("a short text is found in ordinary ones: %q", forms)
	}
	forms := value.Quoted(`a&"b`)
	if !slices.IsSortedFunc(forms, func(a, b string) int { return len(b) - len(a) }) || slices.Contains(value.Quoted("one\ntwo"), "two") {
		t.Errorf("%q", forms)
	}
}

// A secret of six bytes or more is found in the base64 of any text that has it, and next to
// nothing of it is left.
func TestQuotedInBase64(t *testing.T) {
	for _, secret := range []string{"secret", "s3cret?", "p\u00e4ss\xff\xfew", "0123456789abcdef"} {
		var pairs []string
		for _, form := range value.Quoted(secret) {
			pairs = append(pairs, form, "*")
		}
		hide := strings.NewReplacer(pairs...)
		for before := range 7 {
			for after := range 4 {
				text := "user:-"[:min(before, 6)] + secret + "\r\n;"[:min(after, 3)]
				for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
					said := encoding.EncodeToString([]byte(text))
					left := strings.Split(hide.Replace(said), "*")
					if len(left) != 2 || len(left[0]) > (before*8+5)/6 || len(strings.TrimRight(left[1], "=")) > (after*8+5)/6+1 {
						t.Errorf("%s in the base64 %s of %q: %q is left", secret, said, text, left)
					}
				}
			}
		}
	}
}
