package gateway

import (
	"fmt"
	"path/filepath"

	"github.com/kongctl/kongctl/internal/plan/build"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// modes are decK's modes by those of a plan.
var modes = map[plan.Mode]Mode{plan.ModeApply: Apply, plan.ModeSync: Sync, plan.ModeDelete: Delete}

// Place is where a plan stands, and what for.
type Place struct {
	Mode  plan.Mode
	Prune string
	// Dir is the folder of the plan; Rebase names a file from there.
	Dir    string
	Rebase func(file string) string
}

// Attachment is the work of a job as a plan holds it, without what it changes.
func (j *Job) Attachment(t *resource.Type, at Place) (*build.Attachment, error) {
	mode := modes[at.Mode]
	if mode == Sync && at.Prune == resource.PruneNone {
		mode = Apply // nothing is deleted
	}
	work := Work{
		Mode: mode, Variables: j.Variables(), SelectTags: j.Flags.SelectTags, SkipConsumers: j.Flags.SkipConsumers, Parallelism: j.Flags.Parallelism,
		Written: j.Flags.Written,
	}
	for _, f := range j.Files {
		work.Files = append(work.Files, at.Rebase(f.Name))
	}
	for _, name := range j.Listings {
		work.Listings = append(work.Listings, at.Rebase(name))
	}
	out := &build.Attachment{
		Type: t, On: j.ControlPlane, Makes: j.Services, Holds: j.Holds, Says: j.Says, Missing: j.missing, From: j.Name(),
		Call: plan.ExecutionContext{APIEndpoint: fmt.Sprintf("deck gateway %v", mode)},
		Pos:  plan.Source{File: j.Pos.File, Line: j.Pos.Line, Column: j.Pos.Column},
		Depends: func(s *resource.Resource) plan.Dependency {
			return plan.Dependency{File: at.Rebase(FileOf(s.External.Made).Name), Name: s.External.Made.Name}
		},
	}
	if len(j.Flags.SelectTags) == 0 {
		out.Unbounded = unbounded
	}
	if j.State.Kind() == value.Map {
		base, err := filepath.Rel(at.Dir, j.ControlPlane.Base)
		if err != nil {
			base = j.ControlPlane.Base
		}
		work.Inline = true
		work.State, out.Expressions, out.SecretWrites = stateOf(j.State, filepath.ToSlash(base))
	}
	var err error
	if out.Fields, err = work.Fields(); err != nil {
		return nil, fmt.Errorf("decK on %s: %w", j.ControlPlane.Ref, err)
	}
	return out, nil
}

// unbounded refuses a sync that no select tag bounds and that deletes: what the
// file does not know may be somebody else's.
func unbounded(deletes int, names string) (by, message string) {
	return "select-tags", fmt.Sprintf("No select tag bounds decK, and the control plane holds entities that its files do not know: %d would be deleted (%s). Add _info.select_tags to the file, or if that is meant, --allow-empty %s.", deletes, names, Kind)
}

// missing reports a service that is not there and that nothing makes.
func (j *Job) missing(s *resource.Resource, on string, leftOut, isolate bool) diag.Diagnostic {
	name := s.External.Made.Name
	why, fix := "no decK file of this run makes it", "correct the name of the service, or add it to the decK file."
	if leftOut && j.Holds(name) {
		why, fix = "decK's work, which makes it, is left out", "remove type:_deck from --ignore-refs, or run decK first."
		if isolate {
			fix = "add type:_deck to --isolate-refs, or run decK first."
		}
	}
	return diag.New(diag.DeckNoService, s.External.Made.Pos, fmt.Sprintf("The service %q is not found in the control plane %q, and %s.", name, on, why), fix)
}
