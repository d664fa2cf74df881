package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/value"
)

// listing is how the pages of one list are written.
type listing struct {
	form  contract.Paging
	total int // -1: the answers have none
	name  string
	// keys are the fields that items are known by.
	keys []string
	// filled is the list that an item is absent without; "" for none.
	filled string
	// without is a field that items lack, and how: absent, null or empty.
	without, how string
}

// formOf tells how a type's list is written.
func formOf(t *catalog.Bound) listing {
	name, _, _ := t.List.Envelope()
	_, s := t.List.Success()
	f := listing{form: t.List.Paging(), total: -1, name: name, keys: []string{"id"}}
	if t.MapKey != "" {
		f.keys = append(f.keys, t.MapKey)
	}
	if t.Emptied != "" {
		at := value.Path(catalog.AnswerPath(t, []string{t.Emptied}))
		f.filled = at.String()
	}
	for _, name := range t.Identity {
		name = value.Path(catalog.AnswerPath(t, value.ParsePath(name))).String()
		if !slices.Contains(f.keys, name) {
			f.keys = append(f.keys, name)
		}
	}
	if t.Tree != nil {
		f.keys = append(f.keys, t.Tree.Parent)
	}
	if s.At([]string{"meta", "page", "total"}, nil) != nil {
		f.total = 0
	}
	return f
}

// answer writes a page: its items, and what follows it.
func (f listing) answer(items []string, total, number int, next string) string {
	written := make([]string, len(items))
	for i, id := range items {
		item := map[string]any{}
		for _, k := range f.keys {
			value.Set(item, value.ParsePath(k), id)
		}
		if f.filled != "" {
			item[f.filled] = []any{map[string]any{}}
		}
		if p := value.ParsePath(f.without); f.without != "" {
			switch f.how {
			case "absent":
				value.Delete(item, p)
			case "null":
				value.Set(item, p, nil)
			case "empty":
				value.Set(item, p, "")
			}
		}
		raw, _ := json.Marshal(item) // texts have a JSON form
		written[i] = string(raw)
	}
	list := "[" + strings.Join(written, ",") + "]"
	if f.name == "" {
		return list
	}
	return f.around(list, total, number, next)
}

func (f listing) around(list string, total, number int, next string) string {
	about := ""
	switch {
	case f.total >= 0:
		about = fmt.Sprintf(`,"meta":{"page":{"number":%d,"size":2,"total":%d}}`, number, total)
	case f.form == contract.PagingCursor:
		about = `,"meta":{"next":null}`
		if next != "" {
			about = fmt.Sprintf(`,"meta":{"next":"/somewhere?page%%5Bafter%%5D=%s"}`, next)
		}
	case f.form == contract.PagingOffset && next != "":
		about = fmt.Sprintf(`,"offset":%q,"next":"/somewhere?offset=%s"`, next, next)
	}
	return fmt.Sprintf(`{%q:%s%s}`, f.name, list, about)
}

// broken are answers of lists from which nobody can tell what exists, and why.
func (f listing) broken() map[string][]string {
	null := f.around("null", 0, 1, "")
	other := f.around(`{"a":1}`, 0, 1, "")
	if f.name == "" {
		null, other = "null", `{"a":1}`
	}
	out := map[string][]string{
		"null in place of items":      {null},
		"an object in place of items": {other},
		"an item that is no object":   {strings.Replace(null, "null", "[null]", 1)},
		"an empty object":             {"{}"},
		"nothing":                     {""},
		"an item twice":               {f.answer([]string{"a", "a"}, 2, 1, "")},
	}
	if f.total >= 0 {
		out["fewer items than the total"] = []string{f.answer([]string{"a"}, 3, 1, ""), f.answer(nil, 3, 2, "")}
		out["more items than the total"] = []string{f.answer([]string{"a", "b", "c"}, 2, 1, "")}
	}
	switch f.form {
	case contract.PagingNumber:
		out["a total that grows"] = []string{f.answer([]string{"a", "b"}, 3, 1, ""), f.answer([]string{"c"}, 4, 2, "")}
		out["a total that shrinks"] = []string{f.answer([]string{"a", "b"}, 4, 1, ""), f.answer([]string{"c"}, 3, 2, "")}
		out["a page again"] = []string{f.answer([]string{"a", "b"}, 4, 1, "")}
		out["the items of a page again"] = []string{f.answer([]string{"a", "b"}, 4, 1, ""), f.answer([]string{"a", "b"}, 4, 2, "")}
		out["no total"] = []string{`{"data":[{"id":"a"}],"meta":{"page":{"number":1}}}`}
		out["a total in words"] = []string{`{"data":[{"id":"a"}],"meta":{"page":{"number":1,"total":"one"}}}`}
	case contract.PagingCursor, contract.PagingOffset:
		out["a cursor again"] = []string{f.answer([]string{"a"}, 0, 0, "x"), f.answer([]string{"b"}, 0, 0, "x")}
		out["cursors in a circle"] = []string{f.answer([]string{"a"}, 0, 0, "x"), f.answer([]string{"b"}, 0, 0, "y"), f.answer([]string{"c"}, 0, 0, "x")}
		out["an empty page in the middle"] = []string{f.answer(nil, 0, 0, "x"), f.answer([]string{"b"}, 0, 0, "")}
		out["the items of a page again"] = []string{f.answer([]string{"a"}, 0, 0, "x"), f.answer([]string{"a"}, 0, 0, "")}
	case contract.PagingNone:
	}
	if f.form == contract.PagingCursor {
		out["nothing about pages"] = []string{`{"data":[{"id":"a"}]}`}
	}
	return out
}

// scopeOf is where a list of a type is read.
func scopeOf(t *catalog.Bound) remote.Scope {
	return remote.Scope{Type: t, Ancestors: slices.Repeat([]string{"up"}, t.Depth())}
}

// readList lists a type from a server that gives these answers, from the first
// one on whenever the first page is asked for. It returns the number of requests.
func readList(t *testing.T, cat *catalog.Catalog, b *catalog.Bound, answers ...string) (objects []*resource.Object, requests int, err error) {
	t.Helper()
	at := 0
	s := newScript(t, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if n := q.Get("page[number]"); (n == "" || n == "1") && q.Get("page[after]")+q.Get("offset") == "" {
			at = 0
		}
		answer(http.StatusOK, "application/json", answers[min(at, len(answers)-1)])(w, r)
		at++
	})
	c, _ := newClient(t, s.URL, nil)
	objects, err = NewTarget(cat, c).List(t.Context(), scopeOf(b))
	return objects, len(s.requests()), err
}

// A list is complete, or it is an error; for every type of the catalog.
func TestListsAreCompleteOrAnError(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	tested := map[contract.Paging]int{}
	for _, b := range cat.All() {
		if b.List == nil {
			continue
		}
		f := formOf(b)
		tested[f.form]++
		if f.form == contract.PagingNumber || f.form == contract.PagingNone {
			objects, _, err := readList(t, cat, b, f.answer([]string{"a", "b"}, 2, 1, ""))
			if err != nil || len(objects) != 2 {
				t.Errorf("%s: a good list: %d objects, %v", b.Kind, len(objects), err)
			}
		}
		if f.form != contract.PagingNone {
			objects, n, err := readList(t, cat, b, f.answer([]string{"a", "b"}, 3, 1, "x"), f.answer([]string{"c"}, 3, 2, ""))
			if err != nil || len(objects) != 3 || n != 2 {
				t.Errorf("%s: a good list of two pages: %d objects in %d requests, %v", b.Kind, len(objects), n, err)
			}
		}
		for name, answers := range f.broken() {
			objects, n, err := readList(t, cat, b, answers...)
			var incomplete *IncompleteError
			if !errors.As(err, &incomplete) {
				t.Errorf("%s: %s: %d objects, %v, want an IncompleteError", b.Kind, name, len(objects), err)
			}
			if n < listTries {
				t.Errorf("%s: %s: only %d requests: it was not read again", b.Kind, name, n)
			}
		}
	}
	if tested[contract.PagingNumber] == 0 || tested[contract.PagingCursor] == 0 || tested[contract.PagingOffset] == 0 || tested[contract.PagingNone] == 0 {
		t.Errorf("not all forms of lists were tested: %v", tested)
	}
}

// An item without what it is known by is no item: the list is not complete. Where
// Konnect may hold one without it, the item says so. This holds for every type and
// every field that its resources are found by.
func TestItemsHaveWhatTheyAreKnownBy(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	tested, lacking := 0, 0
	for _, b := range cat.All() {
		if b.List == nil {
			continue
		}
		_, item, _ := b.List.Envelope()
		for _, field := range append([]string{"id"}, b.Identity...) {
			at := value.Path(catalog.AnswerPath(b, value.ParsePath(field)))
			about := item.Object(nil).Field(at[0])
			if about == nil || b.ReadOnly && !about.Required || field == "id" && b.MapKey != "" {
				continue
			}
			for _, form := range []string{"absent", "null", "empty"} {
				f := formOf(b)
				f.without, f.how = at.String(), form
				if form == "empty" && field != "id" {
					continue // Konnect says what may be empty
				}
				objects, _, err := readList(t, cat, b, f.answer([]string{"a"}, 1, 1, ""))
				if catalog.MayLack(b, field) {
					if err != nil || len(objects) != 1 || objects[0].Lacks != field {
						t.Errorf("%s: %s %s: %d objects, %v, want one that lacks it", b.Kind, field, form, len(objects), err)
					}
					lacking++
					continue
				}
				if form == "null" && len(b.Identity) > 1 && !about.Required && len(at) == 1 {
					continue // it is one of several
				}
				var incomplete *IncompleteError
				if !errors.As(err, &incomplete) || !strings.Contains(err.Error(), field) {
					t.Errorf("%s: %s %s: %v, want an IncompleteError", b.Kind, field, form, err)
				}
				tested++
			}
		}
	}
	if tested < 50 || lacking < 20 {
		t.Errorf("only %d cases of broken lists and %d of items that may lack a field", tested, lacking)
	}
}

// A list that somebody changed while it was read is read again.
func TestListIsReadAgainWhenItChanges(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	b := cat.Kind("portal")
	f := formOf(b)
	s := newScript(t,
		answer(http.StatusOK, "application/json", f.answer([]string{"a", "b"}, 3, 1, "")),
		answer(http.StatusOK, "application/json", f.answer([]string{"c"}, 4, 2, "")),
		answer(http.StatusOK, "application/json", f.answer([]string{"a", "b"}, 4, 1, "")),
		answer(http.StatusOK, "application/json", f.answer([]string{"c", "d"}, 4, 2, "")),
	)
	c, _ := newClient(t, s.URL, nil)
	objects, err := NewTarget(cat, c).List(t.Context(), scopeOf(b))
	if err != nil || len(objects) != 4 {
		t.Errorf("%d objects, %v, want 4", len(objects), err)
	}
}

// One object is there, not there, or an error too.
func TestReadsAreAnObjectOrAnError(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range cat.All() {
		if b.Read == nil || b.Listed {
			continue
		}
		for _, body := range []string{"", "null", "[]", `"text"`} {
			s := newScript(t, answer(http.StatusOK, "application/json", body))
			c, _ := newClient(t, s.URL, nil)
			o, err := NewTarget(cat, c).Read(t.Context(), scopeOf(b), "x")
			if err == nil {
				t.Errorf("%s: an answer of %q is %+v, want an error", b.Kind, body, o)
			}
		}
	}
}
