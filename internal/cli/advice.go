package cli

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/execute"
)

// advise says what is left to do by hand, and what to do next.
func (x *execution) advise(r *execute.Report) error {
	for _, d := range r.Detached {
		text := d.String()
		if err := x.say(strings.ToUpper(text[:1]) + text[1:] + " and is not attached again."); err != nil {
			return err
		}
	}
	again := "run the command again"
	if x.planFile != "" || x.continued != nil {
		again = "create a new plan"
	}
	if advice := nextStep(r, len(x.planned.Beside) > 0, resumeCommand(x.factory), again); advice != "" {
		return x.say(advice)
	}
	return nil
}

// nextStep says what to do about a run that did not finish, "" where the errors
// say it all.
// Beside says that the run needs values that nothing keeps; resume is the command
// that continues it, again what people do instead.
func nextStep(r *execute.Report, beside bool, resume, again string) string {
	switch {
	case r.Resumable && beside:
		return "Run the same command again: `kongctl resume` does not have the secrets that came from standard input."
	case r.Resumable && slices.ContainsFunc(r.Results, func(x *execute.Result) bool { return x.Unknown }):
		return "Run `" + resume + "` to check these changes and continue."
	case r.Resumable:
		return "Run `" + resume + "` to continue."
	case r.Again:
		return "Run the command again to continue: secrets that came from standard input are not kept."
	case slices.ContainsFunc(r.Results, func(x *execute.Result) bool { return x.Status == execute.Failed && engine.Futile(x.Err) }):
		text := "Konnect rejects what the failed changes send: fix what the errors say, then " + again + "."
		if r.Succeeded > 0 {
			text += " `kongctl resume` would send the same again."
		}
		return text
	}
	return ""
}
