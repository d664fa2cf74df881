package execute_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
)

// holding is a toy whose writes do something else.
type holding struct {
	*toy
	do func(ctx context.Context) error
}

func (d *holding) Do(ctx context.Context, _ *execute.Call) (execute.Outcome, error) {
	return execute.Outcome{}, d.do(ctx)
}

type unsent struct{ error }

func (unsent) Unsent() bool    { return true }
func (e unsent) Unwrap() error { return e.error }

// What was not sent when a run is interrupted was not started, and neither was what
// waits for it. Resume has no doubt about it.
func TestInterruptBeforeAnythingIsSent(t *testing.T) {
	for name, wrote := range map[string]bool{"held": false, "written before": true} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			held := &holding{&toy{}, func(ctx context.Context) error {
				if wrote {
					resource.Wrote(ctx)
				}
				waits, release := resource.Held(ctx)
				defer release()
				cancel()
				if !wrote {
					<-waits.Done()
				}
				return unsent{context.Canceled}
			}}
			in := by(toys(change("house", "a"), change("house", "b", "a")), map[string]execute.Driver{"house": held})
			recorded := map[string]execute.Status{}
			in.Begin = func(*execute.Attempt) error { return nil }
			in.Record = func(r *execute.Result) error { recorded[r.ChangeID] = r.Status; return nil }
			report, told := carryOutIn(ctx, t, in)
			if wrote {
				equal(t, "reasons", reasons(report), map[string]string{"a": "failed context canceled", "b": "skipped waits for the toy a, which failed"})
				return
			}
			equal(t, "reasons", reasons(report), map[string]string{"a": "skipped the run was interrupted", "b": "skipped the run was interrupted"})
			equal(t, "recorded", recorded, map[string]execute.Status{"a": execute.Skipped})
			equal(t, "story", told, []string{"run 2", "start a", "skip a: the run was interrupted", "skip b: the run was interrupted", "end 0 applied, 0 failed, 2 skipped, interrupted"})
		})
	}
}

// looking is a toy whose checks do something else.
type looking struct {
	*toy
	check func(ctx context.Context) error
}

func (d *looking) Check(ctx context.Context, _ []*execute.Call) ([]execute.Verdict, error) {
	return nil, d.check(ctx)
}

// What was cut off when a run is aborted is neither done nor failed, unless it had not
// begun to write: then it was not started. The journal agrees with the report.
func TestAbort(t *testing.T) {
	const aborted = "aborted aborted: its outcome is unknown"
	for name, row := range map[string]struct {
		err       error
		wrote     bool
		want      string
		uncertain bool
	}{
		"its request was sent":                 {context.Canceled, true, aborted, true},
		"its second request was not":           {unsent{context.Canceled}, true, aborted, true},
		"nobody knows whether it sent any":     {context.Canceled, false, aborted, true},
		"nothing was sent":                     {unsent{context.Canceled}, false, "skipped the run was interrupted", false},
		"it failed before":                     {errors.New("no"), true, "failed no", false},
		"it failed, and may have been carried": {uncertain{errors.New("503")}, true, "failed 503", true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			abort := make(chan struct{})
			held := &holding{&toy{}, func(ctx context.Context) error {
				if row.wrote {
					resource.Wrote(ctx)
				}
				cancel()
				close(abort)
				<-ctx.Done()
				return row.err
			}}
			in := by(toys(change("house", "a"), change("house", "b", "a")), map[string]execute.Driver{"house": held})
			in.Abort = abort
			report, u := abortedRun(ctx, t, in)
			equal(t, "a", reasons(report)["a"], row.want)
			if row.want == aborted {
				equal(t, "b", reasons(report)["b"], "skipped waits for the toy a, which was aborted")
			}
			equal(t, "unknown", report.Results[0].Unknown, row.uncertain)
			equal(t, "uncertain", len(u.Uncertain()) > 0, row.uncertain)
			counts := map[execute.Status]int{execute.Aborted: report.Aborted, execute.Failed: report.Failed, execute.Skipped: report.Skipped}
			want := map[execute.Status]int{execute.Aborted: 0, execute.Failed: 0, execute.Skipped: 0}
			for _, x := range report.Results {
				want[x.Status]++
			}
			equal(t, "counts", counts, want)
		})
	}
}

// abortedRun carries a plan out with a journal, and returns what that says.
func abortedRun(ctx context.Context, t *testing.T, in execute.Input) (*execute.Report, *execute.Unfinished) {
	t.Helper()
	raw, err := in.Plan.Write()
	if err != nil {
		t.Fatal(err)
	}
	j, err := execute.NewJournal(t.TempDir(), raw, source.Folders{Dir: "/"}, testkit.Epoch)
	if err != nil {
		t.Fatal(err)
	}
	in.Begin, in.Record = j.Begin, j.Record
	report, _ := carryOutIn(ctx, t, in)
	u, err := execute.ReadJournal(j.Name())
	if err = errors.Join(err, j.Close(false)); err != nil {
		t.Fatal(err)
	}
	return report, u
}

type uncertain struct{ error }

func (uncertain) Uncertain() bool { return true }

// A change that was still being looked at was not started.
func TestAbortBeforeItBegins(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	abort := make(chan struct{})
	one := &looking{&toy{}, func(ctx context.Context) error {
		cancel()
		close(abort)
		<-ctx.Done()
		return ctx.Err()
	}}
	in := by(toys(change("house", "a")), map[string]execute.Driver{"house": one})
	in.Abort, in.Checked = abort, testkit.Epoch().Add(-time.Minute)
	report, u := abortedRun(ctx, t, in)
	equal(t, "reasons", reasons(report), map[string]string{"a": "skipped the run was interrupted"})
	equal(t, "said", one.said, []string(nil))
	if len(u.Attempts)+len(u.Results) > 0 {
		t.Errorf("the journal says %v, %v", u.Attempts, u.Results)
	}
}

// A replace that has deleted and not created is neither done nor undone.
func TestAbortWithinAReplace(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	abort := make(chan struct{})
	gone, again := change("house", "a"), change("house", "a", "gone")
	gone.ID, gone.Action, gone.ResourceID, gone.Replace = "gone", plan.Delete, "1", true
	again.ID, again.Replace = "again", true
	calls := 0
	held := &holding{&toy{}, func(ctx context.Context) error {
		if calls++; calls == 1 {
			return nil
		}
		cancel()
		close(abort)
		<-ctx.Done()
		return unsent{ctx.Err()}
	}}
	in := by(toys(gone, again), map[string]execute.Driver{"house": held})
	in.Abort = abort
	report, u := abortedRun(ctx, t, in)
	equal(t, "reasons", reasons(report), map[string]string{"gone": "success ", "again": "aborted aborted: its outcome is unknown"})
	if left := u.Uncertain(); len(left) != 1 || left[0].ID != "again" {
		t.Errorf("the journal says %v", left)
	}
}

// A change of which the journal cannot say that it is about to be sent is not sent: it
// was not started, as all that comes after it.
func TestWhatTheJournalDoesNotKeepIsNotStarted(t *testing.T) {
	one := &toy{}
	in := by(toys(change("house", "a"), change("house", "b", "a")), map[string]execute.Driver{"house": one})
	in.Begin = func(*execute.Attempt) error { return errors.New("write journal: disk full") }
	report, err := execute.Run(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	const why = "skipped the run stopped: write journal: disk full"
	equal(t, "results", reasons(report), map[string]string{"a": why, "b": why})
	equal(t, "failed", report.Failed, 0)
	equal(t, "stopped", report.Stopped, "write journal: disk full")
	equal(t, "sent", len(one.said), 0)
}
