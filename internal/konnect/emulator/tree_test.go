package emulator_test

import (
	"fmt"
	"net/http"
	"testing"
)

// outline renders a tree as "a(b c(d))".
func outline(list []any, field string) string {
	out := ""
	for i, e := range list {
		if i > 0 {
			out += " "
		}
		item := e.(object)
		out += fmt.Sprint(item[field])
		if below := item["children"].([]any); len(below) > 0 {
			out += "(" + outline(below, field) + ")"
		}
	}
	return out
}

// grove is a tree of pages or documents.
type grove struct {
	w      *world
	base   string
	parent string
}

func (g grove) add(slug string, parent any) string {
	return g.w.create(g.base, object{"slug": slug, "content": "# " + slug, g.parent: parent})
}

func (g grove) outline() string {
	list, _ := g.w.must(http.StatusOK, http.MethodGet, g.base, nil).field("data").([]any)
	return outline(list, "slug")
}

func TestTrees(t *testing.T) {
	for _, row := range []struct {
		name, owners, path, parent string
		moved                      int
	}{
		{"pages", "/v3/portals", "/pages", "parent_page_id", http.StatusCreated},
		{"documents", "/v3/apis", "/documents", "parent_document_id", http.StatusNoContent},
		{"documents of packages", "/v3/api-packages", "/documents", "parent_document_id", http.StatusNoContent},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t)
			g := grove{w, row.owners + "/" + w.create(row.owners, object{"name": "o"}) + row.path, row.parent}
			a := g.add("a", nil)
			b := g.add("b", a)
			c := g.add("c", a)
			d := g.add("d", nil)
			g.add("b", d)
			g.expect("a(b c) d(b)")

			move := func(want int, id string, body object) { w.must(want, http.MethodPost, g.base+"/"+id+"/move", body) }
			move(row.moved, b, object{"index": 1})
			g.expect("a(c) b d(b)")
			move(http.StatusConflict, b, object{row.parent: d})
			g.expect("a(c) b d(b)")
			move(row.moved, b, object{row.parent: a, "index": 0})
			g.expect("a(b c) d(b)")
			move(row.moved, d, object{"index": 0})
			g.expect("d(b) a(b c)")
			if got := w.must(http.StatusOK, http.MethodGet, g.base+"/"+b, nil).text(row.parent); got != a {
				t.Errorf("the parent after a move is %q", got)
			}
			move(http.StatusBadRequest, a, object{row.parent: b})
			move(row.moved, d, object{row.parent: nil, "index": -1})
			g.expect("a(b c) d(b)")
			move(row.moved, b, object{row.parent: a, "index": -1})
			g.expect("a(c b) d(b)")
			move(row.moved, c, object{row.parent: a, "index": -1})
			g.expect("a(b c) d(b)")
			move(row.moved, d, object{"index": -2})
			g.expect("d(b) a(b c)")
			move(row.moved, c, object{row.parent: a, "index": -2})
			g.expect("d(b) a(c b)")
			move(row.moved, b, object{row.parent: a, "index": -9})
			g.expect("d(b) a(b c)")
			move(row.moved, d, object{"index": 0})
			w.must(http.StatusOK, http.MethodPatch, g.base+"/"+d, object{row.parent: a})
			g.expect("a(b c d(b))")
			w.must(http.StatusBadRequest, http.MethodPatch, g.base+"/"+a, object{row.parent: d})
			w.must(http.StatusBadRequest, http.MethodPost, g.base, object{"slug": "x", "content": "", row.parent: "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"})
			w.must(http.StatusConflict, http.MethodPost, g.base, object{"slug": "b", "content": "", row.parent: a})

			w.must(http.StatusNoContent, http.MethodDelete, g.base+"/"+b, nil)
			w.must(http.StatusNoContent, http.MethodDelete, g.base+"/"+c, nil)
			g.add("e", a)
			g.expect("a(d(b) e)")
			w.must(http.StatusNoContent, http.MethodDelete, g.base+"/"+a, nil)
			g.expect("")
		})
	}
}

func (g grove) expect(want string) {
	g.w.t.Helper()
	if got := g.outline(); got != want {
		g.w.t.Errorf("tree %q, want %q", got, want)
	}
}

// Slugs that differ only in slashes at their ends are one.
func TestSlugsThatAreAlike(t *testing.T) {
	w := newWorld(t)
	base := "/v3/portals/" + w.create("/v3/portals", object{"name": "o"}) + "/pages"
	w.create(base, object{"slug": "/foo", "content": "x"})
	for _, slug := range []string{"foo", "/foo", "foo/"} {
		w.must(http.StatusConflict, http.MethodPost, base, object{"slug": slug, "content": "x"})
	}
	w.create(base, object{"slug": "/", "content": "x"})
	w.create(base, object{"slug": "foo-2", "content": "x"})
}

// A page below another shows its slug with a slash once it was changed, in lists
// without.
func TestSlugOfAPageBelowAnother(t *testing.T) {
	w := newWorld(t)
	base := "/v3/portals/" + w.create("/v3/portals", object{"name": "o"}) + "/pages"
	top := w.create(base, object{"slug": "/top", "content": "x"})
	child := w.create(base, object{"slug": "a", "content": "x", "parent_page_id": top})
	expect := func(what, listed string) {
		t.Helper()
		if got := w.must(http.StatusOK, http.MethodGet, base+"/"+child, nil).text("slug"); got != what {
			t.Errorf("slug %q, want %q", got, what)
		}
		above := w.must(http.StatusOK, http.MethodGet, base, nil).data()[0]
		below := above["children"].([]any)[0].(object)
		if above["slug"] != "/top" || below["slug"] != listed {
			t.Errorf("listed: %s, want %q", show(above), listed)
		}
	}
	expect("a", "a")
	w.must(http.StatusOK, http.MethodPatch, base+"/"+child, object{"title": "A"})
	expect("a", "a")
	w.must(http.StatusOK, http.MethodPatch, base+"/"+child, object{"slug": "c"})
	expect("/c", "c")
	w.must(http.StatusOK, http.MethodPatch, base+"/"+child, object{"slug": "/d"})
	expect("/d", "d")
	w.must(http.StatusConflict, http.MethodPost, base, object{"slug": "d", "content": "x", "parent_page_id": top})
	w.must(http.StatusOK, http.MethodPatch, base+"/"+top, object{"slug": "t"})
	if got := w.must(http.StatusOK, http.MethodGet, base+"/"+top, nil).text("slug"); got != "t" {
		t.Errorf("slug of the page above: %q", got)
	}

	// At the top the slash goes, by a move and by a change; what was written there stays.
	for _, lead := range []func(page string, parent any){
		func(page string, parent any) {
			w.must(http.StatusCreated, http.MethodPost, base+"/"+page+"/move", object{"parent_page_id": parent})
		},
		func(page string, parent any) {
			w.must(http.StatusOK, http.MethodPatch, base+"/"+page, object{"parent_page_id": parent})
		},
	} {
		lead(child, nil)
		for _, page := range w.must(http.StatusOK, http.MethodGet, base, nil).data() {
			if page["id"] == child && page["slug"] != "d" {
				t.Errorf("listed at the top: %s", show(page))
			}
		}
		if got := w.must(http.StatusOK, http.MethodGet, base+"/"+child, nil).text("slug"); got != "d" {
			t.Errorf("slug at the top: %q", got)
		}
		lead(child, top)
		w.must(http.StatusOK, http.MethodPatch, base+"/"+child, object{"slug": "e"})
		w.must(http.StatusOK, http.MethodPatch, base+"/"+child, object{"slug": "d"})
	}
	home := w.create(base, object{"slug": "/", "content": "x"})
	w.must(http.StatusOK, http.MethodPatch, base+"/"+home, object{"title": "Home"})
	if got := w.must(http.StatusOK, http.MethodGet, base+"/"+home, nil).text("slug"); got != "/" {
		t.Errorf("slug of the first page: %q", got)
	}
}
