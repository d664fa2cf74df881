package execute

import (
	"errors"
	"slices"
)

// Finish says that a driver has finished: its resource types.
type Finish struct {
	ResourceTypes []string `json:"resource_types"`
}

// finish lets the drivers finish, unless the run stopped: then resume does it.
func (r *run) finish(report *Report) {
	stopped := report.Interrupted || r.halted != "" || r.stopped != nil
	var problems []error
	for _, d := range r.book.drivers {
		driver, ok := d.(Finisher)
		switch {
		case !ok || r.finished(d):
		case stopped:
			report.FinishLeft = true
		default:
			err := driver.Finish(r.aborting, report)
			if err == nil && r.Finished != nil {
				err = r.Finished(&Finish{ResourceTypes: r.book.kinds(d)})
			}
			problems = append(problems, err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		report.FinishErr, report.FinishError = err, err.Error()
	}
}

// finished reports whether an earlier part of the run finished a driver, and
// nothing was left to do for it.
func (r *run) finished(d Driver) bool {
	if r.Unfinished == nil || slices.ContainsFunc(r.book.driven[d], func(c *Call) bool { return !r.book.doneBefore(c.Change.ID) }) {
		return false
	}
	return !slices.ContainsFunc(r.book.kinds(d), func(kind string) bool { return !r.Unfinished.Finished[kind] })
}
