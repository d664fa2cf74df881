package emulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// A resource's page leads to its children of every type, to theirs, to what refers
// to it, and back up.
func TestPageShowsTheTree(t *testing.T) {
	w := newWorld(t)
	portal := w.create("/v3/portals", object{"name": "dev"})
	guides := w.create("/v3/portals/"+portal+"/pages", object{"slug": "guides", "content": "x"})
	first := w.create("/v3/portals/"+portal+"/pages", object{"slug": "first", "content": "x", "parent_page_id": guides})
	w.create("/v3/portals/"+portal+"/teams", object{"name": "writers"})
	api := w.create("/v3/apis", object{"name": "flights"})
	w.must(http.StatusOK, http.MethodPut, "/v3/apis/"+api+"/publications/"+portal, object{})
	cp := w.create("/v2/control-planes", object{"name": "prod"})
	entities := "/v2/control-planes/" + cp + "/core-entities/"
	service := w.create(entities+"services", object{"name": "svc", "host": "h"})
	w.create(entities+"routes", object{"name": "r-1", "paths": []any{"/"}, "service": object{"id": service}})
	follow := func(from string, names ...string) sheet {
		t.Helper()
		got := read(t, w.srv, pageRequest(t, http.MethodGet, from, nil))
		for _, name := range names {
			if got.links[name] == "" {
				t.Fatalf("%s has no link %q: %v", from, name, got.links)
			}
			from = got.links[name]
			got = read(t, w.srv, pageRequest(t, http.MethodGet, from, nil))
		}
		return got
	}
	for _, row := range []struct {
		path []string
		want string
		not  string
	}{
		{[]string{"dev"}, "Children portal page 2 guides guides / first portal team 1 writers", "flights"},
		{[]string{"dev"}, "Referred to by API publication 1", "Refers to"},
		{[]string{"dev", "guides / first"}, "Embedded Konnect / portal dev / portal page guides / portal page first Children None.", ""},
		{[]string{"dev", "guides / first", "guides"}, "/ portal dev / portal page guides Children portal page 1 guides / first", ""},
		{[]string{"dev", "guides / first", "guides", "dev", "writers", "dev", "Embedded Konnect"}, "Stored", ""},
		{[]string{"flights"}, "Children API publication 1 portal dev", ""},
		{[]string{"flights", "portal dev"}, "/ API flights / API publication portal dev Children None. Refers to portal 1 dev", ""},
		{[]string{"flights", "portal dev", "dev", "guides"}, "portal page guides", ""},
		{[]string{"prod"}, "gateway service 1 svc gateway route 1 r-1", ""},
		{[]string{"prod", "svc"}, "/ control plane prod / gateway service svc Children None. Referred to by gateway route 1 r-1", ""},
		{[]string{"prod", "r-1"}, "Refers to gateway service 1 svc", ""},
	} {
		text := strings.Join(strings.Fields(follow("/", row.path...).text), " ")
		if !strings.Contains(text, row.want) || row.not != "" && strings.Contains(text, row.not) {
			t.Errorf("%v: %s lacks %q, or has %q", row.path, text[strings.LastIndex(text, "}")+1:], row.want, row.not)
		}
	}
	if got := follow("/", "dev", "guides / first", "as JSON"); !strings.Contains(got.text, first) {
		t.Errorf("as JSON: %s", got.text)
	}
	for _, address := range []string{emulator.ResourcePage("portal", portal), emulator.KindPage("portal"), emulator.KindPage("portal@eu")} {
		if got := follow(address); !strings.Contains(got.text, portal) || strings.Contains(got.text, "flights") {
			t.Errorf("%s shows %s", address, got.text)
		}
	}
	for _, q := range []string{"kind=portal&id=none", "kind=portal@eu&id=none", "kind=none&id=" + portal, ""} {
		if r := w.local(http.MethodGet, "/__local/view?"+q); r.status != http.StatusNotFound {
			t.Errorf("%q: %d", q, r.status)
		}
	}
}

func TestPageShowsManyChildrenInParts(t *testing.T) {
	w := newWorld(t)
	cp := w.create("/v2/control-planes", object{"name": "prod"})
	for i := range 510 {
		w.create("/v2/control-planes/"+cp+"/core-entities/services", object{"name": fmt.Sprintf("svc-%03d", i), "host": "h"})
	}
	list := read(t, w.srv, pageRequest(t, http.MethodGet, "/", nil))
	got := read(t, w.srv, pageRequest(t, http.MethodGet, list.links["prod"], nil))
	if got.links["svc-499"] == "" || got.links["svc-500"] != "" {
		t.Fatal("not the first 500")
	}
	got = read(t, w.srv, pageRequest(t, http.MethodGet, got.links["10 more"], nil))
	if got.links["svc-000"] == "" || got.inputs["q"] != "prod" {
		t.Errorf("the rest: %v", got.inputs)
	}
}

// Every type that is below another is a child on that one's page, and leads back.
func TestPageShowsEveryType(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, b := range cat.All() {
		if b.Parent == nil || b.Create == nil && b.Shape == catalog.Singleton {
			continue
		}
		shown++
		t.Run(b.Kind, func(t *testing.T) {
			m := &maker{w: newWorld(t), made: map[string][]string{}}
			ids := m.make(b)
			parent := ids[len(ids)-2]
			shelf := b.Parent.Kind
			if !catalog.Global(b.Parent) {
				shelf += "@eu"
			}
			up := fmt.Sprintf("/__local/view?kind=%s&id=%s", shelf, parent)
			got := read(t, m.w.srv, pageRequest(t, http.MethodGet, up, nil))
			words := catalog.Words(b.Kind)
			_, children, _ := strings.Cut(got.text, "Children")
			if got.status != http.StatusOK || !strings.Contains(children, words) {
				t.Fatalf("the page of %s does not show it: %d %s", b.Parent.Kind, got.status, children)
			}
			for name, link := range got.links {
				if !leads(link, b) {
					continue
				}
				below := read(t, m.w.srv, pageRequest(t, http.MethodGet, link, nil))
				found := false
				for _, back := range below.links {
					found = found || leads(back, b.Parent) && strings.Contains(back, parent)
				}
				if !found {
					t.Errorf("%s does not lead back: %v", name, below.links)
				}
				return
			}
			t.Errorf("no link leads to it: %v", got.links)
		})
	}
	if shown < 30 {
		t.Errorf("only %d types", shown)
	}
}

// leads reports whether a link is one to a resource of a type.
func leads(link string, b *catalog.Bound) bool {
	return strings.Contains(link+"%40", "kind="+b.Kind+"%40")
}
