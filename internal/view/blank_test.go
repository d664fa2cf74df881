package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// A change of white space alone can be seen, in every view.
func TestBlanksThatChange(t *testing.T) {
	for _, row := range []struct {
		name     string
		old, now any
		want     []string
	}{
		{"the end of a line", "# x\n", "# x", []string{`content: "# x\n" -> "# x"`}},
		{"a no-break space", "a\u00a0b", "a b", []string{`content: "a\u00a0b" -> "a b"`}},
		{"a no-break space in a line", "x:\ny\u00a0z\n", "x:\ny z\n", []string{"content: 2 lines (8 B) -> 2 lines (7 B)", "  @@ -1,2 +1,2 @@", "    x:", "  - y\\u00a0z", "  + y z"}},
		{"a tab", "a\tb", "a  b", []string{`content: "a\tb" -> "a  b"`}},
		{"blanks within", "a b", "a  b", []string{`content: "a b" -> "a  b"`}},
		{"a text and a number", "1", 1, []string{`content: "1" -> 1`}},
		{"an item", []any{"a", "b\n"}, []any{"a", "b"}, []string{`content: ["a", "b\n"] -> ["a", "b"]`}},
		{"other words", "a\n", "b", []string{"content: a -> b"}},
		{"the last line, too", "a\nb\n", "a\nc", []string{"content: 2 lines (4 B) -> 2 lines (3 B)", "  @@ -1,2 +1,2 @@", "    a", "  - b", "  + c", "  the line break at the end is removed"}},
		{"the last line, added", "a\nb", "a\nc\n", []string{"content: 2 lines (3 B) -> 2 lines (4 B)", "  @@ -1,2 +1,2 @@", "    a", "  - b", "  + c", "  a line break is added at the end"}},
		{"a tab before a line", "x:\n\ty\n", "x:\n  y\n", []string{"content: 2 lines (6 B) -> 2 lines (7 B)", "  @@ -1,2 +1,2 @@", "    x:", "  - → y", "  +   y"}},
	} {
		t.Run(row.name, func(t *testing.T) { wantLines(t, changedText(t, row.old, row.now, three), row.want...) })
	}
	p := newPlan(plan.ModeSync, updated("portal_page", "home", map[string]plan.OldNew{"content": {Old: "# x\n", New: "# x"}}))
	var markdown, page strings.Builder
	if err := view.WritePlanMarkdown(&markdown, p, view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := view.WritePlanHTML(&page, p, view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{markdown.String(), page.String()} {
		if !strings.Contains(text, `# x\n`) {
			t.Errorf("the line break is not shown:\n%s", text)
		}
	}
}

// A text that is the id of another resource by chance stays what it is: only ids that
// Konnect assigns are given names.
func TestOnlyAssignedIDsHaveNames(t *testing.T) {
	for id, named := range map[string]bool{
		"openai": false, "1": false, "": false, "7d9ef3a5-1ef5-4d4f-8c4f": false,
		"7d9ef3a5-1ef5-4d4f-8c4f-2f0f8a3c1f10": true, "01G65Z755AFWAKHE12NY0CQ9FH": true,
	} {
		c := updated("ai_gateway_model_provider", "oai", map[string]plan.OldNew{"display_name": {Old: id, New: "other"}})
		c.ResourceName, c.CurrentState = "x "+id, map[string]any{"type": id, "display_name": id}
		p := newPlan(plan.ModeSync, c)
		p.Metadata.ReferenceMappings = map[string]string{"css": id}
		var b strings.Builder
		if err := view.WritePlan(&b, p, view.PlanOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "css"); got != named {
			t.Errorf("%q:\n%s", id, b.String())
		}
	}
}
