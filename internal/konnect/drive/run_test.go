package drive_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

const estate = `
portals:
  - name: dev
    customization: {theme: {mode: dark}}
    pages: [{slug: guides, content: x, children: [{slug: first, content: x}]}]
  - name: partners
    snippets: [{name: hello, content: x}]
`

func TestEventsOfARun(t *testing.T) {
	w := serial(t)
	out := w.Run(w.Plan(whole, estate))
	equal(t, "story", testkit.Story(out.Events), []string{
		"run 6",
		"start 1:c:portal:dev", "done 1:c:portal:dev",
		"start 2:c:portal:partners", "done 2:c:portal:partners",
		"start 3:u:portal_customization:dev-customization", "done 3:u:portal_customization:dev-customization",
		"start 4:c:portal_page:dev-guides", "done 4:c:portal_page:dev-guides",
		"start 5:c:portal_snippet:partners-hello", "done 5:c:portal_snippet:partners-hello",
		"start 6:c:portal_page:dev-guides-first", "done 6:c:portal_page:dev-guides-first",
		"end 6 applied, 0 failed, 0 skipped",
	})
	started, _ := out.Events[1].(event.ChangeStarted)
	equal(t, "change", started.Change, event.Change{ID: "1:c:portal:dev", Action: "CREATE", Kind: "portal", Ref: "dev", Name: "dev"})
	finished, _ := out.Events[2].(event.ChangeFinished)
	equal(t, "id", any(finished.ResourceID), w.Named("portal", "dev")["id"])
	if finished.Took <= 0 {
		t.Errorf("took %s", finished.Took)
	}
}

func TestReportOfARun(t *testing.T) {
	w := serial(t)
	r := w.Run(w.Plan(whole, "portals: [{name: dev}]")).Report
	id, _ := w.Named("portal", "dev")["id"].(string)
	equal(t, "results", r.Results, []*execute.Result{{
		ChangeID: "1:c:portal:dev", Action: plan.Create, ResourceType: "portal", ResourceRef: "dev", ResourceName: "dev",
		ResourceID: id, Status: execute.Succeeded, DurationMS: 2000,
	}})
	if r.Mode != plan.ModeSync || r.Total != 1 || r.Succeeded != 1 || r.Failed+r.Skipped != 0 || r.Interrupted {
		t.Errorf("report: %+v", r)
	}
	if r.StartedAt == "" || r.FinishedAt <= r.StartedAt {
		t.Errorf("from %s to %s", r.StartedAt, r.FinishedAt)
	}
}

func TestRunOfNothing(t *testing.T) {
	w := serial(t)
	out := w.Run(w.Plan(whole, "portals: []"))
	equal(t, "story", testkit.Story(out.Events), []string{"run 0", "end 0 applied, 0 failed, 0 skipped"})
	if out.Report.Results == nil {
		t.Error("no results are an empty list")
	}
}

func TestAFailureSkipsOnlyWhatDependsOnIt(t *testing.T) {
	w := serial(t)
	refuse(w, `"name":"dev"`, "no more portals")
	out := w.Run(w.Plan(whole, estate))
	const because = ": waits for portal dev, which failed"
	equal(t, "story", testkit.Story(out.Events), []string{
		"run 6",
		"start 1:c:portal:dev", "fail 1:c:portal:dev",
		"skip 3:u:portal_customization:dev-customization" + because,
		"skip 4:c:portal_page:dev-guides" + because,
		"skip 6:c:portal_page:dev-guides-first" + because,
		"start 2:c:portal:partners", "done 2:c:portal:partners",
		"start 5:c:portal_snippet:partners-hello", "done 5:c:portal_snippet:partners-hello",
		"end 2 applied, 1 failed, 3 skipped",
	})
	r := out.Report
	equal(t, "counts", []int{r.Total, r.Succeeded, r.Failed, r.Skipped}, []int{6, 2, 1, 3})
	first := r.Results[0]
	if first.Status != execute.Failed || first.Err == nil || first.Error != "POST /v3/portals: 400 no more portals" {
		t.Errorf("result: %+v", first)
	}
	if last := r.Results[5]; last.Status != execute.Skipped || !strings.Contains(last.Error, "portal dev") {
		t.Errorf("result: %+v", last)
	}
	equal(t, "portals", names(w, "portal"), map[string]bool{"partners": true})

	// What is left can be done later.
	w.Recorder.Intercept = nil
	w.Sync(estate)
	w.Settled(whole, estate)
}

func TestAFailedDeleteSkipsTheCreateOfAReplace(t *testing.T) {
	w := serial(t)
	const domain = "portals: [{name: dev, custom_domain: {hostname: HOST, enabled: true, ssl: {domain_verification_method: http}}}]"
	w.Sync(strings.Replace(domain, "HOST", "a.example.com", 1))
	w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
		if r.Method == http.MethodDelete {
			return testkit.Refuse(r, http.StatusForbidden, "not yours"), nil
		}
		return nil, nil
	}
	out := w.Run(w.Plan(whole, strings.Replace(domain, "HOST", "b.example.com", 1)))
	equal(t, "story", testkit.Story(out.Events), []string{
		"run 2",
		"start 1:d:portal_custom_domain:dev-custom-domain", "fail 1:d:portal_custom_domain:dev-custom-domain",
		"skip 2:c:portal_custom_domain:dev-custom-domain: waits for portal_custom_domain dev-custom-domain, which failed",
		"end 0 applied, 1 failed, 1 skipped",
	})
	equal(t, "the old domain", w.State("portal_custom_domain")[0]["hostname"], any("a.example.com"))
}

// Many changes at once still come after what they depend on.
func TestRunsSideBySide(t *testing.T) {
	w := testkit.New(t)
	w.Concurrency = 8
	var b strings.Builder
	b.WriteString("portals:\n")
	for _, name := range strings.Split("abcdefghij", "") {
		b.WriteString("  - {name: portal-" + name + ", pages: [{slug: one, content: x, children: [{slug: two, content: x}]}], customization: {layout: topnav}}\n")
	}
	p := w.Plan(whole, b.String())
	out := w.Run(p)
	w.Succeed(out)
	done := map[string]bool{}
	for _, e := range out.Events {
		switch e := e.(type) {
		case event.ChangeStarted:
			for _, before := range p.Change(e.Change.ID).DependsOn {
				if !done[before] {
					t.Errorf("%s started before %s was done", e.Change.ID, before)
				}
			}
		case event.ChangeFinished:
			done[e.Change.ID] = true
		}
	}
	if len(done) != len(p.Changes) || len(done) != 40 {
		t.Errorf("%d of %d changes done", len(done), len(p.Changes))
	}
	w.Settled(whole, b.String())
}

func TestAnInterruptedRunFinishesWhatIsInFlight(t *testing.T) {
	w := serial(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.Recorder.Intercept = func(r *http.Request, body string) (*http.Response, error) {
		if strings.Contains(body, `"name":"partners"`) {
			cancel() // while the request is on its way
			if r.Context().Err() != nil {
				t.Error("the request was cut off")
			}
		}
		return nil, nil
	}
	p := w.Plan(whole, estate)
	out, err := w.TryRun(ctx, p, w.Target)
	if err != nil {
		t.Fatal(err)
	}
	const because = ": the run was interrupted"
	equal(t, "story", testkit.Story(out.Events), []string{
		"run 6",
		"start 1:c:portal:dev", "done 1:c:portal:dev",
		"start 2:c:portal:partners", "done 2:c:portal:partners",
		"skip 3:u:portal_customization:dev-customization" + because,
		"skip 4:c:portal_page:dev-guides" + because,
		"skip 6:c:portal_page:dev-guides-first" + because,
		"skip 5:c:portal_snippet:partners-hello" + because,
		"end 2 applied, 0 failed, 4 skipped, interrupted",
	})
	if !out.Report.Interrupted || out.Report.Skipped != 4 {
		t.Errorf("report: %+v", out.Report)
	}
	equal(t, "portals", names(w, "portal"), map[string]bool{"dev": true, "partners": true})
}

// A create that is being looked for when the run is aborted is aborted, too: Konnect
// may have carried it out.
func TestAbortWhileACreateIsLookedFor(t *testing.T) {
	w := serial(t)
	p := w.Plan(whole, "teams: [{name: lost}]")
	ctx, cancel := context.WithCancel(t.Context())
	abort, posted := make(chan struct{}), false
	w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
		switch {
		case r.Method == http.MethodPost:
			posted = true
			return testkit.Refuse(r, http.StatusInternalServerError, "no answer"), nil
		case posted:
			cancel()
			close(abort)
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		return nil, nil
	}
	in := w.Execution(p)
	in.Abort, in.Concurrency = abort, 1
	report, err := execute.Run(ctx, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if res := report.Results[0]; res.Status != execute.Aborted || !res.Unknown {
		t.Errorf("%+v", res)
	}
}

func TestDeleteOfWhatIsGoneIsDone(t *testing.T) {
	w := serial(t)
	w.Sync("portals: [{name: dev, snippets: [{name: hello, content: x}]}]\nteams: [{name: gone}]")
	p := w.Plan(whole, "portals: [{name: dev, snippets: []}]")
	portal, _ := w.Named("portal", "dev")["id"].(string)
	snippet, _ := w.Named("portal_snippet", "hello")["id"].(string)
	w.Send("DELETE", "/v3/portals/"+portal+"/snippets/"+snippet, "")
	w.Recorder.Reset()
	out := w.Run(p)
	w.Succeed(out)
	answered := map[int]bool{}
	for _, x := range w.Recorder.Writes() {
		answered[x.Status] = true
	}
	equal(t, "answers", answered, map[int]bool{http.StatusNotFound: true, http.StatusNoContent: true})
}

func TestReportHasAStableForm(t *testing.T) {
	w := serial(t)
	refuse(w, `"name":"bad"`, "no")
	raw, err := json.Marshal(w.Run(w.Plan(whole, "teams: [{name: bad}]")).Report)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"mode", "started_at", "finished_at", "total_changes", "succeeded", "failed", "skipped", "interrupted", "results"} {
		if _, ok := got[key]; !ok {
			t.Errorf("no %s in %s", key, raw)
		}
	}
}

func TestASinkMayBeLeftOut(t *testing.T) {
	w := serial(t)
	p := w.Plan(whole, "teams: [{name: a}]")
	r, err := execute.Run(t.Context(), w.Execution(p), nil)
	if err != nil || r.Succeeded != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
