package plan

import (
	"encoding/json"
	"fmt"

	"kongctl/internal/contract"
	"kongctl/internal/value"
)

// expression writes an expression the way plans hold it: by name, never by
// value. Files are named by their base folder, relative to the plan, and the
// path below it.
func expression(e *value.Expression, base string) map[string]any {
	out := map[string]any{string(e.Op): e.Name}
	if e.Op == value.OpFile {
		out["base"] = base
	}
	if e.Field != "" {
		out["extract"] = e.Field
	}
	return out
}

func secretExpression(e *value.Expression, base string) map[string]any {
	parts := make([]any, len(e.Parts))
	for i, p := range e.Parts {
		if inner := p.Expr(); inner != nil {
			parts[i] = expression(inner, base)
		} else {
			parts[i] = map[string]any{"text": p.Plain(nil)}
		}
	}
	if len(parts) == 1 {
		return map[string]any{"source": parts[0]}
	}
	return map[string]any{"parts": parts}
}

// FromEnv takes a part out of a variable's value, or all of it.
func FromEnv(text, extract string) (any, error) {
	if extract == "" {
		return text, nil
	}
	data, err := value.Decode([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the variable does not hold JSON to take %s from", extract)
	}
	part, ok := value.Get(data, value.ParsePath(extract))
	if !ok {
		return nil, fmt.Errorf("the variable's JSON has no %s", extract)
	}
	return part, nil
}

// Coerce turns a variable's text into the number or boolean that a field takes.
func Coerce(s *contract.Schema, v any) any {
	text, ok := v.(string)
	if !ok || s == nil {
		return v
	}
	switch s.Type {
	case "boolean":
		switch text {
		case "true":
			return true
		case "false":
			return false
		}
	case "integer", "number":
		if json.Valid([]byte(text)) {
			return json.Number(text)
		}
	}
	return v
}
