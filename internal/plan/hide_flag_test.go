package plan_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// The flags that plans of kongctl carry are shown as they are.
func TestFlagsOfPlansAreShown(t *testing.T) {
	const flags = `["--select-tag=a,b","--select-tag","c","--parallelism=4","--skip-consumers","--analytics=false"]`
	raw := []byte(`{"changes":[{"resource_type":"_deck","fields":{"flags":` + flags + `}}],"summary":{"by_external_tools":{"_deck":[{"flags":` + flags + `}]}},"other":{"flags":["a","b"]}}`)
	byName := func(_ string, fields map[string]any) map[string]any { return plan.HideByName(fields, plan.Secret) }
	out, err := plan.HiddenForeign(raw, byName)
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != string(raw) {
		t.Errorf("shown: %s", out)
	}
	out, err = plan.HiddenForeign([]byte(strings.Replace(string(raw), "--select-tag=a,b", "--konnect-addr=x", 1)), byName)
	if err != nil || !strings.Contains(string(out), `"--konnect-addr=[secret]"`) {
		t.Errorf("shown: %s, %v", out, err)
	}
}

// Which fields of an entity are secret depends on its kind: of the parts of another
// program's plan only what was changed is shown.
func TestPartsOfForeignPlansShowNoValues(t *testing.T) {
	raw := []byte(`{"changes":[{"resource_type":"_deck","gateway_changes":[
		{"kind":"key-auth","name":"k","action":"UPDATE","changed_fields":{"key":{"old":"hunter","new":"hunter2"}},"config":"hunter","id":7},"hunter"]}]}`)
	out, err := plan.HiddenForeign(raw, func(_ string, fields map[string]any) map[string]any { return fields })
	if err != nil {
		t.Fatal(err)
	}
	if text := string(out); strings.Contains(text, "hunter") || strings.Contains(text, "7") || !strings.Contains(text, `"kind": "key-auth"`) || !strings.Contains(text, `"action": "UPDATE"`) {
		t.Errorf("shown: %s", text)
	}
}
