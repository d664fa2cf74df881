package cli

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestReadKeys asserts what keys do to a line that is not shown.
func TestReadKeys(t *testing.T) {
	for keys, want := range map[string]string{
		"kpat_1\r":             "kpat_1",
		"kpat_1\n":             "kpat_1",
		"kpat_2\x7f1\r":        "kpat_1",
		"\x08ü\x7fkpat_1\r":    "kpat_1",
		"wrong\x15kpat_1\r":    "kpat_1",
		"kpat_1\x04":           "kpat_1",
		"kpat_1":               "kpat_1",
		"\x7f\x7f\x15kpat_1\r": "kpat_1",
	} {
		if got, err := readKeys(strings.NewReader(keys)); got != want || err != nil {
			t.Errorf("%q: %q, %v", keys, got, err)
		}
	}
	for _, keys := range []string{"", "\x04", "abc\x15\x04"} {
		if got, err := readKeys(strings.NewReader(keys)); got != "" || !errors.Is(err, io.EOF) {
			t.Errorf("%q: %q, %v", keys, got, err)
		}
	}
	if _, err := readKeys(strings.NewReader("abc\x03")); exitCode(err) != exitInterrupted {
		t.Errorf("interrupted: %v", err)
	}
}
