package value

import (
	"slices"
	"strconv"
	"strings"
)

// Path leads from the root of a value to one of its parts. A segment is a
// mapping key or, where it reads "[n]", a place in a list.
type Path []string

// Child returns the path to a mapping key below p.
func (p Path) Child(key string) Path { return append(p[:len(p):len(p)], key) }

// Index returns the path to a list element below p.
func (p Path) Index(i int) Path {
	return append(p[:len(p):len(p)], "["+strconv.Itoa(i)+"]")
}

// String renders the path the way people write it: ssl.skip_ca_check,
// auth_strategy_ids[0], labels["a.b"].
func (p Path) String() string {
	var b strings.Builder
	for i, seg := range p {
		switch {
		case isIndex(seg):
			b.WriteString(seg)
		case strings.ContainsAny(seg, `.[]"`) || seg == "":
			b.WriteString("[" + strconv.Quote(seg) + "]")
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(seg)
		}
	}
	return b.String()
}

// ParsePath reads what String writes.
func ParsePath(s string) Path {
	var p Path
	for len(s) > 0 {
		switch {
		case strings.HasPrefix(s, `["`):
			quoted, err := strconv.QuotedPrefix(s[1:])
			if err != nil {
				return append(p, s)
			}
			key, err := strconv.Unquote(quoted)
			if err != nil {
				return append(p, s)
			}
			p = append(p, key)
			s = strings.TrimPrefix(s[1+len(quoted):], "]")
		case s[0] == '[':
			end := strings.IndexByte(s, ']')
			if end < 0 {
				return append(p, s)
			}
			p = append(p, s[:end+1])
			s = s[end+1:]
		default:
			end := strings.IndexAny(s, ".[")
			if end < 0 {
				end = len(s)
			}
			p = append(p, s[:end])
			s = s[end:]
		}
		s = strings.TrimPrefix(s, ".")
	}
	return p
}

// HasPrefix tells whether q is p or stands above it.
func (p Path) HasPrefix(q Path) bool {
	if len(q) > len(p) {
		return false
	}
	for i := range q {
		if p[i] != q[i] {
			return false
		}
	}
	return true
}

// Fits reports whether p is the path that pattern describes. In a pattern, "[]"
// stands for every place in a list.
func (p Path) Fits(pattern Path) bool {
	return slices.EqualFunc(p, pattern, func(seg, want string) bool {
		return seg == want || want == "[]" && isIndex(seg)
	})
}

// Generic drops list positions, so that one path names a field in every element.
func (p Path) Generic() Path {
	out := make(Path, 0, len(p))
	for _, seg := range p {
		if !isIndex(seg) {
			out = append(out, seg)
		}
	}
	return out
}

// Whole is the path up to the first list that p leads through: a list has no
// parts that keep their place.
func (p Path) Whole() Path {
	for i, seg := range p {
		if isIndex(seg) {
			return p[:i]
		}
	}
	return p
}

func isIndex(seg string) bool {
	_, ok := Place(seg)
	return ok
}

// Place reads a segment that is a place in a list, "[n]".
func Place(seg string) (int, bool) {
	if len(seg) < 3 || seg[0] != '[' || seg[len(seg)-1] != ']' {
		return 0, false
	}
	n, err := strconv.Atoi(seg[1 : len(seg)-1])
	return n, err == nil && n >= 0
}
