package emulator

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// repeatedKey finds a key that one mapping of a JSON text has twice: what it
// stands for depends on who reads it.
func repeatedKey(text []byte) (string, bool) {
	type level struct {
		seen  map[string]bool // nil in a list
		value bool            // what comes next is the value of a key
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	stack := []level{{}}
	for {
		token, err := dec.Token()
		if err != nil {
			return "", false // the end: the text was read before
		}
		top := &stack[len(stack)-1]
		if key, isText := token.(string); isText && top.seen != nil && !top.value {
			if top.seen[key] {
				return key, true
			}
			top.seen[key], top.value = true, true
			continue
		}
		top.value = false
		switch token {
		case json.Delim('{'):
			stack = append(stack, level{seen: map[string]bool{}})
		case json.Delim('['):
			stack = append(stack, level{})
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:len(stack)-1]
		}
	}
}

// maxWhole is up to how many digits a number is written without an exponent.
const maxWhole = 16

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
		if digits, ok := value.Whole(x); ok && len(digits) <= maxWhole {
			return json.Number(digits)
		}
	}
	return v
}
