package testkit_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/testkit"
)

// What a fixture promises: the recorder sees bodies and answers, and can stand
// in for the service.
func TestRecorder(t *testing.T) {
	w := testkit.New(t)
	w.Recorder.Intercept = func(r *http.Request, body string) (*http.Response, error) {
		if strings.Contains(body, `"name":"refused"`) {
			return testkit.Refuse(r, http.StatusConflict, `it is "taken"`), nil
		}
		return nil, nil
	}
	out := w.Run(w.Plan(testkit.Ask{}, "teams: [{name: refused}, {name: made}]"))
	if out.Report.Failed != 1 || !strings.HasSuffix(out.Report.Results[0].Error, `409 it is "taken"`) {
		t.Errorf("results: %+v", out.Report.Results[0])
	}
	statuses := map[int]string{}
	for _, x := range w.Recorder.Writes() {
		statuses[x.Status] = x.String()
		if !strings.Contains(x.Body, `"name"`) {
			t.Errorf("%s: body %q", x, x.Body)
		}
	}
	if statuses[http.StatusConflict] != "POST /v3/teams" || statuses[http.StatusCreated] != "POST /v3/teams" {
		t.Errorf("writes: %v", statuses)
	}
	if len(w.Recorder.All()) <= 2 {
		t.Error("reads are recorded, too")
	}
	w.Named("organization_team", "made")
}

// The same steps give the same world.
func TestWorldsAreAlike(t *testing.T) {
	world := func() any {
		w := testkit.New(t)
		w.Concurrency = 1
		w.Sync("portals: [{name: a, pages: [{slug: x, content: x}]}]")
		return w.Named("portal", "a")["id"]
	}
	if first, second := world(), world(); first != second || first != "00000000-0000-4000-8000-000000000001" {
		t.Errorf("ids %v and %v", first, second)
	}
}
