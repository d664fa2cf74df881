package model

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// At follows a dotted path through mappings. In a list it continues in every item,
// and what it finds is a list.
func At(fields map[string]any, path string) any {
	return at(fields, strings.Split(path, "."))
}

func at(v any, path []string) any {
	if len(path) == 0 {
		return v
	}
	switch x := v.(type) {
	case map[string]any:
		return at(x[path[0]], path[1:])
	case []any:
		var out []any
		for _, item := range x {
			if below := at(item, path); below != nil {
				out = append(out, below)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// Set puts a value at a dotted path and makes the mappings on the way.
func Set(fields map[string]any, path string, v any) {
	head, rest, below := strings.Cut(path, ".")
	if !below {
		fields[head] = v
		return
	}
	next, ok := fields[head].(map[string]any)
	if !ok {
		next = map[string]any{}
		fields[head] = next
	}
	Set(next, rest, v)
}

// Clone copies plain data.
func Clone(v any) any {
	switch x := v.(type) {
	case map[string]any:
		return CloneMap(x)
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = Clone(e)
		}
		return out
	default:
		return v
	}
}

// CloneMap copies a mapping of plain data.
func CloneMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = Clone(v)
	}
	return out
}

// Texts are the scalars of a value as text; a list gives each of its own.
func Texts(v any) []string {
	switch x := v.(type) {
	case nil:
		return nil
	case string:
		return []string{x}
	case time.Time:
		return []string{x.UTC().Format(timeFormat)}
	case json.Number:
		return []string{x.String()}
	case []any:
		var out []string
		for _, e := range x {
			out = append(out, Texts(e)...)
		}
		return out
	case map[string]any:
		return nil
	default:
		return []string{fmt.Sprint(x)}
	}
}

// Hex makes up a stable name of n hexadecimal digits.
func Hex(n int, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:n]
}

// nullFree copies an answer without the nulls below a field: the contract does
// not know them.
func nullFree(v any, field string, inside bool) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			if below := inside || k == field; e != nil || !inside {
				out[k] = nullFree(e, field, below)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = nullFree(e, field, inside)
		}
		return out
	default:
		return v
	}
}
