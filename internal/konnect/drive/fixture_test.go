package drive_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// refuse lets writes whose body holds a text be answered with a 400.
func refuse(w *testkit.World, text, detail string) {
	w.Recorder.Intercept = func(r *http.Request, body string) (*http.Response, error) {
		if r.Method != http.MethodGet && strings.Contains(body, text) {
			return testkit.Refuse(r, http.StatusBadRequest, detail), nil
		}
		return nil, nil
	}
}

// names lists what the embedded Konnect holds of a kind.
func names(w *testkit.World, kind string) map[string]bool {
	out := map[string]bool{}
	for _, m := range w.State(kind) {
		name, _ := m["name"].(string)
		out[name] = true
	}
	return out
}

var whole = testkit.Ask{}

// serial is a world in which changes run one after the other.
func serial(t *testing.T) *testkit.World {
	w := testkit.New(t)
	w.Concurrency = 1
	return w
}

func writes(w *testkit.World) []string {
	var out []string
	for _, x := range w.Recorder.Writes() {
		out = append(out, x.String())
	}
	return out
}

// edited reads a plan again after its text was changed.
func edited(t *testing.T, p *plan.Plan, old, replacement string) *plan.Plan {
	t.Helper()
	raw, err := p.Write()
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(raw), old, replacement, 1)
	if changed == string(raw) {
		t.Fatalf("the plan does not hold %s:\n%s", old, raw)
	}
	out, err := plan.Parse([]byte(changed))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
