package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

func unknownType(before, word string, known []string) error {
	e := &WordError{Message: fmt.Sprintf("unknown resource type %q", before+word), Hint: typesHint}
	if near := diag.NearestWord(dashed(normal(word)), known); near != "" {
		e.Message += fmt.Sprintf("; did you mean %q?", before+near)
	}
	return e
}

// unknownChild is about words after a type of which the first is neither a child
// nor, as more follow, a name.
func unknownChild(t *catalog.Type, rest []string) error {
	e := &WordError{
		Message: fmt.Sprintf("%s: unexpected argument %q", dashed(t.Kind), rest[1]),
		Hint:    fmt.Sprintf("after a type comes one name or id; name a parent with --%s-name.", catalog.FlagWord(t)),
	}
	if near := meant(t, rest[0]); near != "" {
		e.Message = fmt.Sprintf("%s has no %q; did you mean %s?", diag.A(catalog.Words(t.Kind)), rest[0], near)
		e.Hint = ""
	} else if c := child(t, rest[1]); c != nil {
		e.Hint = fmt.Sprintf("write: %s %s --%s-name %s", dashed(t.Kind), rest[1], catalog.FlagWord(t), rest[0])
	}
	return e
}

// notAChild is about a word behind a type of which a flag names one: no name, then,
// and no child either.
func notAChild(t *catalog.Type, word string) error {
	flag, words := catalog.FlagWord(t), following(t)
	if len(words) == 0 && !isType(word) {
		return &WordError{Message: fmt.Sprintf("the %s is named twice: %q and --%s-name or --%s-id", catalog.Words(t.Kind), word, flag, flag)}
	}
	e := &WordError{
		Message: fmt.Sprintf("%s has no %q", diag.A(catalog.Words(t.Kind)), word),
		Hint:    fmt.Sprintf("if %q is its name, leave out --%s-name or --%s-id.", word, flag, flag),
	}
	if len(words) > 0 {
		e.Hint = "its children: " + strings.Join(words, ", ") + "; " + e.Hint
	}
	if meant := meant(t, word); meant != "" {
		e.Message += "; did you mean " + meant + "?"
	}
	return e
}

// meant are the children that a word probably means, quoted: those that it begins,
// such as assets logo, else the one that is spelt alike; or "".
func meant(t *catalog.Type, word string) string {
	var begun []string
	for _, c := range catalog.Types() {
		if c.ChildOf == t {
			if rest, ok := strings.CutPrefix(c.Key, catalog.Singular(normal(word))+"_"); ok && child(t, word) == nil {
				begun = append(begun, fmt.Sprintf("%q", word+" "+dashed(rest)))
			}
		}
	}
	if len(begun) > 0 {
		return diag.Join(begun, "or")
	}
	if near := diag.NearestWord(dashed(normal(word)), following(t)); near != "" {
		return fmt.Sprintf("%q", near)
	}
	return ""
}

// isType reports whether a word is, or ends, the plural of a type: rather a child that
// the resource does not have than its name.
func isType(word string) bool {
	return slices.ContainsFunc(catalog.Types(), func(t *catalog.Type) bool {
		return t.Key == normal(word) || strings.HasSuffix(t.Key, "_"+normal(word))
	})
}
