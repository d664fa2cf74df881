package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/testkit"
)

func TestKeepItems(t *testing.T) {
	type m = map[string]any
	b := testkit.Catalog(t).Kind("scorecard")
	if diff := cmp.Diff([]catalog.Items{{Field: "criteria", Known: []string{"section_name", "template_name"}}}, catalog.ItemLists(b)); diff != "" {
		t.Fatal(diff)
	}
	was := m{"criteria": []any{
		m{"id": "1", "template_name": "a", "section_name": nil, "enabled": true, "scorecard_id": "s"},
		m{"id": "2", "template_name": "a", "section_name": nil, "enabled": false, "scorecard_id": "s"},
		m{"id": "3", "template_name": "b", "section_name": "x", "enabled": true, "scorecard_id": "s"},
	}}
	body := m{"criteria": []any{
		m{"template_name": "b", "section_name": "x", "enabled": false},
		m{"template_name": "a", "section_name": nil, "enabled": false},
		m{"template_name": "a", "section_name": "x", "enabled": true},
	}}
	catalog.KeepItems(b, body, was)
	want := []any{
		m{"id": "3", "template_name": "b", "section_name": "x", "enabled": false},
		m{"id": "2", "template_name": "a", "section_name": nil, "enabled": false},
		m{"template_name": "a", "section_name": "x", "enabled": true},
	}
	if diff := cmp.Diff(want, body["criteria"]); diff != "" {
		t.Error(diff)
	}
}
