package laws

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// exported is the embedded Konnect as a configuration. A warning that something
// does not come back fails the law.
func exported(t *testing.T, w *world, o export.WriteOptions) string {
	t.Helper()
	text, _ := exportedWith(t, w, o)
	return text
}

// exportedWith is the same, with the warnings.
func exportedWith(t *testing.T, w *world, o export.WriteOptions) (string, diag.List) {
	t.Helper()
	out := exportOf(t, w, export.Options{Children: true}, o)
	for _, d := range out.Warnings {
		switch d.Code {
		case diag.ExpSecret, diag.ExpUnread:
		default:
			t.Errorf("%s", d)
		}
	}
	if out.Resources == 0 || len(out.Files) != 1 {
		t.Fatalf("%d resources in %d files", out.Resources, len(out.Files))
	}
	return string(out.Files[0].Data), out.Warnings
}

func exportOf(t *testing.T, w *world, what export.Options, o export.WriteOptions) *export.Output {
	t.Helper()
	snap, err := export.Read(context.Background(), w.target, w.cat, what)
	if err != nil {
		t.Fatal(err)
	}
	out, err := export.Write(snap, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestExportThenPlanIsEmpty(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		s.samples()
		s.w.run(s.w.plan(s.text(), plan.ModeApply))
		for _, o := range []export.WriteOptions{{}, {SkipDefaults: true}} {
			text := exported(t, s.w, o)
			if up := s.t.Parent; up != nil && up.ReadOnly && up.Parent == nil && !strings.Contains(text, " "+s.t.Key+":\n") {
				t.Errorf("what is below the %s is not in the export:\n%s", up.Kind, text)
			}
			loadsQuietly(t, s.w, text)
			s.w.settled(text, plan.ModeSync)
		}
		partsAreQuiet(t, s)
		stateComesBack(t, s)
	})
}

// partsAreQuiet plans syncs of exports that leave something out: the children, all
// other types, all but one of a list. None of them deletes what is left out.
func partsAreQuiet(t *testing.T, s *scene) {
	t.Helper()
	root := s.t
	for root.Parent != nil {
		root = root.Parent
	}
	of := []string{root.Kind}
	all, err := export.Read(context.Background(), s.w.target, s.w.cat, export.Options{Resources: of})
	if err != nil {
		t.Fatal(err)
	}
	if root.ReadOnly || len(all.Roots) == 0 {
		return // an export without children has none of these
	}
	for _, what := range []export.Options{
		{}, {Resources: of}, {Resources: of, Children: true}, {Resources: of, Filters: []export.Filter{{ID: all.Roots[0].Object.ID}}},
	} {
		for _, o := range []export.WriteOptions{{ByID: true}, {SkipDefaults: true}} {
			s.w.settled(string(exportOf(t, s.w, what, o).Files[0].Data), plan.ModeSync)
		}
	}
}

// loadsQuietly fails when an export, loaded again, gets any diagnostic: what Konnect
// has is no mistake of the person who exports it. The one exception is a provider of
// the older form that is in use: Konnect keeps it apart from identity_providers, so
// leaving it out of the file would switch it off.
func loadsQuietly(t *testing.T, w *world, text string, own ...string) {
	t.Helper()
	lines := strings.Split(text, "\n")
	for _, d := range w.try(text) {
		if slices.ContainsFunc(own, func(key string) bool { return strings.Contains(d.Detail, " has no field "+key+" that is known, in ") }) {
			continue
		}
		_, used, scalar := strings.Cut(lines[d.Pos.Line-1], ": ")
		if d.Code == diag.CfgOlder && (!scalar || used != "false" && used != `""`) {
			continue
		}
		t.Errorf("the export does not load without a word: %s\n%s", d, text)
	}
}

// stateComesBack fills a new embedded Konnect with the state of one; the two
// then export the same.
func stateComesBack(t *testing.T, s *scene) {
	t.Helper()
	state := exported(t, s.w, export.WriteOptions{State: true})
	fresh := newWorld(t)
	files, diags := source.Load(context.Background(), source.Options{Files: []string{"-"}, Stdin: strings.NewReader(state), WorkDir: t.TempDir()})
	docs, taken, more := export.TakeState(files.Documents, "")
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	walk := fresh.walkOf(&source.Result{Documents: docs})
	if diags, err := walk.Link(); err != nil || diags.HasErrors() {
		t.Fatal(err, diags.Err())
	}
	walk.Request.Mode = plan.ModeApply
	walk.Request.Scope.CheckIDs = resource.CheckNoIDs // what a state refers to need not be in it
	fresh.build(walk)
	p := walk.Plan
	fresh.seed = true
	taken.Restore(fresh.cat, p, func(string) (string, bool) { return "", false })
	fresh.run(p)
	if diff := cmp.Diff(state, exported(t, fresh, export.WriteOptions{State: true})); diff != "" {
		t.Errorf("the state did not come back (-was +is):\n%s", diff)
	}
}

// The secrets that Konnect holds are in no export, and each of them is named: a
// placeholder stands for it, or a warning says that it may be missing.
func TestExportShowsNoSecret(t *testing.T) {
	var secrets atomic.Int64
	afterAll(t, func() {
		if secrets.Load() == 0 {
			t.Error("no type has a secret: the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		held := map[string]int{}
		for _, f := range allSecretFeatures(s.t) {
			if s.uncovered(f) != "" {
				continue
			}
			s.sampleOf(f)
			secrets.Add(1)
			for _, at := range withoutSecrets(value.Clone(s.last), nil) {
				held[at.String()]++
			}
		}
		if len(s.lists) == 0 {
			return
		}
		s.w.run(s.w.plan(s.text(), plan.ModeSync))
		text, warnings := exportedWith(t, s.w, export.WriteOptions{})
		if strings.Contains(text, canary) {
			t.Error("the export shows a secret")
		}
		loadsQuietly(t, s.w, text)
		s.w.settled(text, plan.ModeSync)
		for at, n := range held {
			if s.t.Parent == nil && s.t.Shape == catalog.Singleton {
				n = 1 // all samples are one resource
			}
			named := 0
			for _, d := range warnings {
				// Of a list that Konnect returns, each item is named.
				detail := strings.Replace(d.Detail, at+"[0] of the ", at+" of the ", 1)
				if d.Code == diag.ExpSecret && strings.Contains(detail, "the secret "+at+" of the "+catalog.Words(s.t.Kind)) {
					named++
				}
			}
			if named < n {
				t.Errorf("%s: %d resources have the secret %s, and the export names %d of them", s.t.Kind, n, at, named)
			}
		}
	})
}
