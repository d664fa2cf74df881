package emulator

import (
	"bytes"
	"encoding/json"
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
