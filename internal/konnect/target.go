// Package konnect is the target Konnect: what the engine asks of it.
//
// In: documents, queries and plans of the engine, and a connection that is made
// when it is first needed. Out: resources, what exists, proposals, and the driver
// that carries changes out. It must never import another target or the engine.
package konnect

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/drive"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/plan/derive"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

// Name is what requests call the target.
const Name = "konnect"

// Config is what the target needs.
type Config struct {
	Catalog func() (*catalog.Catalog, error)
	// Open connects to Konnect.
	Open func(ctx context.Context) (remote.Target, error)
	// Organization returns the one that is connected to; nil is not asked.
	Organization func(ctx context.Context) (plan.Organization, error)
	// Where says it in words, for those who wait for it.
	Where func(ctx context.Context) (string, error)
	// Runs are those of this machine whose results a read may not show yet; nil
	// is no such object.
	Runs  func(ctx context.Context) ([]*execute.Unfinished, error)
	Env   func(string) (string, bool)
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// Target is Konnect.
type Target struct {
	Config
	organization plan.Organization
	snapshot     *live.Snapshot
	driver       *drive.Driver
	// fields are what configurations may hold; nil where the catalog cannot be
	// loaded.
	fields func() *language.Fields
	// declaring are the keys that declare something at the root of a document; none
	// where the catalog cannot be loaded.
	declaring func() map[string]bool
}

// New returns the target; nothing is read or called before it is asked for.
func New(c Config) *Target {
	return &Target{
		Config: c,
		fields: sync.OnceValue(func() *language.Fields {
			cat, err := c.Catalog()
			if err != nil {
				return nil // whoever needs it says why
			}
			return language.FieldsOf(cat)
		}),
		declaring: sync.OnceValue(func() map[string]bool {
			cat, err := c.Catalog()
			if err != nil {
				return nil // whoever needs it says why
			}
			return language.Declaring(cat)
		}),
	}
}

// Name is what requests call the target.
func (*Target) Name() string { return Name }

// Claim owns no documents: Konnect's are those that no target owns.
func (t *Target) Claim() source.Claim {
	return source.Claim{
		Shows: func(path []string) bool { f := t.fields(); return f != nil && f.Shows(path) },
		Hides: func(path []string) bool { f := t.fields(); return f == nil || f.Hides(path) },
		Knows: func(path []string) bool { f := t.fields(); return f != nil && f.Knows(path) },
	}
}

// Declares reports whether a key at the root of a document declares something.
func (t *Target) Declares(key string) bool { return t.declaring()[key] }

// Types are those of the catalog.
func (t *Target) Types() (*resource.Types, error) {
	cat, err := t.Catalog()
	if err != nil {
		return nil, err
	}
	return cat.Types(), nil
}

// Resources makes resources of documents.
func (t *Target) Resources(docs resource.Documents, into *resource.Set) (diag.List, error) {
	cat, err := t.Catalog()
	if err != nil {
		return nil, err
	}
	set, list := language.Build(cat, docs.List, language.Options{
		Env: docs.Env, Extensions: docs.Extensions, Skipped: docs.Skipped, Incomplete: docs.Incomplete,
		RequireNamespaces: docs.RequireNamespaces, RequireAnyNamespace: docs.RequireAnyNamespace,
	})
	into.Take(set)
	return list, nil
}

// CheckLinks reports lists of members that cannot be.
func (t *Target) CheckLinks(set *resource.Set, links *resource.Links) diag.List {
	return language.CheckSets(set, links)
}

// Read reads what a plan needs to know of Konnect.
func (t *Target) Read(ctx context.Context, q resource.Query) (resource.State, diag.List, error) {
	from, err := t.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	cat, err := t.Catalog()
	if err != nil {
		return nil, nil, err
	}
	var list diag.List
	group, gctx := errgroup.WithContext(ctx)
	group.Go(func() error { return t.locate(gctx) })
	group.Go(func() error {
		made, err := t.made(gctx, cat)
		if err != nil {
			return err
		}
		t.snapshot, list, err = live.Read(gctx, from, t.query(cat, q, made))
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	return t.snapshot, list, nil
}

// Find looks for the one resource that a name or an id stands for.
func (t *Target) Find(ctx context.Context, of *catalog.Bound, word string) (state resource.State, found []*resource.Object, err error) {
	from, err := t.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	group, gctx := errgroup.WithContext(ctx)
	group.Go(func() error { return t.locate(gctx) })
	group.Go(func() (err error) {
		t.snapshot, found, err = live.Find(gctx, from, of, word)
		return err
	})
	err = group.Wait()
	return t.snapshot, found, err
}

func (t *Target) locate(ctx context.Context) (err error) {
	if t.Organization != nil {
		t.organization, err = t.Organization(ctx)
	}
	return err
}

// Place names the organization.
func (t *Target) Place(ctx context.Context) (string, error) { return t.Where(ctx) }

// made lists what unfinished runs created, and others a moment ago, so that it is
// not created again.
func (t *Target) made(ctx context.Context, cat *catalog.Catalog) ([]live.Made, error) {
	if t.Runs == nil {
		return nil, nil
	}
	runs, err := t.Runs(ctx)
	if err != nil {
		return nil, err
	}
	deleted := map[string]bool{}
	var all, out []live.Made
	for _, u := range runs {
		for _, id := range u.Deleted() {
			deleted[id] = true
		}
		all = append(all, drive.Made(u, cat, t.Env, t.Now)...)
	}
	for _, m := range all {
		if !deleted[m.ID] {
			out = append(out, m)
		}
	}
	return out, nil
}

// query says what to read for a plan.
func (t *Target) query(cat *catalog.Catalog, in resource.Query, made []live.Made) live.Query {
	mode, set := plan.Mode(in.Mode), in.Set.Within(cat.Types())
	q := live.Query{
		Made: made, Sleep: t.Sleep,
		Catalog: cat, Set: set, Links: in.Links.Within(set),
		Sync: mode == plan.ModeSync, Prune: in.Prune,
		Below:        mode == plan.ModeDelete || len(in.AllowReplace) > 0,
		AllowPending: in.AllowPending, CheckIDs: in.CheckIDs,
		Lenient: mode == plan.ModeDelete || mode == plan.ModeAdopt,
		LeftOut: in.LeftOut, AttachedLeftOut: in.AttachedLeftOut, All: in.All,
	}
	switch mode {
	case plan.ModeDelete:
		q.Brief, q.Foreign = true, live.ForeignPassed
	case plan.ModeAdopt:
		q.Foreign = live.ForeignAdopted
	default:
	}
	if in.Overwrite {
		q.Foreign = live.ForeignSeized
	}
	return q
}

// Users finds what refers to what a plan deletes.
func (t *Target) Users(ctx context.Context, removed []resource.Removed) (*resource.Users, error) {
	from, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	cat, err := t.Catalog()
	if err != nil {
		return nil, err
	}
	return live.ReadUsers(ctx, from, cat, t.snapshot, removed)
}

// Bodies reads what deletes lose.
func (t *Target) Bodies(ctx context.Context, groups [][]resource.Part) ([][]resource.Part, error) {
	from, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	return live.ReadBodies(ctx, from, groups)
}

// Settings reads what exists once below what deletes lose.
func (t *Target) Settings(ctx context.Context, of []resource.Part) ([]resource.Part, error) {
	from, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	return live.ReadSettings(ctx, from, of)
}

// Describe says which organization a plan is for.
func (t *Target) Describe(m *plan.Metadata) { m.Organization = t.organization }

// Described reports whether a plan was made with Konnect.
func (*Target) Described(m plan.Metadata) bool { return m.Organization != (plan.Organization{}) }

// Proposer proposes the changes of all types.
func (*Target) Proposer() build.Proposer { return propose.Proposer{} }

// Rules are what changes may ask for.
func (*Target) Rules() plan.Rules { return propose.Rules{} }

// Undoer undoes changes.
func (*Target) Undoer() derive.Undoer { return propose.UndoerFor(nil) }

// Driver returns who carries changes out. One that only checks also looks for
// what runs created that lists may not show yet.
func (t *Target) Driver(ctx context.Context, in execute.Input) (execute.Driver, error) {
	to, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	cat, err := t.Catalog()
	if err != nil {
		return nil, err
	}
	c := drive.Config{Catalog: cat, Target: to, Now: t.Now, Sleep: t.Sleep}
	if in.CheckOnly {
		if c.Made, err = t.made(ctx, cat); err != nil {
			return nil, err
		}
	}
	t.driver = drive.New(c)
	return t.driver, nil
}

// Running is the driver of the run that is under way.
func (t *Target) Running(ctx context.Context, in execute.Input) (*drive.Driver, error) {
	if t.driver == nil {
		if _, err := t.Driver(ctx, in); err != nil {
			return nil, err
		}
	}
	return t.driver, nil
}
