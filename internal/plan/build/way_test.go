package build_test

import (
	"context"
	"errors"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/plan/choose"
	"github.com/kongctl/kongctl/internal/plan/guard"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// way is how a test wants a plan made, beyond what Ask says.
type way struct {
	mode    plan.Mode
	filter  choose.Filter
	foreign live.Foreign
	all     bool
	replace []string
	// unread is a kind that cannot be read.
	unread string
	// withheld says that the token may not read it.
	withheld bool
	// pending lets what needs externals that are not there wait.
	pending bool
}

// unreadable is a target that does not list one kind.
type unreadable struct {
	remote.Target
	kind string
	kept bool
}

// keptError is an answer to a token that may not read something.
type keptError struct{}

func (keptError) Error() string  { return "403" }
func (keptError) Withheld() bool { return true }

// List refuses the kind.
func (u unreadable) List(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	if s.Type.Kind == u.kind {
		if u.kept {
			return nil, keptError{}
		}
		return nil, errors.New("not today")
	}
	return u.Target.List(ctx, s)
}

// input reads what a plan is made of.
func input(t *testing.T, w *testkit.World, text string, how way) (build.Input, diag.List) {
	t.Helper()
	l := w.Load(text)
	snap, diags, err := live.Read(t.Context(), unreadable{w.Target, how.unread, how.withheld}, live.Query{
		Catalog: w.Catalog, Set: l.Set, Links: l.Links, Sync: how.mode == plan.ModeSync, Prune: resource.PruneFull,
		All: how.all || how.filter.Wide(l.Set), Brief: how.mode == plan.ModeDelete, Below: how.mode == plan.ModeDelete, Foreign: how.foreign, LeftOut: how.filter.LeftOut(l.Set), AllowPending: how.pending,
	})
	if err != nil {
		t.Fatal(err)
	}
	return build.Input{
		Types: w.Catalog.Types(), Guards: guard.All(), Proposer: propose.For, Set: l.Set, Links: l.Links, Snapshot: snap, Mode: how.mode, Prune: resource.PruneFull,
		AllowReplace: how.replace, AllowEmpty: []string{"*"}, AllowPending: how.pending, Filter: how.filter, Env: w.LookupEnv, Now: testkit.Epoch(), Generator: "kongctl test", Dir: w.Dir,
	}, diags
}

// planned makes a plan; what stands in its way is returned.
func planned(t *testing.T, w *testkit.World, text string, how way) (*plan.Plan, diag.List) {
	t.Helper()
	in, diags := input(t, w, text, how)
	p, more, err := build.With(in, func(removed []resource.Removed) (*resource.Users, error) {
		return live.ReadUsers(t.Context(), unreadable{w.Target, how.unread, how.withheld}, w.Catalog, in.Snapshot.(*live.Snapshot), removed)
	})
	if err != nil {
		t.Fatal(err)
	}
	return p, append(diags, more...)
}

func patterns(texts ...string) []choose.Pattern {
	var out []choose.Pattern
	for _, s := range texts {
		out = append(out, choose.Pattern{Text: s})
	}
	return out
}

func codes(list diag.List) []diag.Code {
	var out []diag.Code
	for _, d := range list {
		out = append(out, d.Code)
	}
	return out
}
