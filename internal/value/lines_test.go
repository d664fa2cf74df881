package value_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/value"
)

func TestBlocks(t *testing.T) {
	const (
		one = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
		two = "-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----\n"
	)
	for _, r := range []struct {
		name, a, b string
		same       bool
	}{
		{"a preamble", one, "Certificate:\n    Data:\n        Version: 3 (0x2)\n" + one, true},
		{"a remark after it", one, one + "# added by hand\n", true},
		{"remarks between two", one + two, "subject=a\n" + one + "subject=b\n" + two, true},
		{"line ends", one, strings.ReplaceAll(one, "\n", "\r\n"), true},
		{"lines of another length", one, strings.Replace(one, "AAAA", "AA\nAA", 1), true},
		{"another certificate", one, two, false},
		{"one more", one, one + two, false},
		{"another order", one + two, two + one, false},
		{"another header", one, strings.Replace(one, "AAAA", "Law: 1\n\nAAAA", 1), false},
		{"another type", one, strings.ReplaceAll(one, "CERTIFICATE", "PRIVATE KEY"), false},
		{"a damaged block and other remarks", one + "x\n-----BEGIN CERTIFICATE-----\n", one + "y\n-----BEGIN CERTIFICATE-----\n", false},
		{"no block", " a \nb", "a\nb\n", true},
		{"other texts", "a", "b", false},
	} {
		t.Run(r.name, func(t *testing.T) {
			if got := value.Blocks(r.a) == value.Blocks(r.b); got != r.same {
				t.Errorf("equal: %v\n%q\n%q", got, value.Blocks(r.a), value.Blocks(r.b))
			}
		})
	}
}
