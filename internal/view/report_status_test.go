package view

import (
	"encoding/json"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// A report with an error says success in no status, and one without keeps its own.
func TestStatusAgreesWithTheError(t *testing.T) {
	for _, status := range []string{StatusDone, StatusDryRun, StatusPartial, StatusFailed, StatusInterrupted} {
		for _, done := range []int{0, 1} {
			for _, blocked := range [][]plan.Blocked{nil, {{}}} {
				r := &Report{Status: status, Blocked: blocked, Report: execute.Report{Succeeded: done, Total: done}}
				plain := statusOf(t, r)
				r.Error = &Error{Message: "nothing matched", ExitCode: 1}
				failed := statusOf(t, r)
				want := plain
				if plain == documentDone {
					want = documentFailed
					if done > 0 || len(blocked) > 0 {
						want = documentPartial
					}
				}
				if failed != want {
					t.Errorf("%s, %d done, %d blocked: %s, and with an error %s, want %s", status, done, len(blocked), plain, failed, want)
				}
			}
		}
	}
}

func statusOf(t *testing.T, r *Report) string {
	t.Helper()
	raw, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Summary struct {
			Status string `json:"status"`
		} `json:"summary"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Summary.Status
}
