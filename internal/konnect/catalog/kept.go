package catalog

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/value"
)

// KeptAt finds the entry of a field that Konnect offers no way to reset, or of a
// field above it.
func KeptAt(b *Bound, path []string) (Kept, bool) {
	name := strings.Join(path, ".")
	for _, k := range b.Keeps {
		if name == k.Field || strings.HasPrefix(name, k.Field+".") {
			return k, true
		}
	}
	return Kept{}, false
}

// Unset reports whether a field has the value that it has when nobody gave it
// one, by the fields beside it.
func (k Kept) Unset(have any, fields map[string]any) bool {
	text, isText := have.(string)
	switch {
	case k.Default != nil:
		return have == k.Default
	case !isText:
		return false
	case k.Copies != "":
		return have == fields[k.Copies]
	case len(k.Words) == 0:
		return false
	}
	var all []string
	least := 0
	for i, f := range k.Words {
		s, _ := fields[f].(string)
		if foreignLetters(s) {
			return true // nobody can tell what it makes of them
		}
		more := wordsOf(s)
		if all = append(all, more...); i == 0 {
			least = len(all)
		} else if len(more) > 0 {
			least++ // of a version the first part may do
		}
	}
	if least == 0 {
		_, known := fields[k.Words[0]].(string)
		return !known || k.Wordless == "" || text == k.Wordless
	}
	got := wordsOf(text)
	return len(got) >= least && len(got) <= len(all) && slices.EqualFunc(got, all[:len(got)], spelled)
}

// spelled reports whether a word is one that Konnect may have made of another: as
// that one is written, in small letters, or with a capital.
func spelled(word, of string) bool {
	small := strings.ToLower(of)
	first, size := utf8.DecodeRuneInString(small)
	return word == of || word == small || word == string(unicode.ToUpper(first))+small[size:]
}

// text is what Konnect makes of the fields beside it: the words of the first one and
// the first word of each other, joined: of a version the major one. How it spells
// others than plain letters and digits is not known.
func (k Kept) text(fields map[string]any) string {
	var all []string
	for i, f := range k.Words {
		s, isText := fields[f].(string)
		if !isText && fields[f] != nil || foreignLetters(s) || strings.Contains(s, "_") {
			return ""
		}
		words := wordsOf(s)
		if i > 0 {
			words = words[:min(1, len(words))]
		}
		all = append(all, words...)
	}
	return strings.ToLower(strings.Join(all, "-"))
}

// Made reports whether a field has a value that Konnect may have made of the fields
// beside it before they changed: the words of the first one, and numbers of a
// former version. Without a version now, a new resource has no numbers.
func (k Kept) Made(have any, fields map[string]any) bool {
	text, _ := have.(string)
	if len(k.Words) < 2 || !slices.ContainsFunc(k.Words[1:], func(f string) bool { return fields[f] != nil && fields[f] != "" }) {
		return false
	}
	first, _ := fields[k.Words[0]].(string)
	begin, got := wordsOf(first), wordsOf(text)
	if len(begin) == 0 || len(got) <= len(begin) || !slices.EqualFunc(got[:len(begin)], begin, spelled) {
		return false
	}
	return !slices.ContainsFunc(got[len(begin):], func(w string) bool { return !strings.ContainsFunc(w, unicode.IsDigit) })
}

// foreignLetters reports whether a text has others than plain letters: how Konnect
// spells them is not known.
func foreignLetters(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

// wordsOf are the letters and digits of a text between anything else.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Inherits reports whether a field takes its value from another resource where it is
// left out.
func Inherits(b *Bound, path []string) bool {
	name := strings.Join(path, ".")
	return slices.ContainsFunc(b.Inherits, func(f Inherited) bool { return f.Field == name })
}

// LeftOut is what a field has that a resource with some fields leaves out, and whether
// anything gives it a value then: Unknown is one that nobody can tell.
func LeftOut(b *Bound, fields map[string]any, path value.Path) (any, bool) {
	switch s := b.Write().At(path, fields); {
	case s == nil:
		return nil, false // another form has it
	case s.HasDefault():
		return s.Default, true
	}
	k, _ := KeptAt(b, path.Generic())
	above, _ := value.Get(fields, path[:len(path)-1])
	beside, _ := above.(map[string]any)
	var out any
	switch {
	case k.Field != path.Generic().String():
	case k.From != nil:
		out = k.From(beside)
	case k.Copies != "":
		out = beside[k.Copies]
	default:
		out = k.Default
	}
	if out == nil && b.IsComputed(path.Generic()) {
		out = value.Unknown{}
	}
	return out, out != nil
}

// As is the value of an inherited field as the field holds it: in a list
// where it is one.
func (f Inherited) As(b *Bound, v any) any {
	s := b.write.At(strings.Split(f.Field, "."), nil)
	if _, isList := v.([]any); v != nil && !isList && s != nil && s.Type == "array" {
		return []any{v}
	}
	return v
}

// Given leaves out the fields that have the value which Konnect gives them where
// nobody gives them one, of those of which that value is known.
func Given(b *Bound, fields map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range fields {
		if k, listed := KeptAt(b, []string{name}); listed && k.Default != nil && k.Unset(v, fields) {
			continue
		}
		out[name] = v
	}
	return out
}
