package plugin

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// Missing is the reason of a problem with a field that must be set.
const Missing = "required field missing"

// Problem is what is wrong with a value.
type Problem struct {
	Path   value.Path
	Reason string
	// Unknown: the record has no such field; Known are those that it has, or the
	// values that are allowed.
	Unknown bool
	Known   []string
	// Absent: it is about what is left out.
	Absent bool
}

// Check returns what is wrong with a value, in the order of the fields. A field
// that is left out and has no default is null.
func (f *Field) Check(path value.Path, v any) []Problem {
	if v == nil {
		if f.Required {
			return []Problem{{Path: path, Reason: Missing, Absent: true}}
		}
		return nil
	}
	switch f.Kind {
	case KindAny:
		return nil
	case KindRecord:
		record, ok := v.(map[string]any)
		if !ok {
			return []Problem{{Path: path, Reason: "expected a record"}}
		}
		return f.checkRecord(path, record)
	case KindMap:
		all, ok := v.(map[string]any)
		if !ok {
			return []Problem{{Path: path, Reason: "expected a map"}}
		}
		var out []Problem
		for _, k := range slices.Sorted(maps.Keys(all)) {
			out = append(out, f.Element.Check(path.Child(k), all[k])...)
		}
		return out
	case KindArray, KindSet:
		return f.checkList(path, v)
	default:
		if reason, known := f.plain(v); reason != "" {
			return []Problem{{Path: path, Reason: reason, Known: known}}
		}
		return nil
	}
}

func (f *Field) checkList(path value.Path, v any) []Problem {
	list, ok := v.([]any)
	if !ok {
		if isVaultReference(v) && f.Referenceable {
			return nil
		}
		if m, isMap := v.(map[string]any); isMap && len(m) == 0 { // Lua knows no empty list
			return nil
		}
		return []Problem{{Path: path, Reason: "expected " + article(f.Kind)}}
	}
	var out []Problem
	for i, e := range list {
		out = append(out, f.Element.Check(path.Index(i), e)...)
	}
	return out
}

func (f *Field) checkRecord(path value.Path, record map[string]any) []Problem {
	var out []Problem
	for _, k := range slices.Sorted(maps.Keys(record)) {
		if f.field(k) == nil {
			out = append(out, Problem{Path: path.Child(k), Reason: "unknown field", Unknown: true, Known: f.Names()})
		}
	}
	for _, x := range f.Fields {
		out = append(out, x.Check(path.Child(x.Name), record[x.Name])...)
	}
	set := func(names []string) (n int) {
		for _, name := range names {
			if record[name] != nil {
				n++
			}
		}
		return n
	}
	if f.Some != nil && set(f.Some) == 0 {
		out = append(out, Problem{Path: path, Reason: "at least one of these fields must be non-empty: " + strings.Join(f.Some, ", "), Absent: true})
	}
	if f.One != nil && set(f.One) > 1 {
		out = append(out, Problem{Path: path, Reason: "only one of these fields must be non-empty: " + strings.Join(f.One, ", ")})
	}
	return out
}

// isVaultReference reports whether a gateway reads a value from a vault.
func isVaultReference(v any) bool {
	s, ok := v.(string)
	return ok && strings.HasPrefix(s, "{vault://")
}

// plain says what is wrong with a value that has nothing below it.
func (f *Field) plain(v any) (reason string, known []string) {
	if isVaultReference(v) {
		return "", nil
	}
	text, isText := v.(string)
	number, isNumber := asNumber(v)
	ok := false
	switch f.Kind {
	case KindString:
		ok = isText
	case KindBoolean:
		_, ok = v.(bool)
	case KindNumber:
		ok = isNumber
	case KindInteger:
		ok = isNumber && number == math.Trunc(number)
	}
	switch {
	case !ok:
		return "expected " + article(f.Kind), nil
	case f.OneOf != nil && !slices.Contains(f.OneOf, fmt.Sprint(v)):
		return "expected one of: " + strings.Join(f.OneOf, ", "), f.OneOf
	case isNumber && (f.Min != nil && number < *f.Min || f.Max != nil && number > *f.Max):
		return f.between(), nil
	case isText && f.MinLen != nil && len(text) < *f.MinLen:
		return fmt.Sprintf("length must be at least %d", *f.MinLen), nil
	case isText && f.MaxLen != nil && len(text) > *f.MaxLen:
		return fmt.Sprintf("length must be at most %d", *f.MaxLen), nil
	}
	return "", nil
}

func (f *Field) between() string {
	switch {
	case f.Max == nil:
		return fmt.Sprintf("value must be at least %s", short(*f.Min))
	case f.Min == nil:
		return fmt.Sprintf("value must be at most %s", short(*f.Max))
	default:
		return fmt.Sprintf("value should be between %s and %s", short(*f.Min), short(*f.Max))
	}
}

func short(n float64) string {
	raw, err := json.Marshal(n)
	if err != nil {
		return fmt.Sprint(n)
	}
	return string(raw)
}

func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		n, err := v.Float64()
		return n, err == nil
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}

func article(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}
