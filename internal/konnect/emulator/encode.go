package emulator

import (
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"
)

// encoder writes plain data as JSON: what encoding/json does for maps with text
// as keys, without looking at types by reflection. A list spends most
// of its time here.
type encoder struct {
	out  []byte
	keys []string // of all mappings that are being written, the innermost last
}

// encoderMax is how large the buffer of an encoder may be to be used again.
const encoderMax = 1 << 20

// encoders keeps encoders for use again.
type encoders struct{ pool sync.Pool }

// encode calls f with the text of a value, which is valid until f returns.
func (p *encoders) encode(v any, f func([]byte)) error {
	e, _ := p.pool.Get().(*encoder)
	if e == nil {
		e = &encoder{}
	}
	e.out, e.keys = e.out[:0], e.keys[:0]
	if err := e.value(v); err != nil {
		return err
	}
	f(e.out)
	if cap(e.out) <= encoderMax {
		p.pool.Put(e)
	}
	return nil
}

func (e *encoder) value(v any) error {
	switch x := v.(type) {
	case nil:
		e.out = append(e.out, "null"...)
	case string:
		e.text(x)
	case bool:
		e.out = strconv.AppendBool(e.out, x)
	case json.Number:
		e.out = append(e.out, x...)
	case map[string]any:
		return e.mapping(x)
	case []any:
		return e.list(x)
	default:
		raw, err := json.Marshal(v)
		e.out = append(e.out, raw...)
		return err
	}
	return nil
}

func (e *encoder) mapping(m map[string]any) error {
	start := len(e.keys)
	for k := range m {
		e.keys = append(e.keys, k)
	}
	slices.Sort(e.keys[start:])
	e.out = append(e.out, '{')
	for i := range len(m) {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		key := e.keys[start+i]
		e.text(key)
		e.out = append(e.out, ':')
		if err := e.value(m[key]); err != nil {
			return err
		}
	}
	e.out = append(e.out, '}')
	e.keys = e.keys[:start]
	return nil
}

func (e *encoder) list(items []any) error {
	e.out = append(e.out, '[')
	for i, x := range items {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		if err := e.value(x); err != nil {
			return err
		}
	}
	e.out = append(e.out, ']')
	return nil
}

// text writes a string. What needs more than quotes is left to encoding/json.
func (e *encoder) text(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' || c >= utf8.RuneSelf {
			raw, _ := json.Marshal(s) // text can always be written
			e.out = append(e.out, raw...)
			return
		}
	}
	e.out = append(e.out, '"')
	e.out = append(e.out, s...)
	e.out = append(e.out, '"')
}
