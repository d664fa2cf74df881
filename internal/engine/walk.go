package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/plan/choose"
	"github.com/kongctl/kongctl/internal/plan/guard"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

// Walk is a configuration on its way to a plan: Link, Select, Read and Build are
// its steps. The engine adds what a command needs around them: locks, journals,
// attached work; tests take the steps alone.
type Walk struct {
	Request PlanRequest
	Targets []Target
	Env     func(string) (string, bool) // what documents may read
	// Now and Generator are written into the plan.
	Now       func() time.Time
	Generator string
	WorkDir   string // that paths of files start from

	Files *source.Result
	Set   *resource.Set
	Links *resource.Links
	// State is what exists, of the targets that take part.
	State resource.State
	Plan  *plan.Plan

	registry *registry
	attached []*build.Attachment
	adoption *build.Adoption // of a resource that is not declared
	seed     *seed           // that is a state
	filter   choose.Filter
	began    time.Time // when reading began
	diags    diag.List
}

// found adds findings; the walk ends at the first stage with an error.
func (w *Walk) found(list diag.List) error {
	w.diags = append(w.diags, list...)
	return w.diags.Err()
}

// targets are those of the walk, with their types.
func (w *Walk) targets() (*registry, error) {
	if w.registry == nil {
		w.registry = &registry{all: w.Targets}
	}
	return w.registry, w.registry.load()
}

// Link makes resources of the documents and links them.
func (w *Walk) Link() (diag.List, error) {
	targets, err := w.targets()
	if err != nil {
		return nil, err
	}
	w.Set = &resource.Set{Types: targets.types}
	docs := resource.Documents{
		Env: w.Env, Skipped: w.Files.Skipped, Incomplete: w.Files.Incomplete,
		RequireNamespaces: w.Request.Scope.RequireNamespaces, RequireAnyNamespace: w.Request.Scope.RequireAnyNamespace,
	}
	for _, t := range targets.all {
		if x, ok := t.(Extender); ok {
			docs.Extensions = append(docs.Extensions, x.Extension())
		}
	}
	var list diag.List
	for _, t := range targets.all {
		docs.List, docs.Named = w.Files.Of(t.Claim().Name), slices.Contains(w.Request.Targets, t.Name())
		if w.Request.Mode == plan.ModeLive && !docs.Named {
			list = append(list, notLive(docs.List)...)
			continue
		}
		more, err := t.Resources(docs, w.Set)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	for _, r := range w.Set.Resources {
		r.Whole = w.Request.Whole[r.Address()]
	}
	links, more := resource.Link(w.Set)
	w.Links = links
	for _, t := range targets.all {
		if x, ok := t.(LinkChecker); ok {
			more = append(more, x.CheckLinks(w.Set, links)...)
		}
	}
	return slices.Concat(list, oncePerPlace(list, more), w.readLater(targets)), nil
}

// oncePerPlace leaves out that a reference does not fit where a target refuses any
// reference.
func oncePerPlace(list, more diag.List) diag.List {
	return slices.DeleteFunc(more, func(d diag.Diagnostic) bool {
		return d.Code == diag.RefValue && slices.ContainsFunc(list, func(x diag.Diagnostic) bool { return x.Pos == d.Pos })
	})
}

// notLive reports documents of targets that a live verb does not work on.
func notLive(docs []source.Document) diag.List {
	var list diag.List
	for _, d := range docs {
		list.Add(diag.KubeNotHere, d.Root.Pos(), "The live verbs apply Kubernetes objects alone, and this document is not a Kubernetes object.", "use kongctl sync, which applies both, or leave the file out with --exclude "+d.Root.Pos().File+".")
	}
	return list
}

// readLater reports resources that are known by a value of a target that is read
// after their own.
func (w *Walk) readLater(targets *registry) diag.List {
	var list diag.List
	place := func(r *resource.Resource) int { return slices.Index(targets.all, targets.of(r.Type.Kind)) }
	for _, r := range w.Set.Resources {
		for _, e := range w.Links.From(r) {
			if r.Type.IsIdentity(e.Path.Generic()) && place(e.Target) > place(r) {
				list.Add(diag.RefField, r.Fields.Nearest(e.Path), fmt.Sprintf("The %s is known by its %s, which cannot come from the %s.", r.Describe(), e.Path, e.Target.Describe()), "write the value itself.")
			}
		}
	}
	return list
}

// parts are the targets that take part: those that have documents or that the
// request names. Without any, the first does.
func (w *Walk) parts() []Target {
	var out []Target
	for _, t := range w.registry.all {
		if len(w.Files.Of(t.Claim().Name)) > 0 && w.Request.Mode != plan.ModeLive || slices.Contains(w.Request.Targets, t.Name()) {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return w.registry.all[:1]
	}
	return out
}

// query says what a plan needs to know.
func (w *Walk) query() resource.Query {
	r := w.Request
	q := resource.Query{
		Set: w.Set, Links: w.Links, Before: w.State, Mode: string(r.Mode), Prune: r.Prune,
		AllowReplace: r.Scope.AllowReplace, AllowPending: r.Scope.AllowPending, CheckIDs: r.Scope.CheckIDs,
		Overwrite: r.Adopt.Overwrite, DeleteAttached: r.Scope.IncludeGateway,
		Dir: w.dir(), Rebase: w.rebase, Env: w.Env,
	}
	if r.Seed { // what a state refers to need not be in it
		q.CheckIDs = resource.CheckNoIDs
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

// Read reads what exists.
func (w *Walk) Read(ctx context.Context) (diag.List, error) {
	if _, err := w.targets(); err != nil {
		return nil, err
	}
	var list diag.List
	var read []resource.TargetState
	for _, t := range w.parts() {
		state, more, err := t.Read(ctx, w.query())
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
		if state == nil {
			continue
		}
		types, err := t.Types()
		if err != nil {
			return nil, err
		}
		read = append(read, resource.TargetState{Types: types, State: state})
		w.State = resource.Join(read...)
	}
	return list, nil
}

// attach asks the targets that attach work what it changes.
func (w *Walk) attach(ctx context.Context) error {
	values := execute.Input{Env: w.Env, Dir: w.dir(), Bases: w.bases()}.Values()
	values.Inputs = w.inputs()
	for _, t := range w.registry.all {
		a, ok := t.(Attacher)
		if !ok {
			continue
		}
		work, list, err := a.Attachments(ctx, w.query(), values)
		if err != nil {
			return err
		}
		if err := w.found(list); err != nil {
			return err
		}
		w.attached = append(w.attached, work...)
	}
	return nil
}

// Build makes the plan.
func (w *Walk) Build(ctx context.Context) (diag.List, error) {
	built, list, err := build.With(w.input(), w.users(ctx))
	if err != nil {
		return nil, err
	}
	w.Plan = built
	if list.HasErrors() {
		return list, nil
	}
	w.describe(&w.Plan.Metadata)
	for _, c := range w.Plan.Changes {
		if c.Source != nil {
			c.Source.File = w.rebase(c.Source.File)
		}
	}
	if w.Request.Seed {
		return list, w.fill()
	}
	return list, w.registry.checkOwn(w.Plan)
}

// Drift compares without a plan.
func (w *Walk) Drift() (*plan.Drift, diag.List) { return build.FindDrift(w.input()) }

// describe lets the targets that take part say where it is.
func (w *Walk) describe(m *plan.Metadata) {
	for _, t := range w.parts() {
		if d, ok := t.(Describer); ok {
			d.Describe(m)
		}
	}
}

// users reads what refers to what a plan deletes.
func (w *Walk) users(ctx context.Context) func([]resource.Removed) (*resource.Users, error) {
	return func(removed []resource.Removed) (*resource.Users, error) {
		out := &resource.Users{Refer: map[resource.Removed][]resource.User{}, Failed: map[string]error{}}
		for _, t := range w.parts() {
			u, ok := t.(UserReader)
			if !ok {
				continue
			}
			found, err := u.Users(ctx, removed)
			if err != nil {
				return nil, err
			}
			out.Add(found)
		}
		return out, nil
	}
}

// beside is what the targets keep beside the plan.
func (w *Walk) beside() map[string]any {
	out := map[string]any{}
	for _, t := range w.parts() {
		if k, ok := t.(Keeper); ok {
			if kept := k.Beside(); kept != nil {
				out[t.Name()] = kept
			}
		}
	}
	return out
}

// unsavable is why the plan must be carried out by this process; nil where it
// need not.
func (w *Walk) unsavable() error {
	var errs []error
	for _, t := range w.parts() {
		if s, ok := t.(Saver); ok {
			errs = append(errs, s.MaySave(w.Plan))
		}
	}
	return errors.Join(errs...)
}

func (w *Walk) input() build.Input {
	r := w.Request
	return build.Input{
		Types: w.Set.Types, Proposer: w.registry.proposer, Snapshot: w.State, Adopt: w.adoption, Guards: guard.All(),
		Set: w.Set, Links: w.Links,
		Mode: r.Mode, Prune: r.Prune, AllowReplace: present(w.Set.Types, r.Scope.AllowReplace), AllowCascade: present(w.Set.Types, r.Scope.AllowCascade),
		AllowEmpty: emptied(w.Set.Types, r.Scope.AllowEmpty), MaxDeletes: r.MaxDeletes, WriteSecrets: present(w.Set.Types, r.Scope.WriteSecrets),
		Inputs: w.inputs(), Env: w.Env,
		Filter: w.filter, Attached: w.attached, AllowPending: r.Scope.AllowPending,
		Now: w.Now(), Generator: w.Generator, Dir: w.dir(),
	}
}

func (w *Walk) inputs() []plan.Input {
	bases := map[string]string{}
	for _, d := range w.Files.Documents {
		if rel, err := filepath.Rel(w.dir(), d.Base); err == nil {
			bases[d.File] = filepath.ToSlash(rel)
		}
	}
	var out []plan.Input
	for _, in := range w.Files.Inputs {
		out = append(out, plan.Input{File: w.rebase(in.File), SHA256: in.SHA256, Base: bases[in.File]})
	}
	return out
}

// bases are the folders that the documents may read files from.
func (w *Walk) bases() []string {
	var out []string
	for _, d := range w.Files.Documents {
		if !slices.Contains(out, d.Base) {
			out = append(out, d.Base)
		}
	}
	return out
}

// dir is the folder that paths in the plan start from.
func (w *Walk) dir() string {
	if w.Request.Dir == "" {
		return disk.Real(w.WorkDir)
	}
	return disk.Real(w.Request.Dir)
}

// rebase names a file, known by its way from the current folder, by its way
// from the plan's.
func (w *Walk) rebase(file string) string {
	if w.Request.Dir == "" || file == "-" || strings.Contains(file, "://") || filepath.IsAbs(file) {
		return file
	}
	rel, err := filepath.Rel(w.dir(), filepath.Join(disk.Real(w.WorkDir), filepath.FromSlash(file)))
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}
