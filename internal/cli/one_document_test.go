package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOnePlanDocument: wherever the document of a plan is written as a whole, it is
// the same one, with all that an inverse plan needs. Diff shows what plan shows.
func TestOnePlanDocument(t *testing.T) {
	c := newConsole(t).real()
	newService(t, c)
	c.write("was.yaml", `
portals:
- {ref: p, name: p, pages: [{ref: g, slug: a, title: T, content: A text that is kept}], snippets: [{ref: s, name: s, title: S, content: precious}]}
- {ref: q, name: q, customization: {css: 'body {color: red}'}, custom_domain: {hostname: x.example.com, enabled: true, ssl: {domain_verification_method: http}}}
apis: [{ref: a, name: a, publications: [{portal_id: q}], documents: [{slug: d, title: D, content: '# D'}]}]
`)
	c.write("want.yaml", "portals: [{ref: p, name: p, snippets: []}]\napis: []\n")
	c.want(exitDone, "sync", "-f", "was.yaml", "--auto-approve")
	out := func(status int, line string) string {
		t.Helper()
		c = c.again().real()
		c.want(status, append(strings.Fields(line), "--allow-cascade", "q")...)
		return c.out.String()
	}
	planOf := func(report string) string {
		t.Helper()
		var document struct{ Plan json.RawMessage }
		if err := json.Unmarshal([]byte(report), &document); err != nil {
			t.Fatal(err)
		}
		return string(document.Plan)
	}
	same := func(what, got, want string) {
		t.Helper()
		var a, b any
		for text, to := range map[string]*any{got: &a, want: &b} {
			if err := json.Unmarshal([]byte(text), to); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		if diff := cmp.Diff(b, a); diff != "" {
			t.Errorf("%s is not the plan (-plan +it):\n%s", what, diff)
		}
	}
	for mode, from := range map[string]string{"sync": "-f want.yaml", "delete": "-f was.yaml"} {
		want := out(exitDone, "plan -o json --mode "+mode+" "+from)
		if !strings.Contains(want, `"kept"`) || !strings.Contains(want, "precious") || !strings.Contains(want, `"keeps_deleted": true`) {
			t.Fatalf("the plan keeps nothing:\n%s", want)
		}
		out(exitDone, "plan --output-file plan.json --mode "+mode+" "+from)
		if got := c.read("plan.json"); got != want {
			t.Errorf("%s: the file differs (-plan +it):\n%s", mode, cmp.Diff(want, got))
		}
		for _, form := range planForms {
			p := out(exitDone, "plan -o "+form+" --mode "+mode+" "+from)
			if got := out(exitDone, "diff -o "+form+" --mode "+mode+" "+from); got != p {
				t.Errorf("%s: diff -o %s differs (-plan +it):\n%s", mode, form, cmp.Diff(p, got))
			}
		}
		same(mode+" --dry-run -o json", planOf(out(exitDone, mode+" --dry-run -o json "+from)), want)
		out(exitDone, mode+" --dry-run --execution-report-file "+c.dir+"/report.json "+from)
		same(mode+" --dry-run --execution-report-file", planOf(c.read("report.json")), want)
	}
	want := out(exitDone, "plan -o json --mode sync -f want.yaml")
	same("sync -o json", planOf(out(exitDone, "sync --auto-approve -o json -f want.yaml")), want)
}
