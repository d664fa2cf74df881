package catalog

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Matching are the objects that a word means: the one with the id, else those with
// the name, else those that have it in another field people know it by.
func Matching(t *Bound, word string, objects []*resource.Object) []*resource.Object {
	for _, fields := range [][]string{{"id"}, {t.NameField()}, append([]string{"name", "display_name", "title", "slug", "email"}, t.Identity...)} {
		var found []*resource.Object
		for _, o := range objects {
			if slices.ContainsFunc(fields, func(f string) bool { return hasWord(o, f, word) }) {
				found = append(found, o)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func hasWord(o *resource.Object, field, word string) bool {
	if field == "id" {
		return o.ID == word
	}
	v, _ := value.Get(o.Fields, value.ParsePath(field))
	s, ok := v.(string)
	return ok && field != "" && (s == word || field == "slug" && strings.TrimPrefix(s, "/") == strings.TrimPrefix(word, "/"))
}
