package plan_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/plan"
)

func foreignDocument(changes string) []byte {
	return []byte(`{"metadata":{"version":"1.0","generated_at":"2026-01-05T10:30:00Z","generator":"kongctl/1.13.0","mode":"sync"},"changes":[` + changes + `],"summary":{}}`)
}

func TestForeignPlansAreRead(t *testing.T) {
	p, err := plan.ParseForeign(foreignDocument(`
		{"id":"1:u:portal:a","resource_type":"portal","resource_ref":"a","resource_id":"x","action":"UPDATE","namespace":"n",
		 "fields":{"name":"A","description":{"old":"one","new":"two"}},"changed_fields":{"display_name":{"old":"b","new":"c"}},"protection":{"old":true,"new":false}},
		{"id":"2:c:api_publication:b","resource_type":"api_publication","resource_ref":"b","action":"CREATE","parent":{"ref":"api","id":"[unknown]"},
		 "references":{"portal_id":{"ref":"a","id":"x"},"auth_strategy_ids":{"is_array":true,"refs":["k","l"],"resolved_ids":["id-k"]},"policies.0":{"ref":"p","id":"[unknown]"}},
		 "secret_writes":[{"field":"/configs/0/a~1b","expression":{"parts":[{"literal":"Bearer "},{"source":{"kind":"env","reference":"TOKEN"}}]}}]}`))
	if err != nil || p == nil {
		t.Fatal(p, err)
	}
	if !p.Foreign() || p.Metadata.Mode != plan.ModeSync || !cmp.Equal(p.Metadata.SyncScope.Namespaces, []string{"n"}) {
		t.Errorf("metadata: %+v", p.Metadata)
	}
	update, create := p.Changes[0], p.Changes[1]
	want := map[string]plan.OldNew{"description": {Old: "one", New: "two"}, "display_name": {Old: "b", New: "c"}, plan.ProtectedField: {Old: true, New: false}}
	if diff := cmp.Diff(want, update.ChangedFields); diff != "" {
		t.Error(diff)
	}
	if update.Fields["description"] != "two" || update.ResourceName != "A" {
		t.Errorf("update: %+v", update)
	}
	refs := map[string]plan.Reference{
		"portal_id": {Ref: "a", ID: "x"}, "auth_strategy_ids[0]": {Ref: "k", ID: "id-k"}, "auth_strategy_ids[1]": {Ref: "l"}, "policies[0]": {Ref: "p", ID: "[unknown]"},
	}
	if diff := cmp.Diff(refs, create.References, cmp.AllowUnexported(plan.Reference{})); diff != "" {
		t.Error(diff)
	}
	if got := plan.SecretSources(create.SecretWrites[0]).Variables; !cmp.Equal(got, []string{"TOKEN"}) || create.SecretWrites[0].Field != "configs[0].a/b" {
		t.Errorf("secret: %+v", create.SecretWrites)
	}
}

func TestOwnPlansAreNotForeign(t *testing.T) {
	for name, raw := range map[string]string{
		"a plan without a seal":    `{"metadata":{"plan_version":"1.0","version":"1.0"},"changes":[]}`,
		"a plan with a seal":       `{"metadata":{"version":"1.0","seal":null},"changes":[]}`,
		"a plan with organization": `{"metadata":{"version":"1.0","organization":{}},"changes":[]}`,
		"something else":           `{"metadata":{"version":"1.0"}}`,
		"no version":               `{"metadata":{},"changes":[]}`,
		"no JSON":                  `metadata:`,
	} {
		if p, err := plan.ParseForeign([]byte(raw)); p != nil || err != nil {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
}

func TestForeignPlansThatAreRefused(t *testing.T) {
	for name, row := range map[string]struct{ raw, want string }{
		"another version": {`{"metadata":{"version":"2.0"},"changes":[]}`, "format version 2.0"},
		"no change":       {string(foreignDocument(`null`)), "change 1 is empty"},
		"no resource":     {string(foreignDocument(`{"id":"1","action":"CREATE"}`)), "does not say which resource"},
		"an action":       {string(foreignDocument(`{"id":"1","action":"MOVE","resource_type":"api","resource_ref":"a"}`)), "does not know the action MOVE"},
		"twice":           {string(foreignDocument(`{"id":"1","action":"CREATE","resource_type":"api","resource_ref":"a"},{"id":"1","action":"CREATE","resource_type":"api","resource_ref":"b"}`)), "two changes with the id 1"},
		"a secret from elsewhere": {
			string(foreignDocument(`{"id":"1","action":"CREATE","resource_type":"api","resource_ref":"a","secret_writes":[{"field":"/a","expression":{"parts":[{"source":{"kind":"vault","reference":"x"}}]}}]}`)),
			`a secret from "vault" is not known here`,
		},
	} {
		if _, err := plan.ParseForeign([]byte(row.raw)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
