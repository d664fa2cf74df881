package view_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

func TestWritePlanMarkdown(t *testing.T) {
	for name, tt := range map[string]struct {
		plan *plan.Plan
		opts view.PlanOptions
	}{
		"markdown-mixed":   {mixedPlan(), view.PlanOptions{}},
		"markdown-replace": {replacePlan(), view.PlanOptions{}},
		"markdown-texts":   {textPlan(), view.PlanOptions{Style: view.Style{Color: true, Diff: view.Diff{Context: view.DefaultContext}}}},
		"markdown-guarded": {guardedPlan(), view.PlanOptions{}},
		"markdown-empty":   {newPlan(plan.ModeSync), view.PlanOptions{Compared: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := view.WritePlanMarkdown(&b, tt.plan, tt.opts); err != nil {
				t.Fatal(err)
			}
			golden(t, name, b.String())
			parseMarkdown(t, b.String())
		})
	}
}

func TestReportMarkdown(t *testing.T) {
	p := mixedPlan()
	run := &execute.Report{Mode: plan.ModeSync, Total: 3, Succeeded: 1, Failed: 1, Skipped: 1, Results: []*execute.Result{
		{Action: plan.Create, ResourceType: "team", ResourceRef: "flight-operations", Status: execute.Succeeded},
		{Action: plan.Update, ResourceType: "portal", ResourceRef: "dev", Status: execute.Failed, Error: "PATCH /v3/portals/2c5e: 409 name in use"},
		{Action: plan.Delete, ResourceType: "api", ResourceRef: "old-api", Status: execute.Skipped},
	}}
	failed := view.NewReport(p, run)
	failed.Error = &view.Error{Message: "1 of 3 changes done, 1 failed, 1 skipped", ExitCode: 5}
	aborted := view.NewReport(p, &execute.Report{Mode: plan.ModeSync, Total: 3, Succeeded: 1, Failed: 1, Aborted: 1, Interrupted: true, Results: []*execute.Result{
		{Action: plan.Update, ResourceType: "portal", ResourceRef: "lost", Status: execute.Failed, Error: "PATCH /v3/portals/3d6f: EOF", Unknown: true},
		{Action: plan.Create, ResourceType: "team", ResourceRef: "flight-operations", Status: execute.Succeeded},
		{Action: plan.Update, ResourceType: "portal", ResourceRef: "dev", Status: execute.Aborted, Error: execute.ErrAborted.Error(), Unknown: true},
	}})
	for name, r := range map[string]view.Markdowner{
		"markdown-report-aborted": aborted,
		"markdown-report-partial": failed,
		"markdown-report-dry-run": view.NotRun(p, true, time.Time{}),
		"markdown-failure": view.Failure{Error: &view.Error{Message: "1 diagnostic", ExitCode: 4}, Diagnostics: []view.Diagnostic{
			{Code: "REF002", Severity: "error", File: "a.yaml", Line: 3, Column: 5, Summary: "unknown reference", Detail: "No input declares it.\nReally.", Fix: "declare it."},
			{Code: "SRC001", Severity: "error", Summary: "nothing found"},
		}},
	} {
		var b strings.Builder
		if err := r.WriteMarkdown(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		parseMarkdown(t, b.String())
	}
}

func TestDriftMarkdown(t *testing.T) {
	d := &plan.Drift{
		Namespaces: []string{"default"},
		RemoteOnly: []plan.Difference{{ResourceType: "api", ResourceRef: "old", State: plan.Undeclared, Namespace: "default"}},
		Unclear: []plan.Difference{{
			ResourceType: "portal", ResourceRef: "dev", State: plan.Differs, Likely: plan.SideRemote,
			FieldChanges: []plan.FieldChange{{Field: "description", CurrentValue: "is", DesiredValue: "declared"}},
		}},
		Errors: []plan.Problem{{ResourceType: "team", Message: "500"}},
	}
	var b strings.Builder
	if err := view.WriteDriftMarkdown(&b, d, view.DriftOptions{Compared: 3}); err != nil {
		t.Fatal(err)
	}
	golden(t, "markdown-drift", b.String())
	parseMarkdown(t, b.String())
}

// hostileName ends everything that Markdown and HTML begin.
const hostileName = "x`` ` ```\n</details></summary><script>alert(1)</script>|<img src=x onerror=y>\n# h\n~~~\n[a](javascript:b) ![c](http://d.test) @you #1 http://e.test <!-- ]]>"

// parseMarkdown renders a document as a host does and returns its elements. Parts
// that open must close, and nothing may be there that a view does not write.
func parseMarkdown(t *testing.T, text string) *html.Node {
	t.Helper()
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(render.WithUnsafe()))
	if err := md.Convert([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	known := strings.Fields("html head body h3 p br strong b code pre table thead tbody tr th td details summary blockquote")
	open := 0
	z := html.NewTokenizer(bytes.NewReader(b.Bytes()))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if !errors.Is(z.Err(), io.EOF) {
				t.Fatal(z.Err())
			}
			break
		}
		token := z.Token()
		if kind == html.CommentToken {
			t.Errorf("a comment: %s", token.Data)
		}
		if kind != html.StartTagToken && kind != html.EndTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		found := false
		for _, name := range known {
			found = found || name == token.Data
		}
		if !found {
			t.Errorf("an element %s in\n%s", token.Data, b.String())
		}
		for _, a := range token.Attr {
			if a.Key != "open" && a.Key != "class" && a.Key != "style" && a.Key != "align" {
				t.Errorf("an attribute %s of %s", a.Key, token.Data)
			}
		}
		if token.Data == "details" {
			if kind == html.StartTagToken {
				open++
			} else {
				open--
			}
			if open < 0 || open > 1 {
				t.Fatalf("details open %d deep in\n%s", open, text)
			}
		}
	}
	if open != 0 {
		t.Errorf("details are not closed in\n%s", text)
	}
	root, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// texts are the texts of all elements of a name.
func texts(n *html.Node, name string) []string {
	var out []string
	var all func(*html.Node) string
	all = func(n *html.Node) string {
		text := ""
		if n.Type == html.TextNode {
			text = n.Data
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			text += all(c)
		}
		return text
	}
	if n.Type == html.ElementNode && n.Data == name {
		out = append(out, all(n))
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out = append(out, texts(c, name)...)
	}
	return out
}

func TestMarkdownWithHostileNames(t *testing.T) {
	x := hostileName
	made := create(x, x, fields{x: x, "text": x + "\nsecond\n" + x})
	made.Unchecked = x
	changed := updated("portal", x, map[string]plan.OldNew{"content": {Old: "a\nb\n" + x, New: x + "\nb\nc"}, x: {Old: x, New: nil}})
	p := newPlan(plan.ModeSync, made, changed, deleted("api", x))
	p.Metadata.Organization = plan.Organization{ID: x, Name: x, Region: x}
	p.Metadata.SyncScope.Namespaces = []string{x}
	p.Blocked = []plan.Blocked{{ResourceType: x, ResourceRef: x, By: x, Message: x}}
	p.Warnings = []plan.Warning{{Message: x}}
	run := &execute.Report{Total: 1, Failed: 1, Results: []*execute.Result{{Action: plan.Update, ResourceType: x, ResourceRef: x, Status: execute.Failed, Error: x}}}
	report := view.NewReport(p, run)
	report.Error = &view.Error{Message: x}
	for name, write := range map[string]func(io.Writer) error{
		"plan": func(w io.Writer) error {
			return view.WritePlanMarkdown(w, p, view.PlanOptions{Style: view.Style{Diff: view.Diff{Context: 3}}})
		},
		"report":  report.WriteMarkdown,
		"failure": view.Failure{Error: &view.Error{Message: x}, Diagnostics: []view.Diagnostic{{Code: x, Severity: x, File: x, Summary: x, Detail: x, Fix: x}}}.WriteMarkdown,
		"drift": func(w io.Writer) error {
			return view.WriteDriftMarkdown(w, &plan.Drift{Namespaces: []string{x}, RemoteOnly: []plan.Difference{{ResourceType: x, ResourceRef: x, State: plan.State(x)}}}, view.DriftOptions{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			root := parseMarkdown(t, b.String())
			shown := strings.Join(append(texts(root, "pre"), texts(root, "summary")...), "\n")
			for _, part := range []string{"<script>alert(1)</script>", "[a](javascript:b)", "@you #1 http://e.test"} {
				if !strings.Contains(shown, part) {
					t.Errorf("%s is not shown as text:\n%s", part, b.String())
				}
			}
		})
	}
	var b strings.Builder
	if err := view.WritePlanMarkdown(&b, p, view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	if cells := texts(parseMarkdown(t, b.String()), "td"); len(cells) != 4*4 {
		t.Errorf("the table has %d cells:\n%q", len(cells), cells)
	}
}

// A comment that is too long is cut between parts, and says so; what is deleted is
// shown before everything else.
func TestMarkdownIsCut(t *testing.T) {
	for _, n := range []int{3, 300, 1000, 3000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var changes []*plan.Change
			for i := range n {
				changes = append(changes, updated("portal", fmt.Sprintf("portal-%04d", i), map[string]plan.OldNew{
					"content": {Old: strings.Repeat("old line 🙂\n", 30), New: strings.Repeat("new line ` 🙂\n", 30)},
				}))
			}
			changes = append(changes, deleted("api", "last"))
			var b strings.Builder
			if err := view.WritePlanMarkdown(&b, newPlan(plan.ModeSync, changes...), view.PlanOptions{}); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			if length := len(utf16.Encode([]rune(text))); length > 65_000 || n > 100 && length < 60_000 {
				t.Errorf("%d changes make %d characters", n, length)
			}
			root := parseMarkdown(t, text)
			if note := strings.Contains(text, "> Cut to 65,000 characters: "); note != (n > 100) {
				t.Errorf("%d changes: a note: %v", n, note)
			}
			if first := texts(root, "summary")[0]; !strings.Contains(first, `api "last"`) {
				t.Errorf("what is deleted does not come first: %s", first)
			}
			if n == 3000 && !strings.Contains(text, " left out.") {
				t.Error("what is left out is not counted")
			}
		})
	}
	// One root with more children than a comment has characters.
	root := updated("portal", "dev", map[string]plan.OldNew{"a": {Old: "1", New: "2"}})
	changes := []*plan.Change{root}
	for i := range 5000 {
		c := create("portal_page", fmt.Sprintf("page-%04d", i), fields{"content": "text"})
		c.Parent = &plan.ParentRef{Type: "portal", Ref: "dev", Change: root.ID}
		changes = append(changes, c)
	}
	var b strings.Builder
	if err := view.WritePlanMarkdown(&b, newPlan(plan.ModeSync, changes...), view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	parseMarkdown(t, b.String())
	if !strings.Contains(b.String(), "… 4981 more changes") || !strings.Contains(b.String(), "5001 changes shortened") {
		t.Errorf("what is cut is not said:\n%s", b.String())
	}
}
