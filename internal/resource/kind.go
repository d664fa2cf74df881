package resource

import (
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// Kinds are what values may be, as JSON tells them apart. None says that it is
// not known.
type Kinds uint8

// The kinds of values.
const (
	Texts Kinds = 1 << iota
	Numbers
	Booleans
	Lists
	Mappings
)

// Fit reports whether what gives one of some kinds may be taken where one of
// others is wanted.
func (k Kinds) Fit(wanted Kinds) bool { return k == 0 || wanted == 0 || k&wanted != 0 }

// String names the kinds in a sentence: text or a number.
func (k Kinds) String() string {
	var out []string
	for i, words := range []string{"text", "a number", "true or false", "a list", "a mapping"} {
		if k&(1<<i) != 0 {
			out = append(out, words)
		}
	}
	return strings.Join(out, " or ")
}

// KindsOf are those of a value as it is declared; none for one that comes from
// elsewhere.
func KindsOf(v value.Value) Kinds {
	switch v.Kind() {
	case value.String:
		return Texts
	case value.Number:
		return Numbers
	case value.Bool:
		return Booleans
	case value.List:
		return Lists
	case value.Map:
		return Mappings
	default:
		return 0
	}
}
