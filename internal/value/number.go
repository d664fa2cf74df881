package value

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// Unfit says why programs would read another number: they keep numbers in 64 bits,
// where what is too large is infinite, and what is too small is 0. It returns "" for
// numbers that fit.
func Unfit(n json.Number) string {
	text := n.String()
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return "is too large for a number of 64 bits"
	case f == 0 && !zero(text):
		return "is too small for a number of 64 bits"
	default:
		return ""
	}
}

// UnfitIn finds a number in plain data that is Unfit.
func UnfitIn(data any) (p Path, reason string) {
	switch x := data.(type) {
	case json.Number:
		return nil, Unfit(x)
	case []any:
		for i, e := range x {
			if p, reason := UnfitIn(e); reason != "" {
				return append(Path(nil).Index(i), p...), reason
			}
		}
	case map[string]any:
		for k, e := range x {
			if p, reason := UnfitIn(e); reason != "" {
				return append(Path{k}, p...), reason
			}
		}
	}
	return nil, ""
}

// Whole returns the digits of a number without a fraction: 80.0 and 8e1 are 80.
func Whole(n json.Number) (string, bool) {
	r, ok := parseRat(n.String())
	if !ok || !r.IsInt() {
		return "", false
	}
	return r.Num().String(), true
}

// zero reports whether a number has no digit but 0.
func zero(text string) bool {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		text = text[:i]
	}
	return strings.Trim(text, "+-0.") == ""
}

// maxExponent is above what numbers of 64 bits have, with any digits before it.
const maxExponent = 9999

// parseRat refuses exponents that would make a huge number of digits.
func parseRat(s string) (*big.Rat, bool) {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return new(big.Rat).SetString(s)
	}
	if zero(s) {
		return new(big.Rat), true
	}
	if exponent, err := strconv.Atoi(s[i+1:]); err != nil || exponent > maxExponent || exponent < -maxExponent {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}
