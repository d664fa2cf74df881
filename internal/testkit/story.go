package testkit

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/event"
)

// Story says what happened, an event a line.
func Story(events []event.Event) []string {
	var out []string
	for _, e := range events {
		switch e := e.(type) {
		case event.RunStarted:
			out = append(out, fmt.Sprintf("run %d", e.Total))
		case event.ChangeStarted:
			out = append(out, "start "+e.Change.ID)
		case event.ChangeWaiting:
			out = append(out, "wait for "+e.Change.ID)
		case event.ChangeFinished:
			out = append(out, "done "+e.Change.ID)
		case event.ChangeFailed:
			out = append(out, "fail "+e.Change.ID)
		case event.ChangeSkipped:
			out = append(out, "skip "+e.Change.ID+": "+e.Reason)
		case event.Stopping: // it comes from another side, at any time
		case event.RunFinished:
			line := fmt.Sprintf("end %d applied, %d failed, %d skipped", e.Applied, e.Failed, e.Skipped)
			if e.Interrupted {
				line += ", interrupted"
			}
			out = append(out, line)
		default:
			out = append(out, fmt.Sprintf("%T", e))
		}
	}
	return out
}
