package catalog_test

import (
	"os"
	"reflect"
	"regexp"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// A word of the vocabulary has three users, or docs/adr/0012 says why it has
// fewer.
func TestWordsHaveUsers(t *testing.T) {
	const few, document = 3, "../../../docs/adr/0012-words-with-few-users.md"
	raw, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllSubmatch(raw, -1) {
		explained[string(m[1])] = true
	}
	users := map[string]int{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[catalog.Type]()) {
		users[f.Name] = 0
	}
	shapes := map[catalog.Shape]string{catalog.Collection: "Collection", catalog.Membership: "Membership", catalog.Singleton: "Singleton", catalog.Map: "Map"}
	for _, x := range catalog.Types() {
		v := reflect.ValueOf(x).Elem()
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				users[v.Type().Field(i).Name]++
			}
		}
		users[shapes[x.Shape]]++
	}
	for word, n := range users {
		switch {
		case n < few && !explained[word]:
			t.Errorf("the word %s has %d users: use a hook, or say why not in %s", word, n, document)
		case n >= few && explained[word]:
			t.Errorf("the word %s has %d users: %s need not explain it", word, n, document)
		}
	}
	for word := range explained {
		if _, known := users[word]; !known {
			t.Errorf("%s explains %s, which is no word", document, word)
		}
	}
}
