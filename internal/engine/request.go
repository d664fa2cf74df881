package engine

import (
	"crypto/ed25519"
	"time"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

// What a sync deletes.
const (
	PruneFull     = resource.PruneFull
	PruneDeclared = resource.PruneDeclared
	PruneNone     = resource.PruneNone
)

// Sources say where a configuration is.
type Sources struct {
	Files     []string
	Dirs      []string
	Recursive bool
	BaseDir   string
	Exclude   []string
	// SaveDir is a folder that fetched URLs are kept in; "" keeps none.
	SaveDir string
}

// Check refuses patterns that would match nothing.
func (s Sources) Check() error {
	for _, pattern := range s.Exclude {
		if !source.ValidExclude(pattern) {
			return Usagef("invalid value %q for --exclude", pattern).WithHint("use a pattern in gitignore syntax, such as notes.yaml, drafts/ or '*.tmp.yaml'.")
		}
	}
	return nil
}

// Scope bounds what a plan may do.
type Scope struct {
	AllowReplace        []string
	AllowEmpty          []string
	AllowCascade        []string
	WriteSecrets        []string // of existing resources; * is all of them
	RequireNamespaces   []string
	RequireAnyNamespace bool
	// AllowPending lets what needs externals that are not there wait; CheckIDs
	// says which ids of externals must exist.
	AllowPending bool
	CheckIDs     resource.IDCheck
	// IncludeGateway lets a delete remove what decK owns.
	IncludeGateway bool
	// Gateway restricts a plan to decK's part.
	Gateway bool
	Filter  Filter
}

// Filter leaves parts of the configuration out of a plan, by patterns.
type Filter struct {
	Ignore, Isolate []string
	// IgnoreFiles hold a pattern of Ignore on each line.
	IgnoreFiles []string
}

// PlanRequest says what to compare, and how.
type PlanRequest struct {
	Sources Sources
	Scope   Scope
	Mode    plan.Mode
	// Dir is the folder that paths in the plan start from; "" is the current.
	Dir   string
	Prune string
	// MaxDeletes bounds the deletes; "" does not.
	MaxDeletes string
	// Adopt is what to take over, in a plan that does so.
	Adopt Adopt
	// KeepDeleted lets the plan hold what it deletes, so that it can be restored.
	KeepDeleted bool
	// Prompts says that somebody is asked before the plan is carried out, so it notes
	// the settings below what it deletes: they may change meanwhile.
	Prompts bool
	// Seed lets a state of an embedded Konnect be among the sources, and Region
	// says which part of it is meant.
	Seed   bool
	Region string
	// Targets take part though no document is theirs, by name.
	Targets []string
	// Documents are the configuration itself, in place of sources.
	Documents []source.Document
	// Whole are the resources of which an apply takes back what is not declared, by
	// addresses: kind and ref.
	Whole map[string]bool
	// Foreign is a plan of another program that is to be stated again, in place of a
	// configuration; ForeignFile names it for people.
	Foreign     *Planned
	ForeignFile string
}

// Planned is a plan with what is worth knowing about its making.
type Planned struct {
	Plan *plan.Plan
	// Broken is what rules of the user say against the plan.
	Broken diag.List
	// Compared is how many declared resources were compared with what exists,
	// Ignored how many a filter leaves out; both are 0 for a saved plan.
	Compared, Ignored int
	// Entities is how many parts of what is attached to resources were compared.
	Entities int
	Warnings diag.List
	// Adopted is the one resource that was named.
	Adopted *Adopted
	// Dir is the folder that paths in the plan start from.
	Dir string
	// Read is when Konnect was read for it; zero for a saved plan.
	Read time.Time
	// Bases are the folders that the plan's files may be read from.
	Bases []string
	// Regions are the others that a seed has something for.
	Regions []string
	// Beside are values that targets keep for the run of this plan in this
	// process, by their names. No document holds them.
	Beside map[string]any
	// Key signs the document of a new plan.
	Key ed25519.PrivateKey
	raw []byte // the document of a saved plan
	// set and files are what a new plan is made of.
	set   *resource.Set
	files *source.Result

	unsavable error
}

// FromFile reports whether the plan was read from its document.
func (p *Planned) FromFile() bool { return p.raw != nil }

// RunRequest is a plan to carry out.
type RunRequest struct {
	Planned *Planned
	// Seed says that the plan fills an embedded Konnect with a saved state.
	Seed bool
	// Saved plans may be of another place and time.
	Saved bool
	// SkipMoved leaves out what changed since the plan was made, instead of
	// refusing the plan.
	SkipMoved bool
	// GoOnAfterGateway lets a run continue when decK fails.
	GoOnAfterGateway bool
	// ShownOnce keeps secrets that are generated and shown once; nil drops them.
	ShownOnce func(execute.ShownOnce) error
	// Unfinished is the run to continue.
	Unfinished *execute.Unfinished
	// Checked is the last look at Konnect; nil when there was none.
	Checked *Checked
}
