package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/plan/derive"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

// Target is a system that resources live in. The engine asks the targets in the
// order in which they are registered; docs/adding-a-target.md shows how to write
// one. A method that needs the system itself connects when it is first called.
type Target interface {
	// Name is what requests and the metadata of plans call it.
	Name() string
	// Claim says which documents are its own, and which keys name files.
	Claim() source.Claim
	// Types are its resource types. No other target has them.
	Types() (*resource.Types, error)
	// Resources adds what its documents declare to the set, which holds what the
	// targets before it declared.
	Resources(docs resource.Documents, into *resource.Set) (diag.List, error)
	// Read reads what exists of its types; nil where it has none of its own.
	Read(ctx context.Context, q resource.Query) (resource.State, diag.List, error)
	// Proposer says how to bring its resources about, Rules what a plan may ask
	// for.
	Proposer() build.Proposer
	Rules() plan.Rules
	// Driver returns who carries the changes of its types out. It is called once
	// for every run or check of a plan that has such changes.
	Driver(ctx context.Context, in execute.Input) (execute.Driver, error)
}

// A target may implement these, too.
type (
	// Declarer knows keys that declare something at the root of documents that no
	// target owns.
	Declarer interface{ Declares(key string) bool }
	// LinkChecker refuses what only the links between resources show.
	LinkChecker interface {
		CheckLinks(set *resource.Set, links *resource.Links) diag.List
	}
	// Extender adds to the language of other targets.
	Extender interface{ Extension() resource.Extension }
	// Attacher attaches work to resources of other targets. Attach finds it in
	// the configuration, Attachments what it changes once all have been read.
	Attacher interface {
		Attach(q resource.Query, env func(string) (string, bool)) diag.List
		Attachments(ctx context.Context, q resource.Query, values execute.Values) ([]*build.Attachment, diag.List, error)
	}
	// Placed says what one run must keep others off, besides the namespaces: the
	// organization, the cluster, the folder.
	Placed interface {
		Place(ctx context.Context) (words string, err error)
	}
	// UserReader finds what refers to what a plan deletes.
	UserReader interface {
		Users(ctx context.Context, removed []resource.Removed) (*resource.Users, error)
	}
	// BodyReader reads what deletes lose, in groups: of every part of a group all
	// fields, and what there is once below it. What is gone has no object, what it
	// cannot read no fields.
	BodyReader interface {
		Bodies(ctx context.Context, groups [][]resource.Part) ([][]resource.Part, error)
	}
	// SettingsReader reads what exists once below resources, settings and orders. What
	// it cannot read has no fields.
	SettingsReader interface {
		Settings(ctx context.Context, of []resource.Part) ([]resource.Part, error)
	}
	// Describer adds to the metadata of a plan: where it may be carried out. The
	// target's driver compares that in Prepare. Described reports whether a plan
	// was made with the target.
	Describer interface {
		Describe(m *plan.Metadata)
		Described(m plan.Metadata) bool
	}
	// Keeper returns what travels beside a plan as long as the process runs: the
	// driver finds it in Input.Beside.
	Keeper interface{ Beside() any }
	// Saver says why a plan would be of no use when it is carried out later; nil
	// where it is.
	Saver interface{ MaySave(p *plan.Plan) error }
	// Superseder says whether a plan that was carried out leaves nothing to do of an
	// older one, by what the target wrote into the metadata of both.
	Superseder interface {
		Supersedes(done, older plan.Metadata) bool
	}
	// Settler waits until what a plan leaves alone is ready, too.
	Settler interface {
		Settle(ctx context.Context, p *plan.Plan) error
	}
	// Hider returns fields of a resource without what is secret, for plans that may hold
	// it: one of another program, or one that somebody wrote by hand.
	Hider interface {
		Hide(kind string, fields map[string]any, foreign bool) map[string]any
	}
	// Undoing targets can undo their changes.
	Undoing interface{ Undoer() derive.Undoer }
)

// registry holds the targets in order.
type registry struct {
	all []Target

	once  sync.Once
	types *resource.Types
	own   []*resource.Types // of each target
	err   error
}

// of is the target that has a kind; nil where none has.
func (r *registry) of(kind string) Target {
	for i, types := range r.own {
		if types.Kind(kind) != nil {
			return r.all[i]
		}
	}
	return nil
}

// named is the target with a name, or nil.
func (r *registry) named(name string) Target {
	for _, t := range r.all {
		if t.Name() == name {
			return t
		}
	}
	return nil
}

// load asks the targets for their types.
func (r *registry) load() error {
	r.once.Do(func() {
		for _, t := range r.all {
			types, err := t.Types()
			if err != nil {
				r.err = err
				return
			}
			for _, x := range types.All() {
				if other := r.of(x.Kind); other != nil {
					r.err = fmt.Errorf("the targets %s and %s both have the type %s", other.Name(), t.Name(), x.Kind)
					return
				}
			}
			r.own = append(r.own, types)
			if r.types != nil {
				types = r.types.With(types)
			}
			r.types = types
		}
	})
	return r.err
}

// proposer is the one of a type's target.
func (r *registry) proposer(t *resource.Type) build.Proposer { return r.of(t.Kind).Proposer() }

// rules are those of a type's target.
func (r *registry) rules(t *resource.Type) plan.Rules { return r.of(t.Kind).Rules() }

// undoer is the one of a type's target; nil where it undoes nothing.
func (r *registry) undoer(t *resource.Type) derive.Undoer {
	if u, ok := r.of(t.Kind).(Undoing); ok {
		return u.Undoer()
	}
	return nil
}

// validate refuses a plan that asks for what its kind does not allow.
func (r *registry) validate(p *plan.Plan) error {
	if err := r.load(); err != nil {
		return err
	}
	p.Mark(r.types)
	return plan.Validate(p, r.types, r.rules)
}

// checkOwn holds a plan that was just made to what plan files are held to.
func (r *registry) checkOwn(p *plan.Plan) error {
	if err := r.validate(p); err != nil {
		return &ownPlanError{err.Error()}
	}
	return nil
}

// ownPlanError is a plan that kongctl made and would refuse to carry out: a
// defect of kongctl, found before anybody approves the plan.
type ownPlanError struct{ text string }

func (e *ownPlanError) Error() string {
	return "kongctl created a plan that it would refuse to carry out, and stopped; nothing was changed. " +
		"This is a defect of kongctl: please report it with this text\n" + e.text
}

// claims are what the targets say about documents.
func (r *registry) claims() []source.Claim {
	var out []source.Claim
	for _, t := range r.all {
		out = append(out, t.Claim())
	}
	return out
}

// declares reports whether a key at the root of a document that no target owns
// declares something.
func (r *registry) declares(key string) bool {
	return slices.ContainsFunc(r.all, func(t Target) bool {
		d, ok := t.(Declarer)
		return ok && d.Declares(key)
	})
}

// involved are the targets that a plan was made with or has changes for.
func (r *registry) involved(p *plan.Plan) []Target {
	var out []Target
	for _, t := range r.all {
		d, ok := t.(Describer)
		if ok && d.Described(p.Metadata) || slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return r.of(c.ResourceType) == t }) {
			out = append(out, t)
		}
	}
	return out
}

// drivers returns who carries out the changes of a type.
func (r *registry) drivers(ctx context.Context, in execute.Input) (func(kind string) execute.Driver, error) {
	if err := r.load(); err != nil {
		return nil, err
	}
	by := map[Target]execute.Driver{}
	for _, t := range r.involved(in.Plan) {
		d, err := t.Driver(ctx, in)
		if err != nil {
			return nil, err
		}
		by[t] = d
	}
	return func(kind string) execute.Driver { return by[r.of(kind)] }, nil
}
