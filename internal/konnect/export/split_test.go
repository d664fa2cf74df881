package export

import (
	"strings"
	"testing"
)

func TestLongTexts(t *testing.T) {
	for name, row := range map[string]struct {
		text string
		want bool
	}{
		"a word":                    {"x", false},
		"five lines":                {"1\n2\n3\n4\n5\n", false},
		"six lines":                 {"1\n2\n3\n4\n5\n6", true},
		"400 letters":               {strings.Repeat("x", 400), false},
		"401 letters":               {strings.Repeat("x", 401), true},
		"a specification":           {"openapi: 3.0.0\n", true},
		"a specification in JSON":   {`{"swagger": "2.0"}`, true},
		"words about specification": {"we like openapi: it is fine", false},
	} {
		if got := long(row.text); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestExtensions(t *testing.T) {
	for want, row := range map[string][2]string{
		".json": {"spec.content", `{"openapi": "3.0.0"}`},
		".yaml": {"spec.content", "# hello\nasyncapi: 2.0.0\n"},
		".pem":  {"cert", "-----BEGIN CERTIFICATE-----\n"},
		".css":  {"css", "a {}"},
		".md":   {"content", "# Hello\n{not json}"},
		".txt":  {"description", "Hello"},
	} {
		if got := extension(row[0], row[1]); got != want {
			t.Errorf("%v: %s, want %s", row, got, want)
		}
	}
}

// What a file would give back as something else stays in the document.
func TestReadable(t *testing.T) {
	for text, want := range map[string]bool{"text": true, "nul\x00": false, "GIF89a is what it begins with": false} {
		if readable(text) != want {
			t.Errorf("%q", text)
		}
	}
}
