package catalog

import (
	"slices"
	"strings"
)

// ChildWords are what resources of a type are called below their parent on the
// command line, one and many: page, pages.
func ChildWords(t *Type) []string {
	out := []string{t.Key, Singular(t.Key)}
	if t.ChildOf != nil {
		if short, ok := strings.CutPrefix(t.Kind, t.ChildOf.Kind+"_"); ok {
			out = append(out, short, plural(short))
		}
	}
	out = append(out, withoutFamily(t)...)
	return distinct(append(out, shortWords(t)...))
}

// RootWords are what resources of a type are called on the command line wherever
// they stand; in those of a family that has words of its own, FamilyWords fit, too.
func RootWords(t *Type) []string {
	out := []string{t.Kind, plural(t.Kind), t.Root(), Singular(t.Root())}
	for _, kind := range t.Former {
		out = append(out, kind, plural(kind))
	}
	for _, alias := range t.Aliases {
		out = append(out, alias, Singular(alias))
	}
	return distinct(append(out, shortWords(t)...))
}

// FamilyWords are what resources of a type are called after a word of their
// family: catalog services.
func FamilyWords(t *Type) []string { return distinct(append(withoutFamily(t), RootWords(t)...)) }

func withoutFamily(t *Type) []string {
	var out []string
	for _, word := range families()[t].Words {
		if short, ok := strings.CutPrefix(t.Kind, word+"_"); ok {
			out = append(out, short, plural(short))
		}
	}
	return out
}

func shortWords(t *Type) []string {
	var out []string
	for _, s := range t.Short {
		out = append(out, s, plural(s))
	}
	return out
}

// FlagWord is what a parent is called in the names of flags: portal, team.
func FlagWord(t *Type) string {
	word := t.Kind
	if t.ChildOf != nil {
		word = strings.TrimPrefix(word, t.ChildOf.Kind+"_")
	} else if short := withoutFamily(t); len(short) > 0 {
		word = short[0]
	}
	return strings.ReplaceAll(word, "_", "-")
}

func distinct(words []string) []string {
	var out []string
	for _, w := range words {
		if w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
