package engine

import (
	"testing"
	"time"
)

func TestParseAge(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{"0": 0, "7d": 7 * day, "1d12h": 36 * time.Hour, "168h": 7 * day, "90m": 90 * time.Minute, "0d": 0} {
		if got, ok := ParseAge(text); !ok || got != want {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "7", "d", "-1d", "-5h", "1d-2h", "1.5d", "soon", "99999999d"} {
		if got, ok := ParseAge(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
