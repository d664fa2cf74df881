package language_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
)

// The fix of an unknown key lists what names a resource that exists.
func TestUnknownKeyOfWhatExists(t *testing.T) {
	_, diags := language.Build(load(t), read(t, "-- a.yaml --\norganization_users: [{ref: x, email: a@example.com, zzz_unknown: 1}]\n").Documents, language.Options{})
	if len(diags) != 1 || diags[0].Code != diag.CfgUnknownKey || !strings.Contains(diags[0].Fix, "use one of _external, email, id, ref, roles, teams") {
		t.Error(diags)
	}
}

// An unknown key of an external is one error, which says what was meant and names the
// command that describes the type, for every type.
func TestUnknownKeyOfExternal(t *testing.T) {
	cat := load(t)
	for _, b := range cat.All() {
		if b.Parent != nil || b.Shape == catalog.Singleton || b.ReadOnly || strings.Contains(b.Root(), ".") {
			continue
		}
		for text, want := range map[string]string{
			"external_resources: [{ref: x, resource_type: KIND, selectr: {}}]":                "did you mean selector?",
			"external_resources: [{ref: x, resource_type: KIND, id: ID, zzz_unknown: 1}]":     "resource_type",
			"ROOT: [{ref: x, _external: {zzz_unknown: 1}}]":                                   "use one of",
			"ROOT: [{ref: x, _external: {selectr: {}}}]":                                      "did you mean selector?",
			"ROOT: [{ref: x, _external: {selector: {matchField: {}}}}]":                       "did you mean matchFields?",
			"ROOT: [{ref: x, _external: {selector: {matchFields: {zzz_unknown: 1}}}}]":        "",
			"ROOT: [{ref: x, _external: {selector: {matchExpressions: [{zzz_unknown: 1}]}}}]": "use one of",
		} {
			if strings.Contains(text, "zzz_unknown") && b.ReturnedAt([]string{"zzz_unknown"}).OK {
				continue // Konnect may return any key
			}
			const id = "5f9fd312-a987-4628-b4c5-bb4f4fddd5f7"
			text = strings.NewReplacer("ROOT", b.Root(), "KIND", b.Kind, "ID", id).Replace(text)
			_, diags := language.Build(cat, read(t, "-- a.yaml --\n"+text+"\n").Documents, language.Options{})
			var found []diag.Diagnostic
			for _, d := range diags {
				if d.Severity == diag.Error && !strings.Contains(d.Detail, "is a ULID") {
					found = append(found, d)
				}
			}
			if len(found) != 1 || found[0].Code != diag.CfgUnknownKey || !strings.Contains(found[0].Fix, want) || !strings.Contains(found[0].Fix, "kongctl explain "+b.Kind) {
				t.Errorf("%s: %v, want one CFG002 with %q", text, diags, want)
			}
		}
	}
}
