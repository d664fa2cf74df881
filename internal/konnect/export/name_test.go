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

// types loads the catalog; testkit stands on this package.
func types(t *testing.T) *catalog.Catalog {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}
