package catalog

import (
	"slices"
	"strings"
)

// Word finds a type by what people call it: the name of one resource or of
// many, with dashes or underscores.
func (c *Catalog) Word(word string) *Bound {
	word = underscored(strings.ToLower(word))
	if t := c.byKind[word]; t != nil {
		return t
	}
	if t := c.former[word]; t != nil {
		return t
	}
	for _, t := range c.all {
		if slices.ContainsFunc(words(t.Type), func(w string) bool { return underscored(w) == word }) {
			return t
		}
	}
	return nil
}

// Words lists what types are called on the command line, one word each.
func (c *Catalog) Words() []string {
	var out []string
	for _, t := range c.all {
		out = append(out, t.Word())
	}
	return out
}

// Word is what one resource of the type is called on the command line.
func (t *Type) Word() string { return strings.ReplaceAll(t.Kind, "_", "-") }

func words(t *Type) []string {
	return append([]string{t.Root(), plural(t.Kind)}, t.Aliases...)
}

func underscored(word string) string { return strings.ReplaceAll(word, "-", "_") }
