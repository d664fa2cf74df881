package engine

import (
	"context"
	"fmt"
	"strings"

	"kongctl/internal/plan/build"
	"kongctl/internal/plan/guard"

	"kongctl/internal/diag"
	"kongctl/internal/gateway"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/export"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/language"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/propose"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
	"kongctl/internal/resource"
	"kongctl/internal/source"
	"kongctl/internal/value"
)

// KonnectWalk is Konnect's part of a walk.
type KonnectWalk struct {
	Catalog *catalog.Catalog
	// From is the Konnect to read.
	From remote.Target
	// Snapshot is what exists.
	Snapshot *live.Snapshot

	made     []live.Made     // by earlier runs
	adoption *build.Adoption // of a resource that is not declared
	state    *export.State   // of a seed that is one
}

// declares reports whether a key of a document declares resources.
func (w *Walk) declares(key string) bool { return language.Declares(w.Konnect.Catalog, key) }

// resources makes resources of the documents.
func (w *Walk) resources() (*resource.Set, diag.List) {
	set, list := language.Build(w.Konnect.Catalog, w.Files.Of(""), language.Options{
		Extensions:          []resource.Extension{gateway.Extension()},
		Env:                 w.Env,
		Skipped:             w.Files.Skipped,
		Incomplete:          w.Files.Incomplete,
		RequireNamespaces:   w.Request.Scope.RequireNamespaces,
		RequireAnyNamespace: w.Request.Scope.RequireAnyNamespace,
	})
	set.Types = Types(w.Konnect.Catalog)
	return set, list
}

// readKonnect reads what a plan needs to know of Konnect.
func (w *Walk) readKonnect(ctx context.Context) (list diag.List, err error) {
	if w.Request.Adopt.ByName() {
		return w.find(ctx)
	}
	w.Konnect.Snapshot, list, err = live.Read(ctx, w.Konnect.From, w.query())
	return list, err
}

// query says what to read for a plan.
func (w *Walk) query() live.Query {
	q := live.Query{
		Made: w.Konnect.made, Sleep: w.Sleep,
		Catalog: w.Konnect.Catalog, Set: w.Set, Links: w.Links,
		Sync: w.Request.Mode == plan.ModeSync, Prune: w.Request.Prune,
		Below: w.Request.Mode == plan.ModeDelete || len(w.Request.Scope.AllowReplace) > 0,
	}
	q.AllowPending, q.CheckIDs = w.Request.Scope.AllowPending, w.Request.Scope.CheckIDs
	q.Lenient = w.Request.Mode == plan.ModeDelete || w.Request.Mode == plan.ModeAdopt
	switch w.Request.Mode {
	case plan.ModeDelete:
		q.Brief, q.Foreign = true, live.ForeignPassed
	case plan.ModeAdopt:
		q.Foreign = live.ForeignAdopted
		if w.Request.Adopt.Overwrite {
			q.Foreign = live.ForeignSeized
		}
	case plan.ModeApply, plan.ModeSync:
	}
	if !w.filter.Empty() {
		q.AttachedLeftOut = w.filter.AttachedLeftOut(w.Set)
		q.LeftOut = w.filter.LeftOut(w.Set)
		q.All = w.filter.Wide(w.Set) || w.mayLose()
	}
	return q
}

// mayLose reports whether what is ignored may go with what it belongs to, so that
// all of it must be known.
func (w *Walk) mayLose() bool {
	return len(w.filter.Ignore) > 0 && (w.Request.Mode == plan.ModeDelete || len(w.Request.Scope.AllowReplace) > 0)
}

// propose adds what Konnect says to what a plan is made of.
func (w *Walk) propose(in *build.Input) {
	k := &w.Konnect
	in.Types, in.Proposer, in.Snapshot, in.Adopt = w.Set.Types, propose.For, k.Snapshot, k.adoption
	in.Guards = guard.All()
}

// users reads what refers to what a plan deletes.
func (w *Walk) users(ctx context.Context) func([]resource.Removed) (*resource.Users, error) {
	return func(removed []resource.Removed) (*resource.Users, error) {
		return live.ReadUsers(ctx, w.Konnect.From, w.Konnect.Catalog, w.Konnect.Snapshot, removed)
	}
}

// ownPlanError is a plan that kongctl made and would refuse to carry out: a
// defect of kongctl, found before anybody approves the plan.
type ownPlanError struct{ text string }

func (e *ownPlanError) Error() string {
	return "kongctl created a plan that it would refuse to carry out, and stopped; nothing was changed. " +
		"This is a defect of kongctl: please report it with this text\n" + e.text
}

// checkOwn holds a plan that was just made to what plan files are held to.
func checkOwn(p *plan.Plan, cat *catalog.Catalog) error {
	if err := validate(p, cat); err != nil {
		return &ownPlanError{err.Error()}
	}
	return nil
}

// loadNothing stands for a configuration where a resource is named.
func (w *Walk) loadNothing() error {
	w.Files = &source.Result{}
	w.Set = &resource.Set{Types: Types(w.Konnect.Catalog), Namespaces: []string{w.Request.Adopt.Namespace}}
	var list diag.List
	w.Links, list = resource.Link(w.Set)
	return w.found(list)
}

// find looks for the one resource that was named.
func (w *Walk) find(ctx context.Context) (diag.List, error) {
	a := w.Request.Adopt
	snap, found, err := live.Find(ctx, w.Konnect.From, a.Kind, a.Word)
	if err != nil {
		return nil, err
	}
	w.Konnect.Snapshot = snap
	what := catalog.Words(a.Kind.Kind)
	var list diag.List
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("adopt: there is no %s with the name or id %q", what, a.Word)
	case len(found) > 1:
		var ids []string
		for _, o := range found {
			ids = append(ids, "id "+o.ID)
		}
		list.Add(diag.LiveAmbiguous, value.Pos{}, fmt.Sprintf("Konnect holds %d resources with the name %q:\n%s", len(found), a.Word, strings.Join(ids, "\n")), "name the one you mean by its id.")
		return list, nil
	case a.Kind.SystemFlag != "" && found[0].Fields[a.Kind.SystemFlag] == true:
		return nil, fmt.Errorf("adopt: the %s %q is Konnect's own", what, a.Word)
	}
	o := found[0]
	if owner := catalog.Labels(o)[label.Namespace]; owner != "" && owner != a.Namespace && !a.Overwrite {
		list.Add(diag.LiveOtherSpace, value.Pos{}, fmt.Sprintf("The %s %q exists (id %s) and belongs to the namespace %s.", what, a.Word, o.ID, owner),
			fmt.Sprintf("leave it to its owner, or take it over: %s --overwrite-namespace", live.AdoptCommand(a.Kind, a.Word, a.Namespace)))
		return list, nil
	}
	w.Konnect.adoption = &build.Adoption{Type: a.Kind.Neutral(), Object: o, Namespace: a.Namespace}
	return nil, nil
}

// takeState takes what only a state says out of the documents of a seed.
func (w *Walk) takeState() error {
	docs, state, list := export.TakeState(w.Files.Documents)
	w.Files.Documents, w.Konnect.state = docs, state
	return w.found(list)
}

// fill makes of a plan one that fills an empty embedded Konnect: labels as a
// state has them, and siblings made in their order.
func (w *Walk) fill() {
	if w.Konnect.state != nil {
		w.Konnect.state.Restore(w.Konnect.Catalog, w.Plan, w.Env)
		return
	}
	export.KeepOrder(w.Konnect.Catalog, w.Plan)
}
