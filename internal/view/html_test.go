package view_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

func htmlOf(t *testing.T, p *plan.Plan) string {
	t.Helper()
	var b strings.Builder
	if err := view.WritePlanHTML(&b, p, view.PlanOptions{Style: view.Style{Diff: view.Diff{Context: view.DefaultContext}}}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var staticParts = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|'sha256-[^']*'`)

func TestWritePlanHTML(t *testing.T) {
	connected := mixedPlan()
	connected.Changes[4].References["auth_strategy_ids[0]"] = plan.Reference{Ref: "api-key-auth", ID: "[unknown]", Change: connected.Changes[0].ID}
	connected.Changes[0].Source = &plan.Source{File: "teams.yaml", Line: 3, Column: 5}
	for name, p := range map[string]*plan.Plan{
		"html-mixed": connected, "html-replace": replacePlan(), "html-texts": textPlan(), "html-guarded": guardedPlan(), "html-empty": newPlan(plan.ModeSync),
	} {
		t.Run(name, func(t *testing.T) {
			text := htmlOf(t, p)
			golden(t, name, staticParts.ReplaceAllString(text, "…"))
			if text != htmlOf(t, p) {
				t.Error("the same plan gives another page")
			}
			checkPage(t, text)
		})
	}
}

// checkPage asserts that a page loads nothing and that its policy lets in its own
// script and style alone.
func checkPage(t *testing.T, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	scripts, styles := texts(root, "script"), texts(root, "style")
	if len(scripts) != 1 || len(styles) != 1 {
		t.Fatalf("%d scripts, %d styles", len(scripts), len(styles))
	}
	policy := ""
	known := strings.Fields("html head meta title style body header div p span h1 h2 ul li b dl dt dd main section details summary form input fieldset legend label select option button output pre a script svg defs marker path g rect text title")
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			if !strings.Contains(" "+strings.Join(known, " ")+" ", " "+n.Data+" ") {
				t.Errorf("an element %s", n.Data)
			}
			for _, a := range n.Attr {
				switch {
				case a.Key == "style", strings.HasPrefix(a.Key, "on"), a.Key == "src":
					t.Errorf("an attribute %s of %s", a.Key, n.Data)
				case a.Key == "href" && !strings.HasPrefix(a.Val, "#"):
					t.Errorf("a link to %q", a.Val)
				case a.Key == "content" && strings.HasPrefix(a.Val, "default-src"):
					policy = a.Val
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	want := fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", digest(styles[0]), digest(scripts[0]))
	if policy != want {
		t.Errorf("the policy is %q, want %q", policy, want)
	}
	return root
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func TestHTMLWithHostileNames(t *testing.T) {
	x := hostileName + "</script></style></title><svg/onload=alert(1)>{{.}}\x00\u2028"
	made := create(x, x, fields{x: x, "text": x + "\nsecond\n" + x})
	made.Source = &plan.Source{File: x, Line: 1}
	changed := updated("portal", x, map[string]plan.OldNew{"content": {Old: "a\nb\n" + x, New: x + "\nb\nc"}, x: {Old: x, New: nil}})
	changed.DependsOn, changed.Namespace = []string{made.ID}, x
	gone := deleted("api", x)
	gone.CurrentState = fields{x: x}
	p := newPlan(plan.ModeSync, made, changed, gone)
	p.Metadata.Organization = plan.Organization{ID: x, Name: x, Region: x}
	p.Metadata.GeneratedAt, p.Metadata.GeneratedBy, p.Metadata.ConfigHash = x, x, x
	p.Metadata.SyncScope.Namespaces = []string{x}
	p.Blocked = []plan.Blocked{{ResourceType: x, ResourceRef: x, By: x, Message: x}}
	root := checkPage(t, htmlOf(t, p))
	if shown := strings.Join(texts(root, "details"), ""); !strings.Contains(shown, "<script>alert(1)</script>") {
		t.Error("the name is not shown as text")
	}
}

// A delete shows what is lost: the fields that have a value.
func TestHTMLOfADelete(t *testing.T) {
	gone := deleted("api", "old")
	gone.CurrentState = fields{"name": "old", "version": nil, "portals": []any{}, "attributes": map[string]any{}, "description": "", "count": 0}
	shown := strings.Join(texts(checkPage(t, htmlOf(t, newPlan(plan.ModeSync, gone))), "details"), "\n")
	for _, want := range []string{"name: old", "count: 0"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in %s", want, shown)
		}
	}
	for _, empty := range []string{"version:", "portals:", "attributes:", "description:"} {
		if strings.Contains(shown, empty) {
			t.Errorf("%q is shown without a value", empty)
		}
	}
}

// Values of secrets are not there, because a plan has none; what a plan says in
// their place is.
func TestHTMLShowsNoSecret(t *testing.T) {
	text := htmlOf(t, mixedPlan())
	for _, want := range []string{"client_secret: (secret)", "issuer: (from $OIDC_ISSUER)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// A large plan is one page of a size that a browser takes; its graph is drawn by
// type.
func TestLargeHTML(t *testing.T) {
	text := htmlOf(t, largePlan(2000))
	root := checkPage(t, text)
	if got := len(texts(root, "details")); got != 2001 { // and the graph
		t.Errorf("%d details", got)
	}
	if len(text) > 4<<20 {
		t.Errorf("the page has %d bytes", len(text))
	}
	if !strings.Contains(text, "by type, because there are 2000 changes") || strings.Count(text, `class="node`) != 3 {
		t.Error("the graph is not drawn by type")
	}
}

// largePlan has n changes of three types below each other.
func largePlan(n int) *plan.Plan {
	var changes []*plan.Change
	for i := 0; len(changes) < n; i++ {
		root := updated("portal", fmt.Sprintf("portal-%d", i), map[string]plan.OldNew{"description": {Old: "old", New: "new"}})
		root.Namespace = []string{"default", "web"}[i%2]
		changes = append(changes, root)
		for j := 0; j < 8 && len(changes) < n; j++ {
			c := create("portal_page", fmt.Sprintf("page-%d-%d", i, j), fields{"slug": "x", "content": "text", "title": "A page"})
			if j%4 == 3 {
				c = deleted("portal_snippet", fmt.Sprintf("snippet-%d-%d", i, j))
			}
			c.Namespace = root.Namespace
			c.Parent = &plan.ParentRef{Type: "portal", Ref: root.ResourceRef, Change: root.ID}
			c.DependsOn = []string{root.ID}
			changes = append(changes, c)
		}
	}
	return newPlan(plan.ModeSync, changes...)
}
