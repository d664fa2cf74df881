package view_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// changedText is the plan of one update of a text, as people see it.
func changedText(t *testing.T, old, now any, d view.Diff) []string {
	t.Helper()
	p := newPlan(plan.ModeSync, updated("portal_page", "home", map[string]plan.OldNew{"content": {Old: old, New: now}}))
	var b strings.Builder
	if err := view.WritePlan(&b, p, view.PlanOptions{Style: view.Style{Diff: d}}); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, line := range strings.Split(b.String(), "\n") {
		if text, ok := strings.CutPrefix(line, "      "); ok || line == "" {
			lines = append(lines, text)
		}
	}
	return lines[1 : len(lines)-2] // without the empty lines around it
}

func numbered(word string, from, to int) []string {
	var lines []string
	for i := from; i <= to; i++ {
		lines = append(lines, fmt.Sprint(word, " ", i))
	}
	return lines
}

func text(parts ...[]string) string {
	var b strings.Builder
	for _, lines := range parts {
		b.WriteString(strings.Join(lines, "\n") + "\n")
	}
	return b.String()
}

var three = view.Diff{Context: 3}

func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTextHunks(t *testing.T) {
	old := text(numbered("line", 1, 20))
	now := strings.NewReplacer("line 5\n", "line five\n", "line 9\n", "", "line 18\n", "line 18\nnew \n").Replace(old)
	wantLines(t, changedText(t, old, now, three),
		"content: 20 lines (151 B) -> 20 lines (152 B)",
		"  @@ -2,11 +2,10 @@",
		"    line 2", "    line 3", "    line 4", "  - line 5", "  + line five", "    line 6", "    line 7", "    line 8", "  - line 9", "    line 10", "    line 11", "    line 12",
		"  @@ -16,5 +15,6 @@",
		"    line 16", "    line 17", "    line 18", "  + new·", "    line 19", "    line 20")
	wantLines(t, changedText(t, old, now, view.Diff{}),
		"content: 20 lines (151 B) -> 20 lines (152 B)",
		"  @@ -5 +5 @@", "  - line 5", "  + line five",
		"  @@ -9 +8,0 @@", "  - line 9",
		"  @@ -18,0 +18 @@", "  + new·")
	if full := changedText(t, old, now, view.Diff{Full: true}); len(full) != 2+20+2 || full[1] != "  @@ -1,20 +1,20 @@" {
		t.Errorf("--full-diff shows\n%s", strings.Join(full, "\n"))
	}
}

// A rewritten page shows what goes and what comes, all of it.
func TestTextRewritten(t *testing.T) {
	got := changedText(t, text(numbered("old", 1, 42)), text(numbered("new", 1, 42)), three)
	for i := 1; i <= 42; i++ {
		if got[1+i] != fmt.Sprintf("  - old %d", i) || got[43+i] != fmt.Sprintf("  + new %d", i) {
			t.Fatalf("line %d: got\n%s", i, strings.Join(got, "\n"))
		}
	}
	if len(got) != 2+84 {
		t.Errorf("%d lines", len(got))
	}
}

// Two rewritten parts of a long text do not take what is between them with them.
func TestTextParts(t *testing.T) {
	middle := numbered("same", 1, 500)
	got := changedText(t, text(numbered("old", 1, 80), middle, numbered("old", 81, 160)), text(numbered("new", 1, 80), middle, numbered("new", 81, 160)), view.Diff{Context: 1})
	if n := len(got); n != 1+2*(1+160+1) {
		t.Errorf("%d lines:\n%s", n, strings.Join(got, "\n"))
	}
}

// However many lines of a long text change, the difference turns one text into
// the other, and it has not many more lines than were changed.
func TestTextLong(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, every := range []int{2, 3, 10, 50, 400} {
		var old, now []string
		changes := 0
		for i := range 2000 {
			line := fmt.Sprint("line ", i%700)
			old = append(old, line)
			switch {
			case i%every > 0:
				now = append(now, line)
			case random.IntN(3) == 0:
				changes++ // it goes
			case random.IntN(2) == 0:
				now, changes = append(now, line, fmt.Sprint("more ", i)), changes+1
			default:
				now, changes = append(now, fmt.Sprint("new ", i)), changes+2
			}
		}
		shown := changedText(t, text(old), text(now), view.Diff{Full: true})
		var before, after []string
		differ := 0
		for _, line := range shown[2:] {
			switch line := line[2:]; line[:2] {
			case "- ":
				before, differ = append(before, line[2:]), differ+1
			case "+ ":
				after, differ = append(after, line[2:]), differ+1
			default:
				before, after = append(before, line[2:]), append(after, line[2:])
			}
		}
		if text(before) != text(old) || text(after) != text(now) {
			t.Errorf("every %d: the difference does not lead from one text to the other", every)
		}
		if differ > changes {
			t.Errorf("every %d: %d lines differ, %d were changed", every, differ, changes)
		}
	}
}

func TestTextBounded(t *testing.T) {
	got := changedText(t, text(numbered("old", 1, 1000)), text(numbered("new", 1, 1000)), three)
	if last := got[len(got)-1]; len(got) != 401 || last != "  … 1602 more lines; --full-diff shows all" {
		t.Errorf("%d lines, the last is %q", len(got), last)
	}
	if full := changedText(t, text(numbered("old", 1, 1000)), text(numbered("new", 1, 1000)), view.Diff{Full: true}); len(full) != 2002 {
		t.Errorf("--full-diff shows %d lines", len(full))
	}
}

func TestTextCorners(t *testing.T) {
	for name, tt := range map[string]struct {
		old, now any
		want     []string
	}{
		"a line break at the end": {"a\nb\n", "a\nb", []string{"content: 2 lines (4 B) -> 2 lines (3 B)", "  only the line break at the end differs"}},
		"line ends alone":         {"a\nb\n", "a\r\nb\r\n", []string{"content: 2 lines (4 B) -> 2 lines (6 B)", "  line ends: LF -> CRLF"}},
		"line ends and a word":    {"a\r\nb\r\nc\r\n", "a\nx\nc\n", []string{"content: 3 lines (9 B) -> 3 lines (6 B)", "  line ends: CRLF -> LF", "  @@ -1,3 +1,3 @@", "    a", "  - b", "  + x", "    c"}},
		"from nothing":            {"", "a\nb\n", []string{`content: "" -> 2 lines (4 B)`, "  @@ -0,0 +1,2 @@", "  + a", "  + b"}},
		"short":                   {"a", "b", []string{"content: a -> b"}},
		"control characters":      {"a\nb\n", "a\n\x1b[2Jb\r\n", []string{"content: 2 lines (4 B) -> 2 lines (9 B)", "  @@ -1,2 +1,2 @@", "    a", "  - b", `  + \x1b[2Jb\r`}},
		"one long line": {
			strings.Repeat("same ", 100) + "old" + strings.Repeat(" same", 100), strings.Repeat("same ", 100) + "new" + strings.Repeat(" same", 100),
			[]string{
				"content: 1 line (1003 B) -> 1 line (1003 B)",
				"  - …" + strings.Repeat("same ", 12) + "old" + strings.Repeat(" same", 12) + "…",
				"  + …" + strings.Repeat("same ", 12) + "new" + strings.Repeat(" same", 12) + "…",
			},
		},
		"prose with colons": {
			"Note: this\n\nis text: really\n- a\n", "Note: this\n\nis text: not YAML\n- a\n",
			[]string{"content: 4 lines (32 B) -> 4 lines (34 B)", "  @@ -1,4 +1,4 @@", "    Note: this", "", "  - is text: really", "  + is text: not YAML", "    - a"},
		},
		"JSON": {
			`{"info": {"version": "1.0", "x": null}, "paths": {"/a": {}, "/b": [1, {"c": 1}]}, "tags": ["a"], "d": "` + strings.Repeat("d", 150) + `"}`,
			"{\n" + `"info": {"version": "1.1"}, "paths": {"/a": {}, "/b": [1, {"c": 2}]}, "tags": ["a", "b"], "d": "` + strings.Repeat("d", 150) + `"}`,
			[]string{
				"content (JSON): 1 line (255 B) -> 2 lines (250 B)",
				`  info.version: "1.0" -> "1.1"`, "  info.x: null -> (none)", "  paths./b[1].c: 1 -> 2", "  tags: [a] -> [a, b]",
			},
		},
		"JSON in another form": {`{"a": {"b": [1,2,3]}}` + "\n\n", "{\n  \"a\": {\"b\": [1, 2, 3]}\n}\n", []string{"content (JSON): the same content, formatted differently"}},
		"YAML": {
			"openapi: 3.0.0\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: ok}\n", "openapi: 3.0.1\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: fine}\n        404:\n          description: " + strings.Repeat("none ", 50) + "\n          more: true\n",
			[]string{
				"content (YAML): 6 lines (85 B) -> 9 lines (395 B)",
				`  openapi: "3.0.0" -> "3.0.1"`,
				"  paths./a.get.responses.200.description: ok -> fine",
				"  paths./a.get.responses.404: (none) -> {description: none none none none none none none… (249 B), more: true}",
			},
		},
		"a comment in YAML": {"# a\nb: 1\n", "# c\nb: 1\n", []string{"content: 2 lines (9 B) -> 2 lines (9 B)", "  @@ -1,2 +1,2 @@", "  - # a", "  + # c", "    b: 1"}},
		"items of a list": {
			[]any{fields{"name": "a"}, fields{"name": "b", "on": true}, fields{"name": "c"}},
			[]any{fields{"name": "new", "text": strings.Repeat("long ", 60)}, fields{"name": "a"}, fields{"name": "b", "on": false}, fields{"name": "c"}},
			[]string{"content[0]: added", "  + name: new", "  + text: long long long long long long long… (300 B)", "content[1].on: true -> false"},
		},
	} {
		t.Run(name, func(t *testing.T) { wantLines(t, changedText(t, tt.old, tt.now, three), tt.want...) })
	}
}
