package emulator

import (
	"encoding/json"
	"strconv"
	"strings"
)

// exactFloat is up to where a float64 tells all whole numbers apart.
const exactFloat = 1 << 53

// wholeNumbers writes numbers without a fraction as such, in place: 80.0 and 8e1
// are 80, and clients read them into integers.
func wholeNumbers(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			x[k] = wholeNumbers(e)
		}
	case []any:
		for i, e := range x {
			x[i] = wholeNumbers(e)
		}
	case json.Number:
		if !strings.ContainsAny(x.String(), ".eE") {
			return x
		}
		f, err := x.Float64()
		if n := int64(f); err == nil && f > -exactFloat && f < exactFloat && float64(n) == f {
			return json.Number(strconv.FormatInt(n, 10))
		}
	}
	return v
}
