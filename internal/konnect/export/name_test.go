package export

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

func TestRefs(t *testing.T) {
	cat := types(t)
	id := 0
	made := func(kind string, parent *Resource, fields map[string]any) *Resource {
		id++
		return &Resource{Type: cat.Kind(kind), Parent: parent, Object: &resource.Object{ID: fmt.Sprint("id-", id), Fields: fields}}
	}
	name := func(s string) map[string]any { return map[string]any{"name": s} }
	dev := made("portal", nil, name("Dev Portal"))
	top := made("portal_page", dev, map[string]any{"slug": "/", "title": "Home"})
	below := made("portal_page", dev, map[string]any{"slug": "first"})
	below.Above = top
	long := strings.Repeat("very-long-", 10)
	all := []*Resource{
		dev, below, top,
		made("portal_custom_domain", dev, map[string]any{"hostname": "x.example.com"}),
		made("api", nil, name("dev portal!")),
		made("api", nil, name("DEV.portal")),
		made("catalog_service", nil, name("Dev-Portal")),
		made("api", nil, name("Dev  Portal")),
		made("api", nil, name("---")),
		made("api", nil, name("日本")),
		made("api", nil, name(long+"one")),
		made("api", nil, name(long+"two")),
		made("api_publication", nil, map[string]any{"portal_id": "id-1"}),
		made("api_publication", nil, map[string]any{"portal_id": "0123456789abcdef"}),
		made("control_plane_data_plane_certificate", nil, map[string]any{"cert": strings.Repeat("x", 900)}),
	}
	n := newNames(all)
	var got []string
	seen := map[string]bool{}
	for _, r := range all {
		ref := n.refs[r]
		got = append(got, ref)
		if seen[ref] || len(ref) > maxRef || !regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]*$`).MatchString(ref) {
			t.Errorf("%q is no ref of its own", ref)
		}
		seen[ref] = true
	}
	want := []string{
		"dev-portal", "dev-portal-pages-first", "dev-portal-pages", "dev-portal-custom-domain",
		"dev-portal-api", "dev.portal", "dev-portal-catalog-service", "dev-portal-2", "apis", "apis-api",
		"very-long-very-long-very-long-very-long-very-long-very-long-ver", "very-long-very-long-very-long-very-long-very-long-very-long-api",
		"dev-portal-api-publication", "01234567", "2309ecdd",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	var vars []string
	for _, p := range []string{"ssl.key", "ssl_key", "list[0].key"} {
		vars = append(vars, n.variable(dev, value.ParsePath(p)))
	}
	vars = append(vars, n.variable(all[13], value.Path{"token"}))
	if diff := cmp.Diff([]string{"DEV_PORTAL_SSL_KEY", "DEV_PORTAL_SSL_KEY_2", "DEV_PORTAL_LIST_0_KEY", "SECRET_01234567_TOKEN"}, vars); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// No made-up ref is the name of another resource of the type with the same parent, nor a
// name that a field has: what is known by its name alone could not be told from it.
func TestRefsAreNoNames(t *testing.T) {
	cat, tried := types(t), 0
	for _, typ := range cat.All() {
		if len(typ.Identity) != 1 || strings.Contains(typ.Identity[0], ".") {
			continue
		}
		tried++
		var above *Resource
		if typ.Parent != nil {
			above = &Resource{Type: typ.Parent, Object: &resource.Object{ID: "above", Fields: map[string]any{"name": "up"}}}
		}
		made := func(id, name string) *Resource {
			return &Resource{Type: typ, Parent: above, Object: &resource.Object{ID: id, Fields: map[string]any{typ.Identity[0]: name, "name": name}}}
		}
		one := made("1", "The One")
		ref := newNames([]*Resource{one}).refs[one]
		other := made("2", ref)
		for _, list := range [][]*Resource{{one, other}, {other, one}} {
			n := newNames(list)
			if n.refs[one] == ref || n.refs[one] == "" || n.refs[one] == n.refs[other] {
				t.Errorf("%s: %q has the ref %s, and %q the ref %s", typ.Kind, "The One", n.refs[one], ref, n.refs[other])
			}
		}
		for _, use := range cat.Types().NamedBy(typ.Kind) {
			field := value.ParsePath(use.Field)
			fields := map[string]any{}
			value.Set(fields, field, ref)
			user := &Resource{Type: catalog.OfType(use.By), Parent: above, Object: &resource.Object{ID: "3", Fields: fields}}
			if n := newNames([]*Resource{one, user}); n.refs[one] == ref {
				t.Errorf("%s: %s of %s names %s, and that is a ref", typ.Kind, field, user.Type.Kind, ref)
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d types", tried)
	}
}

// types loads the catalog; testkit stands on this package.
func types(t *testing.T) *catalog.Catalog {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}
