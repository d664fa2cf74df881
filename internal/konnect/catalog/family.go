package catalog

import (
	"strings"
	"sync"
)

// Family is the types of one part of Konnect.
type Family struct {
	// Name is one word; Title says what the family is about.
	Name, Title string
	// Words may stand before a type on the command line: get gateway control-planes.
	Words []string
	Types []*Type
}

// FamilyOf is the name of the family that a type belongs to.
func FamilyOf(t *Type) string { return families()[t].Name }

// families are those of all types.
var families = sync.OnceValue(func() map[*Type]Family {
	out := map[*Type]Family{}
	for _, f := range Families() {
		for _, t := range f.Types {
			out[t] = f
		}
	}
	return out
})

// Singular is a key in the singular: page for pages.
func Singular(key string) string {
	if stem, ok := strings.CutSuffix(key, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(key, "s")
}
