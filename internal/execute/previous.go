package execute

import (
	"time"

	"github.com/kongctl/kongctl/internal/graph"
	"github.com/kongctl/kongctl/internal/resource"
)

// Before is how far an earlier part of a run got with a change.
type Before struct {
	// Result is nil where none was recorded. Sent is when the change was last
	// sent and Ended when it ended; zero where that is not known.
	Result      *Result
	Sent, Ended time.Time
	uncertain   bool
}

// Succeeded reports whether the change was carried out.
func (b *Before) Succeeded() bool {
	return b != nil && b.Result != nil && b.Result.Status == Succeeded
}

// Uncertain reports whether the change was sent and its outcome is not known.
func (b *Before) Uncertain() bool { return b != nil && b.uncertain }

func (u *Unfinished) before(id string) *Before {
	if u == nil || u.Attempts[id] == nil && u.Results[id] == nil {
		return nil
	}
	out := &Before{Result: u.Results[id], Ended: u.Ended[id], uncertain: u.uncertain(id)}
	if a := u.Attempts[id]; a != nil {
		out.Sent = a.At
	}
	return out
}

// Calls lists the changes of a run as far as they are known: with the variables
// that are set here and the ids that were recorded. They are to be looked at and
// not to be carried out.
func (u *Unfinished) Calls(env func(string) (string, bool)) []*Call {
	b := newBook(&Input{Plan: u.Plan, Unfinished: u, Env: env, Dir: u.Dir, Bases: u.Bases})
	calls := b.look()
	for id, res := range u.Results {
		if res.Status == Succeeded {
			b.done[id] = &Outcome{Object: &resource.Object{ID: res.ResourceID}}
		}
	}
	return calls
}

// before counts the changes that an earlier part of the run carried out.
func (r *run) before() int {
	n := 0
	for _, c := range r.Plan.Changes {
		if r.book.doneBefore(c.ID) {
			n++
		}
	}
	return n
}

// keep takes over a change that an earlier part of the run carried out.
func (r *run) keep(w *work) graph.Outcome {
	if err := r.book.place(w.call); err != nil {
		r.failed(w.res, err)
		r.book.store(w.res, nil, nil)
		return graph.Failed
	}
	r.takeOver(w)
	return graph.Done
}

func (r *run) takeOver(w *work) {
	done := r.Done[w.call.Change.ID]
	w.res.Status, w.res.ResourceID, w.res.AlreadyDone = Succeeded, done.Object.ID, true
	r.book.store(w.res, done, w.call.Ancestors)
}
