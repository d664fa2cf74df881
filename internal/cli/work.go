package cli

import (
	"context"
	"crypto/ed25519"
	"time"

	"kongctl/internal/diag"
	"kongctl/internal/event"
	"kongctl/internal/execute"
	"kongctl/internal/plan"
)

// engine is what the verbs need of all that stands below the command line.
type engine interface {
	// plan compares a configuration with what exists.
	plan(ctx context.Context, r planRequest) (*planned, error)
	// run carries a plan out.
	run(ctx context.Context, r runRequest) (*execute.Report, error)
	// check compares what a plan expects with what is there.
	check(ctx context.Context, r runRequest) (*checked, error)
	// retire discards the journals of older runs that a complete one covers.
	retire(ctx context.Context, done *plan.Plan, id string) ([]string, error)
	// inverse makes the plan that undoes another.
	inverse(ctx context.Context, r inverseRequest) (*planned, error)
	// drift tells how a configuration and what exists have grown apart.
	drift(ctx context.Context, r planRequest) (*drifted, error)
}

// engineOptions say which Konnect an engine works on and who listens.
type engineOptions struct {
	local bool
	sink  event.Sink
	// locks keep other runs off what this one changes; nil is for those that
	// change nothing.
	locks *locks
}

// planRequest says what to compare, and how.
type planRequest struct {
	sources sourceFlags
	scope   scopeFlags
	mode    plan.Mode
	// dir is the folder that paths in the plan start from; "" is the current.
	dir string
	// prune overrides the setting.
	prune string
	// adopt is what to take over, in a plan that does so.
	adopt adoptRequest
	// seed lets a state of an embedded Konnect be among the sources.
	seed bool
}

// planned is a plan with what is worth knowing about its making.
type planned struct {
	plan *plan.Plan
	// compared is the number of resources, 0 where it is not known.
	compared int
	warnings diag.List
	// dir is the folder that paths in the plan start from.
	dir string
	// read is when Konnect was read for it; zero for a saved plan.
	read time.Time
	// bases are the folders that the plan's files may be read from.
	bases []string
	// raw is the document of a saved plan; key signs that of a new one.
	raw []byte
	key ed25519.PrivateKey
}

// inverseRequest is a carried out plan to undo; report says, where there is one,
// what was carried out, by the ids of changes.
type inverseRequest struct {
	source *planned
	report map[string]*execute.Result
}

// runRequest is a plan to carry out.
type runRequest struct {
	plan *plan.Plan
	// document is the plan as it is written, with its seal.
	document []byte
	dir      string
	// bases are the folders that files may be read from.
	bases []string
	// seed says that the plan fills an embedded Konnect with a saved state.
	seed bool
	// saved plans may be of another place and time.
	saved bool
	// read is when Konnect was read for a plan that was not saved.
	read time.Time
	// onDrift says what to do when the world moved since then.
	onDrift string
	// goOnAfterDeck lets a run go on when decK fails.
	goOnAfterDeck bool
	// unfinished is the run to continue.
	unfinished *execute.Unfinished
	// checked is the last look at Konnect; nil when there was none.
	checked *checked
}
