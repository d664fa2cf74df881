package laws

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
)

// A secret that Konnect generates and shows once is warned of, at its resource, and what
// the fix says to write is accepted. Whoever asks for it gets it before anything else
// knows that the change is done, and nothing but that has it. Where it cannot be kept,
// nothing new starts.
func TestSecretsThatAreShownOnce(t *testing.T) {
	tried := 0
	for _, b := range testkit.Catalog(t).All() {
		for _, p := range catalog.ShownOnce(b) {
			tried++
			w := testkit.New(t)
			x := engine.Explainer(w.Catalog)
			found, err := x.Find(b.Kind)
			if err != nil {
				t.Fatal(err)
			}
			whole := x.Example(found.Type)
			w.Env = variables(whole)
			if p := w.Plan(testkit.Ask{}, whole); p.Empty() { // without a warning
				t.Fatalf("%s: nothing to do for its example:\n%s", b.Kind, whole)
			}
			field := p[len(p)-1]
			text := regexp.MustCompile(`(?m)^ *`+field+`: .*\n`).ReplaceAllString(whole, "")
			l, diags := w.TryLoad(source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text)})
			planned, more := w.TryPlan(testkit.Ask{}, l, w.Target)
			diags = append(diags, more...)
			if len(diags) != 1 || diags[0].Code != diag.ValShownOnce || diags[0].Severity != diag.Warning || !strings.HasPrefix(diags[0].Fix, "write "+p.String()+": !secret {source: !env NAME}") {
				t.Fatalf("%s without %s: %v\n%s", b.Kind, p, diags, text)
			}
			first := l.Set.Of(b.Neutral())[0]
			testkit.Equal(t, "place", diags[0].Pos, first.Pos)

			var kept []execute.ShownOnce
			var seen []event.Event
			run := func(keep func(execute.ShownOnce) error) *execute.Report {
				in := w.Execution(w.Reread(planned))
				in.ShownOnce, in.Concurrency = keep, 1
				report, err := execute.Run(t.Context(), in, func(e event.Event) { seen = append(seen, e) })
				if err != nil {
					t.Fatal(err)
				}
				return report
			}
			report := run(func(s execute.ShownOnce) error {
				for _, e := range seen {
					if done, ok := e.(event.ChangeFinished); ok && done.Change.Ref == s.ResourceRef && done.Change.Kind == s.ResourceType {
						t.Errorf("%s: the change was done before its %s was kept", b.Kind, p)
					}
				}
				kept = append(kept, s)
				return nil
			})
			if report.Succeeded != report.Total || len(kept) != 1 || kept[0].Value == "" || kept[0].Field != p.String() || kept[0].ResourceRef != first.Ref || kept[0].ResourceID == "" {
				t.Fatalf("%s: %+v, kept %d: %v", b.Kind, report, len(kept), kept)
			}
			for _, r := range report.Results {
				seen = append(seen, event.Warning{Text: fmt.Sprintf("%+v", *r)})
			}
			if shown := fmt.Sprintf("%+v %v %+v %#v %s", seen, kept, kept, kept, testkit.Text(t, planned)); strings.Contains(shown, kept[0].Value) {
				t.Errorf("%s: %s is shown:\n%s", b.Kind, p, shown)
			}

			in := w.Execution(w.Reread(planned))
			in.Unfinished = &execute.Unfinished{Plan: in.Plan, Results: map[string]*execute.Result{}, Attempts: map[string]*execute.Attempt{}}
			for _, r := range report.Results {
				in.Unfinished.Results[r.ChangeID] = r
				if r.ResourceType == b.Kind { // it was sent, and the program ended before the answer came
					delete(in.Unfinished.Results, r.ChangeID)
					in.Unfinished.Attempts[r.ChangeID] = &execute.Attempt{ChangeID: r.ChangeID}
				}
			}
			look, err := execute.Check(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			in.Done, seen = look.Done, nil
			if _, err := execute.Run(t.Context(), in, func(e event.Event) { seen = append(seen, e) }); err != nil || !strings.Contains(fmt.Sprintf("%+v", seen), "is lost with the answer to the create") {
				t.Errorf("%s: continued: %v %+v", b.Kind, err, seen)
			}

			w, seen = testkit.New(t), nil
			report = run(func(execute.ShownOnce) error { return errors.New("the disk is full") })
			if report.Stopped != "the disk is full" || !strings.Contains(fmt.Sprintf("%+v", seen), "is lost: the disk is full") {
				t.Errorf("%s: %+v %+v", b.Kind, report, seen)
			}
		}
	}
	if tried == 0 {
		t.Error("no type has one")
	}
}
