package emulator

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

// The encoder writes what encoding/json would.
func TestEncode(t *testing.T) {
	var p encoders
	for name, v := range map[string]any{
		"nothing": nil, "true": true, "number": json.Number("12345678901234567890.5"), "text": "plain", "empty text": "",
		"quotes": `a "b" \c`, "markup": "<a href='x'>&</a>", "lines": "a\nb\tc\x00", "beyond ASCII": "Grüße \u2028 \U0001f600", "not UTF-8": "a\xffb",
		"empty mapping": map[string]any{}, "empty list": []any{}, "list": []any{"a", nil, false, []any{json.Number("1")}},
		"mapping":  map[string]any{"b": map[string]any{"z": nil, "a": []any{map[string]any{"k": "v", "<": ">"}}}, "a": "x", "ä": "y"},
		"other":    map[string]any{"when": time.Unix(0, 0).UTC(), "ints": []int{1, 2}},
		"a number": 7,
	} {
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time with what the first has left
			if err := p.encode(v, func(got []byte) {
				if string(got) != string(want) {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if err := p.encode(map[string]any{"a": []any{math.Inf(1)}}, func([]byte) { t.Error("infinity was written") }); err == nil {
		t.Error("infinity is no error")
	}
}
