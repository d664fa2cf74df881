package value

import (
	"encoding/json"
	"fmt"
)

// FromEnv takes a part out of a variable's text, or all of it. The error says
// nothing of the text.
func FromEnv(text, extract string) (any, error) {
	if extract == "" {
		return text, nil
	}
	data, err := Decode([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the variable does not hold JSON to take %s from", extract)
	}
	part, ok := Get(data, ParsePath(extract))
	if !ok {
		return nil, fmt.Errorf("the variable's JSON has no %s", extract)
	}
	if _, reason := UnfitIn(part); reason != "" {
		return nil, fmt.Errorf("the variable's JSON has a number at %s that %s", extract, reason)
	}
	return part, nil
}

// Coerce turns a variable's text into the number or boolean that a field of
// this JSON type takes.
func Coerce(kind string, v any) any {
	text, ok := v.(string)
	if !ok {
		return v
	}
	switch kind {
	case "boolean":
		switch text {
		case "true":
			return true
		case "false":
			return false
		}
	case "integer", "number":
		if n, err := Decode([]byte(text)); err == nil {
			if n, ok := n.(json.Number); ok && Unfit(n) == "" {
				return n
			}
		}
	}
	return v
}
