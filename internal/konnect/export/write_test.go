package export_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/testkit"
)

func TestExportThenPlan(t *testing.T) {
	w := testkit.New(t)
	w.Sync(airline)
	text, warnings := whole(t, w, export.WriteOptions{})
	if len(warnings) > 0 {
		t.Errorf("%v", warnings)
	}
	w.Settled(testkit.Ask{}, text)
	again, _ := whole(t, w, export.WriteOptions{})
	if diff := cmp.Diff(text, again); diff != "" {
		t.Errorf("two exports differ:\n%s", diff)
	}
	for _, want := range []string{
		"entity_id: !ref flights#id", "default_application_auth_strategy_id: !ref key#id", "portal_id: !ref dev#id", "- !ref key#id",
		"namespace: air", "protected: true", "stage: beta",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the export lacks %q:\n%s", want, text)
		}
	}
	if found := lines(text, `KONGCTL|created_at|\bid:|organization-admin`); len(found) > 0 {
		t.Errorf("the export holds what is not to be declared: %q", found)
	}
	less, _ := whole(t, w, export.WriteOptions{SkipDefaults: true})
	w.Settled(testkit.Ask{}, less)
	if found := lines(less, "rbac_enabled|sipr_enabled|spec_renderer|attributes"); len(found) > 0 {
		t.Errorf("defaults are not left out: %q", found)
	}
	if len(lines(text, "rbac_enabled")) != 2 {
		t.Error("defaults are left out though nobody asked for it")
	}
}

// References to what is not in the export stay ids, and are taken as such.
func TestReferencesThatLeadOut(t *testing.T) {
	w := testkit.New(t)
	w.Sync(airline)
	out := write(t, read(t, w, export.Options{Resources: []string{"apis"}, Children: true}), export.WriteOptions{})
	text := string(out.Files[0].Data)
	if got := codes(out.Warnings); got != "EXP008" {
		t.Errorf("warnings: %s", got)
	}
	if id := w.Named("portal", "dev")["id"].(string); !strings.Contains(text, "portal_id: "+quote(id)) {
		t.Errorf("the portal is not named by its id %s:\n%s", id, text)
	}
	w.Settled(testkit.Ask{Prune: "none"}, text)
}

func quote(s string) string { return `"` + s + `"` }

// Unmanaged roots have no block, and a plan tells; in a namespace of choice they
// are declared.
func TestUnmanaged(t *testing.T) {
	w := testkit.New(t)
	w.Send(http.MethodPost, "/v3/apis", `{"name": "Wild", "labels": {"colour": "red"}}`)
	text, warnings := whole(t, w, export.WriteOptions{})
	if got := codes(warnings); got != "EXP006" {
		t.Errorf("warnings: %s", got)
	}
	if !strings.Contains(warnings[0].Detail, `the API "Wild"`) {
		t.Errorf("the warning does not name it: %s", warnings[0].Detail)
	}
	if strings.Contains(text, "kongctl:") || !strings.Contains(text, "colour: red") {
		t.Errorf("not as it is:\n%s", text)
	}
	_, diags := w.TryPlan(testkit.Ask{}, w.Load(text), w.Target)
	if got := codes(diags); got != "LIVE001" {
		t.Errorf("a plan tells %q", got)
	}
	text, warnings = whole(t, w, export.WriteOptions{DefaultNamespace: "tamed"})
	if len(warnings) > 0 || !strings.Contains(text, "namespace: tamed") {
		t.Errorf("%v\n%s", warnings, text)
	}
}

// Two that a configuration cannot tell apart: the first stays.
func TestTwins(t *testing.T) {
	w := testkit.New(t)
	if err := w.Server.SetFaults(emulator.Faults{Fault: "no-unique"}); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"1", "2", "1"} {
		w.Send(http.MethodPost, "/v3/apis", `{"name": "Twin", "version": "`+version+`", "labels": {"KONGCTL-namespace": "a"}}`)
	}
	text, warnings := whole(t, w, export.WriteOptions{})
	if got := codes(warnings); got != "EXP005" {
		t.Errorf("warnings: %s", got)
	}
	if got := lines(text, "version:"); len(got) != 2 || !strings.Contains(got[0], "1") || !strings.Contains(got[1], "2") {
		t.Errorf("versions: %q", got)
	}
	if got := lines(text, "- ref:"); len(got) != 2 || !strings.Contains(got[0], "twin-1") || !strings.Contains(got[1], "twin-2") {
		t.Errorf("refs: %q", got)
	}
	w.Load(text)
}

// Where fields say something else than the front matter, a key lets them win on the way
// back.
func TestFrontMatterThatDisagrees(t *testing.T) {
	w := testkit.New(t)
	w.Sync("apis: [{name: a, documents: [{slug: s, content: \"---\\ntitle: Old\\n---\\nText\\n\"}]}]")
	api, doc := w.Named("api", "a")["id"].(string), w.State("api_document")[0]["id"].(string)
	w.Send(http.MethodPatch, "/v3/apis/"+api+"/documents/"+doc, `{"title": "New"}`)
	text, warnings := whole(t, w, export.WriteOptions{})
	if got := codes(warnings); got != "" || !strings.Contains(text, "override_front_matter: true") || !strings.Contains(text, "title: New") {
		t.Errorf("warnings: %s\n%s", got, text)
	}
	w.Load(text)
}

func TestNothing(t *testing.T) {
	w := testkit.New(t)
	text, warnings := whole(t, w, export.WriteOptions{})
	if text != "{}\n" || len(warnings) > 0 {
		t.Errorf("%q %v", text, warnings)
	}
	w.Load(text)
}

func TestSplit(t *testing.T) {
	w := testkit.New(t)
	prose := strings.Repeat("A line of the guide.\n", 6)
	w.Sync(airline + "catalog_services: [{name: svc, display_name: S, description: " + quote(strings.ReplaceAll(prose, "\n", `\n`)) + "}]")
	out := write(t, read(t, w, export.Options{Children: true}), export.WriteOptions{Split: true})
	var files []string
	for _, f := range out.Files {
		files = append(files, f.Name)
		w.File(f.Name, string(f.Data))
	}
	want := []string{
		"teams.yaml", "application_auth_strategies.yaml", "portals.yaml", "apis.yaml", "catalog_services.yaml",
		"apis/flights-1.0.0.spec.content.yaml", "catalog_services/svc.description.txt",
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := string(out.Files[len(out.Files)-1].Data); got != prose {
		t.Errorf("the text is %q", got)
	}
	folder := stdin("")
	folder.Files, folder.Dirs = nil, []string{w.Dir}
	if p := w.PlanLoaded(testkit.Ask{}, w.LoadFrom(folder)); !p.Empty() {
		t.Errorf("the plan is not empty: %v", p.Changes)
	}
}

// TestEveryCode keeps a test for every warning of an export.
func TestEveryCode(t *testing.T) {
	told := map[diag.Code]bool{}
	for _, code := range []diag.Code{
		diag.ExpTwin, diag.ExpUnmanaged, diag.ExpPartial, diag.ExpLeftOut, diag.ExpDiffers, // this file
		diag.ExpUnreadable,                                                   // read_test.go
		diag.ExpSecret, diag.ExpUnread, diag.ExpUnloadable, diag.ExpTooLarge, // body_test.go
	} {
		told[code] = true
	}
	for _, code := range diag.Codes() {
		if strings.HasPrefix(string(code), "EXP") && !told[code] {
			t.Errorf("no test for %s (%s)", code, diag.Summary(code))
		}
	}
}
