package value

import (
	"encoding/json"
	"testing"
)

func TestUnfit(t *testing.T) {
	for text, want := range map[string]bool{
		"1e999": true, "-1e309": true, "1e-400": true, "-0.1e-400": true, "1e99999999999999999999": true,
		"0": false, "-0.0e-999": false, "0e99999": false, "1e308": false, "5e-324": false, "12345678901234567890": false,
	} {
		if got := Unfit(json.Number(text)) != ""; got != want {
			t.Errorf("Unfit(%s) is %v, want %v", text, got, want)
		}
	}
	data := map[string]any{"a": []any{json.Number("1"), map[string]any{"b": json.Number("1e999")}}}
	if p, reason := UnfitIn(data); p.String() != "a[1].b" || reason == "" {
		t.Errorf("UnfitIn finds %q: %s", p, reason)
	}
}

// Numbers are equal whatever digits they are written in, as long as a number of 64
// bits holds them.
func TestEqualNumbers(t *testing.T) {
	for a, b := range map[string]string{"1e+000005": "100000", "0e99999": "0", "80.0": "8e1", "1e-000300": "0.1e-299"} {
		if !Equal(json.Number(a), json.Number(b)) || string(Canonical(json.Number(a))) != string(Canonical(json.Number(b))) {
			t.Errorf("%s and %s differ", a, b)
		}
	}
	if Equal(json.Number("1"), json.Number("1.00000000000000000001")) {
		t.Error("digits are lost")
	}
}
