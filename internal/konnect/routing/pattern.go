package routing

import (
	"errors"
	"regexp/syntax"
	"slices"
	"strings"
)

// Broken reports whether no gateway can read a regular expression, and why. It
// leaves alone what only other engines than ours know: groups with options or names,
// and classes inside classes.
func Broken(pattern string) (string, bool) {
	if strings.Contains(pattern, "(?") || nested(pattern) {
		return "", false
	}
	_, err := syntax.Parse(pattern, syntax.Perl)
	var e *syntax.Error
	if !errors.As(err, &e) || !slices.Contains([]syntax.ErrorCode{
		syntax.ErrMissingParen, syntax.ErrMissingBracket, syntax.ErrUnexpectedParen, syntax.ErrTrailingBackslash, syntax.ErrMissingRepeatArgument,
	}, e.Code) {
		return "", false
	}
	return string(e.Code), true
}

// nested reports whether a class of characters has an opening bracket in it: for
// some engines that is a class inside the class.
func nested(pattern string) bool {
	inside := false
	for i := 0; i < len(pattern); i++ {
		switch {
		case pattern[i] == '\\':
			i++
		case pattern[i] == '[' && inside:
			return true
		case pattern[i] == '[':
			inside = true
		case pattern[i] == ']':
			inside = false
		}
	}
	return false
}

// content is what a literal of an expression holds.
func content(literal string) string {
	if raw, ok := strings.CutPrefix(literal, `r#"`); ok {
		return strings.TrimSuffix(raw, `"#`)
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", `\r`, "\r", `\t`, "\t").Replace(strings.TrimSuffix(strings.TrimPrefix(literal, `"`), `"`))
}
