package live_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/testkit"
)

// look reads what a text needs and returns it with the problems.
func look(t *testing.T, w *testkit.World, sync bool, prune, text string) (testkit.Loaded, *live.Snapshot, diag.List) {
	t.Helper()
	l := w.Load(text)
	w.Recorder.Reset()
	snap, diags, err := live.Read(t.Context(), w.Target, live.Query{Catalog: w.Catalog, Set: l.Set, Links: l.Links, Sync: sync, Prune: prune})
	if err != nil {
		t.Fatal(err)
	}
	return l, snap, diags
}

func byRef(t *testing.T, l testkit.Loaded, ref string) *resource.Resource {
	t.Helper()
	for _, r := range l.Set.Resources {
		if r.Ref == ref {
			return r
		}
	}
	t.Fatalf("no resource %q", ref)
	return nil
}

// requests lists what was read, ids made short, sorted.
func requests(w *testkit.World) []string {
	var out []string
	for _, x := range w.Recorder.All() {
		path := strings.ReplaceAll(x.Path, "00000000-0000-4000-8000-0000000000", "")
		if _, filter, ok := strings.Cut(x.Query, "filter"); ok {
			filter, _, _ = strings.Cut(filter, "%5Beq")
			path += " by " + strings.Trim(filter, "%5BD")
		}
		out = append(out, x.Method+" "+path)
	}
	slices.Sort(out)
	return out
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

const estate = `
portals:
  - {name: dev, pages: [{slug: a, content: x}], snippets: [{name: b, content: x}], customization: {layout: topnav}}
apis: [{name: one}, {name: two}]
`

// What is read is what the plan needs, no more.
func TestReads(t *testing.T) {
	var roots []string
	for _, b := range testkit.Catalog(t).All() {
		if b.HasLabels() {
			roots = append(roots, b.List.Key())
		}
	}
	for _, row := range []struct {
		name  string
		sync  bool
		prune string
		text  string
		want  []string
	}{
		{"apply: the list of the type", false, "", "portals: [{name: dev}]", []string{"GET /v3/portals"}},
		{"apply: a parent that is not there has no children to read", false, "", "portals: [{name: new, pages: [{slug: a, content: x}]}]", []string{"GET /v3/portals"}},
		{
			"apply: what a list lacks is read one by one, for what is declared",
			false, "", "portals: [{name: dev, pages: [{slug: a, content: x}, {slug: new, content: x}], customization: {layout: topnav}}]",
			[]string{"GET /v3/portals", "GET /v3/portals/01/customization", "GET /v3/portals/01/pages", "GET /v3/portals/01/pages/04"},
		},
		{"sync, none: as apply", true, resource.PruneNone, "portals: [{name: dev}]", []string{"GET /v3/portals"}},
		{"sync, declared: lists whose key is present", true, resource.PruneDeclared, "portals: [{name: dev, snippets: []}]\nteams: []", []string{"GET /v3/portals", "GET /v3/portals/01/snippets", "GET /v3/teams"}},
		{
			"sync, full: all roots that carry labels, and what may be deleted below declared ones or goes with others",
			true, resource.PruneFull, "portals: [{name: dev}]",
			append([]string{"GET /v3/api-implementations", "GET /v3/api-publications by entity_type", "GET /v3/apis/02/documents", "GET /v3/apis/02/images/icon", "GET /v3/apis/02/specifications", "GET /v3/apis/02/versions", "GET /v3/apis/03/documents", "GET /v3/apis/03/images/icon", "GET /v3/apis/03/specifications", "GET /v3/apis/03/versions", "GET /v3/portals/01/custom-domain", "GET /v3/portals/01/audit-log-webhook", "GET /v3/portals/01/email-config", "GET /v3/portals/01/email-templates", "GET /v3/portals/01/identity-providers", "GET /v3/portals/01/ip-allow-list", "GET /v3/portals/01/pages", "GET /v3/portals/01/snippets", "GET /v3/portals/01/teams"}, roots...),
		},
		{"sync, full: a list of all parents is filtered for one", true, resource.PruneDeclared, "apis: [{name: one, publications: []}, {name: two}]", []string{"GET /v3/api-publications by api_id", "GET /v3/apis"}},
		{"and read once for several", true, resource.PruneDeclared, "apis: [{name: one, publications: []}, {name: two, publications: []}]", []string{"GET /v3/api-publications by entity_type", "GET /v3/apis"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := testkit.New(t)
			w.Concurrency = 1
			w.Sync(estate)
			look(t, w, row.sync, row.prune, row.text)
			slices.Sort(row.want)
			equal(t, "requests", requests(w), row.want)
		})
	}
}

func TestEachPageOnce(t *testing.T) {
	w := testkit.New(t)
	for i := range 230 {
		w.Send("POST", "/v3/portals", fmt.Sprintf(`{"name":"p%d"}`, i))
	}
	w.Sync("portals: [{name: dev}]")
	l, snap, _ := look(t, w, false, "", "portals: [{name: dev}]")
	if snap.Object(byRef(t, l, "dev")) == nil {
		t.Error("the last of many is not found")
	}
	var pages []string
	for _, x := range w.Recorder.All() {
		pages = append(pages, x.Query)
	}
	slices.Sort(pages)
	equal(t, "pages", pages, []string{"page%5Bnumber%5D=1&page%5Bsize%5D=100", "page%5Bnumber%5D=2&page%5Bsize%5D=100", "page%5Bnumber%5D=3&page%5Bsize%5D=100"})
}

func TestFindsWhatIsDeclared(t *testing.T) {
	w := testkit.New(t)
	cert, _ := testkit.Certificate(t, "one", testkit.Epoch())
	w.File("cert.pem", cert)
	const text = `
portals:
  - name: dev
    pages:
      - {ref: inner, slug: same, content: inside, parent_page_id: !ref outer}
      - {ref: outer, slug: same, content: outside}
    custom_domain: {ref: domain, hostname: a.example.com, enabled: true, ssl: {domain_verification_method: http}}
  - {name: bare, custom_domain: {ref: none, hostname: b.example.com, enabled: true, ssl: {domain_verification_method: http}}}
apis:
  - {name: one, publications: [{ref: one-dev, portal: dev, visibility: public}]}
  - {name: two, publications: [{ref: two-dev, portal: dev, visibility: private}]}
control_planes: [{name: cp, data_plane_certificates: [{ref: cert, cert: !file cert.pem}]}]
teams: [{name: ops, roles: [{ref: role, role_name: Admin, entity_type_name: APIs, entity_id: one, entity_region: eu}]}]
`
	w.Sync(text)
	portal, _ := w.Named("portal", "bare")["id"].(string)
	w.Send("DELETE", "/v3/portals/"+portal+"/custom-domain", "")
	w.File("cert.pem", "\n"+strings.TrimSpace(cert)) // texts lose and gain line ends

	l, snap, diags := look(t, w, true, resource.PruneFull, text)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for ref, want := range map[string]map[string]any{
		"inner":   {"content": "inside"},
		"outer":   {"content": "outside"},
		"domain":  {"hostname": "a.example.com"},
		"one-dev": {"visibility": "public"},
		"two-dev": {"visibility": "private"},
		"role":    {"role_name": "Admin"},
	} {
		o := snap.Object(byRef(t, l, ref))
		if o == nil {
			t.Errorf("%s is not found", ref)
			continue
		}
		for k, v := range want {
			equal(t, ref+"."+k, o.Fields[k], v)
		}
	}
	if snap.Object(byRef(t, l, "cert")) == nil {
		t.Error("the certificate is not found by its text")
	}
	if snap.Object(byRef(t, l, "none")) != nil {
		t.Error("a domain that is not there was found")
	}
	inner := byRef(t, l, "inner")
	ancestors, ok := snap.Ancestors(inner)
	equal(t, "ancestors", ancestors, []string{snap.Object(inner.Parent).ID})
	if !ok {
		t.Error("the ancestors exist")
	}
	for _, kind := range []string{"portal_page", "api_publication"} {
		b := w.Catalog.Kind(kind)
		above := []string{snap.Object(byRef(t, l, map[string]string{"portal_page": "dev", "api_publication": "one"}[kind])).ID}
		left, read := snap.Undeclared(b.Neutral(), above)
		if len(left) != 0 || !read {
			t.Errorf("%s: %d undeclared, read %v", kind, len(left), read)
		}
	}
}

func TestWhoseIsIt(t *testing.T) {
	for _, row := range []struct {
		name  string
		there []string // bodies of portals that exist
		want  diag.Code
		found bool
	}{
		{"ours", []string{`{"name":"dev","labels":{"KONGCTL-namespace":"mine"}}`}, "", true},
		{"nobody's", []string{`{"name":"dev"}`}, diag.LiveUnmanaged, false},
		{"somebody else's", []string{`{"name":"dev","labels":{"KONGCTL-namespace":"theirs"}}`}, diag.LiveOtherSpace, false},
		{"of another name", []string{`{"name":"other"}`}, "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := testkit.New(t)
			for _, body := range row.there {
				w.Send("POST", "/v3/portals", body)
			}
			l, snap, diags := look(t, w, true, resource.PruneFull, "portals: [{name: dev, kongctl: {namespace: mine}}]")
			equal(t, "found", snap.Object(byRef(t, l, "dev")) != nil, row.found)
			var code diag.Code
			for _, d := range diags {
				code = d.Code
				if d.Pos.Line != 1 || d.Fix == "" {
					t.Errorf("it must say where and what to do: %s", d)
				}
			}
			equal(t, "problem", code, row.want)
			if left, _ := snap.Undeclared(w.Catalog.Kind("portal").Neutral(), nil); row.want != "" && len(left) > 0 {
				t.Error("what a problem is told of counts as undeclared, too")
			}
		})
	}
}

// Two APIs may share a name; which one is meant cannot be known.
func TestAmbiguous(t *testing.T) {
	w := testkit.New(t)
	for _, version := range []string{"v1", "v2"} {
		w.Send("POST", "/v3/apis", `{"name":"flights","version":"`+version+`","labels":{"KONGCTL-namespace":"default"}}`)
	}
	w.Send("POST", "/v3/apis", `{"name":"flights","version":"v3","labels":{"KONGCTL-namespace":"other"}}`)
	l, snap, diags := look(t, w, true, resource.PruneFull, "apis: [{name: flights}]")
	if len(diags) != 1 || diags[0].Code != diag.LiveAmbiguous {
		t.Fatalf("problems: %v", diags)
	}
	if snap.Object(byRef(t, l, "flights")) != nil {
		t.Error("one of the two was taken")
	}
	left, _ := snap.Undeclared(w.Catalog.Kind("api").Neutral(), nil)
	if len(left) != 1 || catalog.Labels(left[0])[label.Namespace] != "other" {
		t.Errorf("undeclared: %v", left)
	}
}

// A variant is told from those of its name that others declare, also where the name is the
// id of something that is found after the first of them are.
func TestVariantsOfNamesThatAreFoundLate(t *testing.T) {
	w := testkit.New(t)
	declare := func(versions int) string {
		text := "apis:\n"
		for i := range versions {
			text += fmt.Sprintf("- {ref: plain%d, name: plain, version: \"%[1]d\"}\n- {ref: late%[1]d, name: !ref zz#id, version: \"%[1]d\"}\n", i)
		}
		return text + "portals: [{ref: zz, name: zz}]\n" // declared last, it is matched after what is plain
	}
	w.Sync(declare(2))
	l, snap, diags := look(t, w, true, resource.PruneFull, declare(3))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for ref, want := range map[string]string{"plain0": "0", "plain1": "1", "plain2": "", "late0": "0", "late1": "1", "late2": ""} {
		is := ""
		if o := snap.Object(byRef(t, l, ref)); o != nil {
			is, _ = o.Fields["version"].(string)
		}
		if is != want {
			t.Errorf("%s is version %q, want %q", ref, is, want)
		}
	}
}

func TestPrunes(t *testing.T) {
	cat := testkit.Catalog(t)
	written := func(keys ...string) *resource.Resource {
		r := &resource.Resource{Written: map[string]bool{}}
		for _, k := range keys {
			r.Written[k] = true
		}
		return r
	}
	for _, row := range []struct {
		kind  string
		key   string
		full  bool // without its key
		keyed bool // with its key
	}{
		{"portal_page", "pages", true, true},
		{"portal_custom_domain", "custom_domain", true, true},
		{"portal_customization", "customization", false, false},
		{"portal_auth_settings", "auth_settings", false, false},
		{"organization_team_role", "roles", false, true},
		{"portal_team_role", "roles", false, true},
		{"control_plane_data_plane_certificate", "data_plane_certificates", false, true},
		{"gateway_service", "gateway_services", false, false},
	} {
		b := cat.Kind(row.kind)
		equal(t, row.kind+" full, no key", resource.Prunes(b.Neutral(), written(), resource.PruneFull), row.full)
		equal(t, row.kind+" full, key", resource.Prunes(b.Neutral(), written(row.key), resource.PruneFull), row.keyed)
		equal(t, row.kind+" declared, no key", resource.Prunes(b.Neutral(), written(), resource.PruneDeclared), false)
		equal(t, row.kind+" declared, key", resource.Prunes(b.Neutral(), written(row.key), resource.PruneDeclared), row.keyed)
		equal(t, row.kind+" none", resource.Prunes(b.Neutral(), written(row.key), resource.PruneNone), false)
	}
}

// A list that cannot be read is noted; a token that is refused ends it all.
func TestListsThatCannotBeRead(t *testing.T) {
	w := testkit.New(t)
	w.Sync(estate)
	status := http.StatusForbidden
	w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/snippets") {
			return testkit.Refuse(r, status, "not for you"), nil
		}
		return nil, nil
	}
	l, snap, _ := look(t, w, true, resource.PruneFull, estate)
	if err := snap.Failed(byRef(t, l, "dev-b")); err == nil || !strings.Contains(err.Error(), "not for you") {
		t.Errorf("the snippet could not be looked for: %v", err)
	}
	if snap.Failed(byRef(t, l, "dev-a")) != nil || snap.Object(byRef(t, l, "dev-a")) == nil {
		t.Error("the page has nothing to do with it")
	}
	if f := snap.Failures(); len(f) != 1 || f[0].Kind != "portal_snippet" {
		t.Errorf("failures: %v", f)
	}
	if _, read := snap.Undeclared(w.Catalog.Kind("portal_snippet").Neutral(), []string{snap.Object(byRef(t, l, "dev")).ID}); read {
		t.Error("a list that could not be read says nothing of what is undeclared")
	}

	status = http.StatusUnauthorized
	_, _, err := live.Read(t.Context(), w.Target, live.Query{Catalog: w.Catalog, Set: l.Set, Links: l.Links, Sync: true, Prune: resource.PruneFull})
	if !client.IsAuth(err) {
		t.Errorf("got %v", err)
	}
}
