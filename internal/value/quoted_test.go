package value_test

import (
	"slices"
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
		{"a long line", "-----\nthe second line of a key\n-----", "the second line of a key"},
	}
	for _, r := range rows {
		if !slices.Contains(value.Quoted(r.text), r.quoted) {
			t.Errorf("%s: %q is not among %q", r.how, r.quoted, value.Quoted(r.text))
		}
	}
	forms := value.Quoted(`a&"b`)
	if !slices.IsSortedFunc(forms, func(a, b string) int { return len(b) - len(a) }) || slices.Contains(value.Quoted("one\ntwo"), "two") {
		t.Errorf("%q", forms)
	}
}
