package value

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"sort"
	"strings"
)

// Unknown is the plain stand-in for a value that exists only once a change has
// run. It equals nothing, itself included.
type Unknown struct{}

// MarshalJSON writes the placeholder of the plan format.
func (Unknown) MarshalJSON() ([]byte, error) { return []byte(`"` + UnknownText + `"`), nil }

// UnknownText is how a plan writes an Unknown.
const UnknownText = "[unknown]"

// Get follows a path through plain data.
func Get(data any, p Path) (any, bool) {
	for _, seg := range p {
		switch d := data.(type) {
		case map[string]any:
			next, ok := d[seg]
			if !ok {
				return nil, false
			}
			data = next
		case []any:
			i, ok := Place(seg)
			if !ok || i >= len(d) {
				return nil, false
			}
			data = d[i]
		default:
			return nil, false
		}
	}
	return data, true
}

// Set writes into plain data along a path, making mappings on the way, and
// returns the root. List places must exist.
func Set(data any, p Path, x any) any {
	if len(p) == 0 {
		return x
	}
	if list, ok := data.([]any); ok {
		if i, ok := Place(p[0]); ok && i < len(list) {
			list[i] = Set(list[i], p[1:], x)
		}
		return list
	}
	m, ok := data.(map[string]any)
	if !ok {
		m = map[string]any{}
	}
	m[p[0]] = Set(m[p[0]], p[1:], x)
	return m
}

// Delete removes what a path of mapping keys leads to.
func Delete(data any, p Path) {
	if len(p) == 0 {
		return
	}
	parent, ok := Get(data, p[:len(p)-1])
	if !ok {
		return
	}
	if m, ok := parent.(map[string]any); ok {
		delete(m, p[len(p)-1])
	}
}

// Empty tells of null and of lists and mappings without content: where a field
// is concerned, all three say nothing.
func Empty(data any) bool {
	switch d := data.(type) {
	case nil:
		return true
	case []any:
		return len(d) == 0
	case map[string]any:
		return len(d) == 0
	default:
		return false
	}
}

// Solid copies plain data without the nulls of its mappings.
func Solid(data any) any {
	switch d := data.(type) {
	case map[string]any:
		out := make(map[string]any, len(d))
		for k, x := range d {
			if x != nil {
				out[k] = Solid(x)
			}
		}
		return out
	case []any:
		out := make([]any, len(d))
		for i, x := range d {
			out[i] = Solid(x)
		}
		return out
	default:
		return data
	}
}

// Clone copies plain data.
func Clone(data any) any {
	switch d := data.(type) {
	case map[string]any:
		out := make(map[string]any, len(d))
		for k, x := range d {
			out[k] = Clone(x)
		}
		return out
	case []any:
		out := make([]any, len(d))
		for i, x := range d {
			out[i] = Clone(x)
		}
		return out
	default:
		return d
	}
}

// Equal compares plain data. Numbers are equal when their values are: 1 = 1.0.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case Unknown:
		return false
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			yv, ok := y[k]
			if !ok || !Equal(x[k], yv) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !Equal(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	if _, ok := b.(Unknown); ok {
		return false
	}
	if nx, ok := rational(a); ok {
		ny, ok := rational(b)
		return ok && nx.Cmp(ny) == 0
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

func rational(x any) (*big.Rat, bool) {
	switch n := x.(type) {
	case json.Number:
		return parseRat(n.String())
	case float64:
		r := new(big.Rat).SetFloat64(n)
		return r, r != nil
	case int:
		return new(big.Rat).SetInt64(int64(n)), true
	case int64:
		return new(big.Rat).SetInt64(n), true
	default:
		return nil, false
	}
}

// Canonical writes plain data as JSON with sorted keys and numbers in one form.
func Canonical(data any) []byte {
	var b bytes.Buffer
	canonical(&b, data)
	return b.Bytes()
}

func canonical(b *bytes.Buffer, data any) {
	switch d := data.(type) {
	case map[string]any:
		keys := make([]string, 0, len(d))
		for k := range d {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		b.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				b.WriteByte(',')
			}
			canonical(b, k)
			b.WriteByte(':')
			canonical(b, d[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, x := range d {
			if i > 0 {
				b.WriteByte(',')
			}
			canonical(b, x)
		}
		b.WriteByte(']')
	default:
		if r, ok := rational(data); ok {
			digits, _ := r.FloatPrec() // exact: what was written in decimal ends in decimal
			b.WriteString(r.FloatString(digits))
			return
		}
		enc, err := json.Marshal(data)
		if err != nil {
			panic("value.Canonical: " + err.Error())
		}
		b.Write(enc)
	}
}

// Fingerprint is the digest of plain data as plans write it.
func Fingerprint(data any) string {
	sum := sha256.Sum256(Canonical(data))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// LabelHash is the digest of plain data in the letters that a Konnect label
// value allows.
func LabelHash(data any) string {
	sum := sha256.Sum256(Canonical(data))
	enc := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:])
	return "sha256-" + strings.ToLower(enc)
}

// Decode reads one JSON document, keeping numbers as written.
func Decode(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		return nil, err
	}
	return out, nil
}

// Texts lists the texts of a value: itself, or those of a list.
func Texts(v any) []string {
	switch x := v.(type) {
	case string:
		return []string{x}
	case []any:
		var out []string
		for _, y := range x {
			if s, ok := y.(string); ok {
				out = append(out, s)
			}
		}
		return out
	default:
		return nil
	}
}
