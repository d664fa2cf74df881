package plan_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// longPlan changes one word of a long text.
func longPlan(t *testing.T, size int) (p *plan.Plan, old, now string) {
	t.Helper()
	body := strings.Repeat("long text\n", size/10)
	old, now = body+"one", body+"two"
	p = &plan.Plan{Metadata: plan.Metadata{PlanVersion: plan.Version}, Changes: []*plan.Change{{
		ID: "1:u:portal_page:p", Action: plan.Update, DependsOn: []string{},
		Fields: map[string]any{"content": now, "list": []any{map[string]any{"x": now}}}, CurrentState: map[string]any{"content": old, "slug": "p"},
		GatewayChanges: []plan.Part{{Kind: "plugin", Name: "n", Action: plan.Update, ChangedFields: map[string]plan.OldNew{"config": {Old: old, New: "short"}}}},
	}}}
	p.Changes[0].Show([]plan.FieldChange{{Field: "content", CurrentValue: old, DesiredValue: now}})
	return p, old, now
}

// A long text stands in a document once, and is where it belongs once it is read.
func TestALongTextIsWrittenOnce(t *testing.T) {
	p, old, now := longPlan(t, 100_000)
	text := testkit.Text(t, p)
	if len(text) > 2*len(old)+len(old)/4 {
		t.Errorf("%d bytes for two texts of %d", len(text), len(old))
	}
	if strings.Count(text, "[text:sha256:") != 8 || p.Changes[0].Fields["content"] != now || p.Texts != nil {
		t.Errorf("%d names, or the plan itself was changed", strings.Count(text, "[text:sha256:"))
	}
	again, err := plan.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	testkit.Equal(t, "change", again.Changes[0], p.Changes[0])
	testkit.Equal(t, "written again", testkit.Text(t, again), text)
	if err := plan.Verify([]byte(text), nil); err != nil {
		t.Error(err)
	}
	if err := plan.Verify([]byte(strings.Replace(text, "long text", "lang text", 1)), nil); err == nil || !strings.Contains(err.Error(), "texts was changed") {
		t.Errorf("another text: %v", err)
	}
}

// What is short, or stands there once, stays where it is.
func TestShortTextsStay(t *testing.T) {
	p, _, _ := longPlan(t, 1000)
	if text := testkit.Text(t, p); strings.Contains(text, `"texts"`) {
		t.Errorf("a short text is not where it belongs:\n%s", text)
	}
	p, _, now := longPlan(t, 100_000)
	p.Changes[0] = &plan.Change{ID: "1:c:portal_page:p", Action: plan.Create, Fields: map[string]any{"content": now}, DependsOn: []string{}}
	if text := testkit.Text(t, p); strings.Contains(text, `"texts"`) {
		t.Error("a text that is there once is not where it belongs")
	}
}

// A text that reads like the name of another one comes back as it is.
func TestATextLikeAName(t *testing.T) {
	p, old, _ := longPlan(t, 100_000)
	name := "[text:sha256:" + strings.Repeat("0", 64) + "]"
	p.Changes[0].Fields["title"] = name
	again, err := plan.Parse([]byte(testkit.Text(t, p)))
	if err != nil || again.Changes[0].Fields["title"] != name || again.Changes[0].CurrentState["content"] != old {
		t.Errorf("%v, %v", err, again.Changes[0].Fields["title"])
	}
	// A document without texts is read as it stands.
	raw := `{"metadata":{"plan_version":"1.0"},"changes":[{"id":"1","action":"CREATE","fields":{"title":"` + name + `"}}]}`
	if again, err = plan.Parse([]byte(raw)); err != nil || again.Changes[0].Fields["title"] != name {
		t.Errorf("%v", err)
	}
}

func TestTextsMustFit(t *testing.T) {
	const head = `{"metadata":{"plan_version":"1.0"},"changes":[{"id":"1","action":"CREATE","fields":{"a":"[text:sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824]"}}],"texts":`
	for name, row := range map[string]struct{ texts, want string }{
		"right":        {`{"sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824":"hello"}`, ""},
		"another text": {`{"sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824":"hallo"}`, "is the name of another text"},
		"none":         {`{}`, "is missing"},
		"one too many": {`{"sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824":"hello","sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855":""}`, "used nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := plan.Parse([]byte(head + row.texts + "}"))
			if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("got %v, want %q", err, row.want)
			}
		})
	}
}
