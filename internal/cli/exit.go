package cli

import (
	"errors"
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/profile"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/terminal"
)

// The exit statuses.
const (
	exitDone        = 0
	exitFailed      = 1
	exitChanges     = 2
	exitAuth        = 3
	exitInvalid     = 4
	exitPartial     = 5
	exitMoved       = 6
	exitRefused     = 7
	exitUsage       = 64
	exitInterrupted = 130
	exitUnread      = 141 // what a shell says of a program that SIGPIPE ended
)

// errChanges is how --detailed-exitcode says that there are changes.
var errChanges = errors.New("there are changes")

// errDeclined is the answer no to the question whether to continue.
var errDeclined = errors.New("not approved: nothing was changed")

// usageError is a command line that cannot be carried out.
type usageError = engine.UsageError

func usagef(format string, args ...any) *usageError { return engine.Usagef(format, args...) }

// tokenError says that there is no token.
type tokenError struct {
	login string // the command that logs in; "" is for the one without flags
}

func (e tokenError) Error() string {
	if e.login == "" {
		e.login = "kongctl login"
	}
	return "no token: run `" + e.login + "`, or set --pat, the variable KONGCTL_KONNECT_PAT or konnect.pat in the profile (--local needs none)"
}

// blockedError says that guards refuse changes.
type blockedError struct {
	count int
	// planned reports that the plan was only made.
	planned bool
}

func (e *blockedError) Error() string {
	if e.planned {
		return plural(e.count, "change is", "changes are") + " blocked; the plan says why"
	}
	return plural(e.count, "change is", "changes are") + " blocked, and nothing was changed; the plan says why, and --skip-blocked carries out the rest"
}

// boundError says that a saved plan deletes more than is allowed where it is carried out.
type boundError struct{ why string }

func (e *boundError) Error() string {
	return "the " + e.why + "; nothing was changed: pass a wider bound, or create another plan"
}

// leftOutError is a run without the changes that guards refuse.
type leftOutError struct{ count int }

func (e *leftOutError) Error() string {
	return plural(e.count, "change was", "changes were") + " left out: guards refuse what the plan lists as blocked"
}

// incompleteError is a run that did not do all of it.
type incompleteError struct {
	done, failed, skipped, total int
	// leftOut counts the skipped ones that changed after the plan was created.
	leftOut int
	// inPart says that a failed change was carried out in part.
	inPart bool
	// finish is why a target could not finish after its changes.
	finish error
	causes []error
}

func (e *incompleteError) Error() string {
	text := fmt.Sprintf("%d of %s done, %d failed, %d skipped", e.done, plural(e.total, "change", "changes"), e.failed, e.skipped)
	if e.finish != nil {
		text += "; the run could not be finished"
	}
	return text
}

// Unwrap gives the causes where they speak for the whole run: drift and a token that
// is not accepted always do.
func (e *incompleteError) Unwrap() []error {
	if e.done == 0 && !e.inPart {
		return e.causes
	}
	var out []error
	for _, cause := range e.causes {
		var drifted *execute.MovedError
		if errors.As(cause, &drifted) || resource.TokenRefused(cause) {
			out = append(out, cause)
		}
	}
	return out
}

// partialPlanError is a plan made although parts of the world could not be read.
type partialPlanError struct {
	count int
	// executed reports that the rest of the plan was executed.
	executed bool
}

func (e *partialPlanError) Error() string {
	if e.executed {
		return "the plan was partial: its errors list what could not be planned; the rest was executed"
	}
	return "the plan is partial: its errors list what could not be planned; --allow-partial executes the rest"
}

// interruptedError is a run that was interrupted.
type interruptedError struct{ done, total int }

func (e *interruptedError) Error() string {
	if e.total == 0 {
		return "interrupted: nothing was changed"
	}
	return fmt.Sprintf("interrupted: %d of %s done", e.done, plural(e.total, "change", "changes"))
}

// exitCode is the one place where errors become exit statuses. Where several
// fit, the order here decides.
func exitCode(err error) int {
	var (
		interrupted *interruptedError
		blocked     *blockedError
		bound       *boundError
		policy      *policyError
		unfit       *engine.PlanError
		moved       *engine.MovedError
		drifted     *execute.MovedError
		input       *execute.InputError
		elsewhere   *execute.PlaceError
		invalid     *plan.InvalidError
		outside     *source.OutsideError
		incomplete  *incompleteError
		partial     *partialPlanError
		leftOut     *leftOutError
		wouldSkip   *driftLeftOutError
		unsettled   *unsettledError
		usage       *usageError
		unknown     *profile.UnknownProfileError
		unfitName   *profile.NameError
		diagnostics *diag.ListError
		linted      *lintError
		token       tokenError
	)
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, terminal.ErrUnread):
		return exitUnread
	case errors.As(err, &interrupted):
		return exitInterrupted
	case errors.As(err, &blocked), errors.As(err, &bound), errors.As(err, &policy), resource.Refused(err):
		return exitRefused
	case errors.As(err, &unfit), errors.As(err, &moved), errors.As(err, &drifted), errors.As(err, &input), errors.As(err, &elsewhere), errors.As(err, &invalid), errors.As(err, &outside):
		return exitMoved
	case errors.As(err, &partial), errors.As(err, &leftOut), errors.As(err, &wouldSkip), errors.Is(err, errUnread):
		return exitPartial
	case errors.As(err, &unsettled) && unsettled.done > 0:
		return exitPartial
	case errors.As(err, &incomplete) && (incomplete.done > 0 || incomplete.leftOut > 0 || incomplete.inPart):
		return exitPartial
	case errors.As(err, &usage), errors.As(err, &unknown), errors.As(err, &unfitName):
		return exitUsage
	case errors.As(err, &diagnostics), errors.As(err, &linted), engine.WrongFile(err), resource.Misconfigured(err):
		return exitInvalid
	case errors.As(err, &token), resource.Unauthorized(err):
		return exitAuth
	case errors.Is(err, errChanges), errors.Is(err, errDrift):
		return exitChanges
	default:
		return exitFailed
	}
}
