package export_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/testkit"
)

func filter(t *testing.T, text string) export.Filter {
	t.Helper()
	f, err := export.ParseFilter(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// names lists what was read, children after their parents.
func names(s *export.Snapshot) string {
	var out []string
	for _, r := range s.All() {
		name := r.Name()
		if name == "" {
			name = r.Type.Key
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestChoice(t *testing.T) {
	w := testkit.New(t)
	w.Sync(airline)
	id := func(kind, name string) string { return w.Named(kind, name)["id"].(string) }
	dev, ops := id("portal", "dev"), id("portal", "ops")
	settings := " organization_authentication_settings organization_impersonation_settings"
	devAll := "dev deep first guides home help customization auth_settings integrations asset_logo asset_favicon"
	for _, row := range []struct {
		name    string
		options export.Options
		want    string
	}{
		{
			"everything",
			export.Options{Children: true},
			"crew Admin-APIs-" + id("api", "Flights") + "-eu" + settings + " key " + devAll + " ops customization auth_settings integrations asset_logo asset_favicon Bags " + dev + " Flights 1.0.0 " + dev + " " + ops,
		},
		{"roots alone", export.Options{}, "crew" + settings + " key dev ops Bags Flights"},
		{"a type by its kind", export.Options{Resources: []string{"team"}}, "crew"},
		{"two types by their keys", export.Options{Resources: []string{"teams", "auth_strategies"}, Children: true}, "crew Admin-APIs-" + id("api", "Flights") + "-eu key"},
		{"a type in the words of a shell", export.Options{Resources: []string{"application-auth-strategies"}}, "key"},
		{"children bring their parents along, and nothing else", export.Options{Resources: []string{"portal_snippets"}, Children: true}, "dev help"},
		{"by name", export.Options{Filters: []export.Filter{filter(t, "name=d*")}, Children: true}, devAll},
		{"by name and type", export.Options{Filters: []export.Filter{filter(t, "type=apis, name=?ags")}}, "Bags"},
		{"by label", export.Options{Filters: []export.Filter{filter(t, "label.stage=b*")}}, "dev"},
		{"by namespace", export.Options{Filters: []export.Filter{filter(t, "namespace=ops")}}, "ops"},
		{"by id", export.Options{Filters: []export.Filter{{ID: dev}}}, "dev"},
		{"several filters: one of them", export.Options{Filters: []export.Filter{filter(t, "namespace=ops"), filter(t, "name=crew")}}, "crew ops"},
		{"a page with what it nests in", export.Options{Filters: []export.Filter{filter(t, "type=portal_page,name=first")}}, "dev first guides"},
		{"a page with what nests in it", export.Options{Filters: []export.Filter{filter(t, "type=portal_page,name=first")}, Children: true}, "dev deep first guides"},
		{"types and filters narrow each other", export.Options{Resources: []string{"apis"}, Filters: []export.Filter{filter(t, "type=portals")}}, ""},
		{"nothing fits", export.Options{Filters: []export.Filter{filter(t, "name=nobody")}}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, names(read(t, w, row.options))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWrongTypes(t *testing.T) {
	w := testkit.New(t)
	for _, row := range []struct {
		name string
		want export.TypeError
	}{
		{"portalz", export.TypeError{Name: "portalz", Near: "portals"}},
		{"gateway_services", export.TypeError{Name: "gateway_services", External: true}},
		{"xylophone", export.TypeError{Name: "xylophone"}},
	} {
		for _, o := range []export.Options{{Resources: []string{row.name}}, {Filters: []export.Filter{{Type: row.name}}}} {
			_, err := export.Read(t.Context(), w.Target, w.Catalog, o)
			var got *export.TypeError
			if !errors.As(err, &got) || *got != row.want {
				t.Errorf("%s: got %v", row.name, err)
			}
		}
	}
	if n := len(w.Recorder.All()); n > 0 {
		t.Errorf("%d requests were sent for types that do not exist", n)
	}
}

func TestWrongFilters(t *testing.T) {
	for text, part := range map[string]string{
		"":            `"" is not a word`,
		"name":        `"name" is not a word`,
		"name=":       `"name=" is not a word`,
		"colour=red":  `no filter by "colour"`,
		"label.=x":    `no filter by "label."`,
		"name=a,,x=b": `"" is not a word`,
	} {
		if _, err := export.ParseFilter(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: got %v, want %q", text, err, part)
		}
	}
}

// Every list is read once, lists over all parents for all of them, and only
// what is asked for.
func TestReadsOnce(t *testing.T) {
	w := testkit.New(t)
	w.Sync(airline)
	w.Recorder.Reset()
	read(t, w, export.Options{Children: true})
	seen := map[string]int{}
	for _, x := range w.Recorder.All() {
		seen[x.Path+"?"+x.Query]++
		if seen[x.Path+"?"+x.Query] > 1 {
			t.Errorf("%s was read twice", x.Path)
		}
		// One list may be of parents of several types: that filter is no parent.
		if strings.Contains(strings.ReplaceAll(x.Query, "filter%5Bentity_type%5D", ""), "filter") {
			t.Errorf("%s?%s: a list over all parents was read for one", x.Path, x.Query)
		}
	}
	if len(seen) == 0 {
		t.Error("nothing was read")
	}
	w.Recorder.Reset()
	read(t, w, export.Options{Resources: []string{"teams"}})
	if got := w.Recorder.All(); len(got) != 1 {
		t.Errorf("roots of one type took %d requests", len(got))
	}
}

// What may not be read is told and does not stop the rest; without anything
// left it is an error.
func TestRefusedLists(t *testing.T) {
	w := testkit.New(t)
	w.Sync(airline)
	w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
		if strings.HasPrefix(r.URL.Path, "/v3/portals") && !strings.HasSuffix(r.URL.Path, "/email-domains") {
			return testkit.Refuse(r, http.StatusForbidden, "not for you"), nil
		}
		return nil, nil
	}
	s := read(t, w, export.Options{Children: true})
	if len(s.Failed) != 1 || s.Failed[0].Type.Kind != "portal" {
		t.Errorf("failed: %v", s.Failed)
	}
	out := write(t, s, export.WriteOptions{})
	if got := codes(out.Warnings); !strings.Contains(got, "EXP007") {
		t.Errorf("warnings: %s", got)
	}
	if !strings.Contains(string(out.Files[0].Data), "name: Flights") {
		t.Error("what can be read is not there")
	}
	if _, err := export.Read(t.Context(), w.Target, w.Catalog, export.Options{Resources: []string{"portals"}}); err == nil {
		t.Error("nothing could be read, and that is no error")
	}
	w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
		return testkit.Refuse(r, http.StatusUnauthorized, "who are you"), nil
	}
	if _, err := export.Read(t.Context(), w.Target, w.Catalog, export.Options{}); err == nil {
		t.Error("a wrong token is no error")
	}
}

// What is deleted between its list and its own reading is left out.
func TestDeletedMeanwhile(t *testing.T) {
	w := testkit.New(t)
	w.Sync(airline)
	guides := ""
	for _, p := range w.State("portal_page") {
		if p["slug"] == "guides" {
			guides = p["id"].(string)
		}
	}
	w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/pages/"+guides) {
			return testkit.Refuse(r, http.StatusNotFound, "gone"), nil
		}
		return nil, nil
	}
	s := read(t, w, export.Options{Resources: []string{"portal_pages"}, Children: true})
	if diff := cmp.Diff("dev home", names(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
