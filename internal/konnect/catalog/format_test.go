package catalog_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/testkit"
)

// A fix says what to do about the text, not to write what is written.
func TestFixOfACertificate(t *testing.T) {
	cert, key := testkit.Certificate(t, "one", testkit.Epoch())
	indented := "  " + strings.ReplaceAll(cert, "\n", "\n  ")
	for name, r := range map[string]struct {
		text, fix string
	}{
		"no certificate at all":      {"hello", "!file certificate.pem"},
		"with a byte order mark":     {"\ufeff" + cert, "without a byte order mark"},
		"indented":                   {indented, "remove what stands before -----BEGIN"},
		"indented, after a preamble": {"Certificate:\n" + indented, "remove what stands before -----BEGIN"},
		"cut off":                    {cert[:len(cert)-30], "-----END is missing"},
		"damaged":                    {strings.Replace(cert, "M", "*", 1), "is damaged"},
		"a key":                      {key, "is not a certificate in PEM form"},
	} {
		t.Run(name, func(t *testing.T) {
			if catalog.Certificate.Fits(r.text) {
				t.Fatal("it fits")
			}
			if fix := catalog.Certificate.Fix("cert", r.text); !strings.Contains(fix, r.fix) {
				t.Error(fix)
			}
		})
	}
}
