package engine

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kongctl/internal/plan/build"
	"kongctl/internal/plan/choose"

	"kongctl/internal/diag"
	"kongctl/internal/disk"
	"kongctl/internal/plan"
	"kongctl/internal/resource"
	"kongctl/internal/source"
)

// Walk is a configuration on its way to a plan: Link, Select, Read and Build are
// its steps. The engine adds what a command needs around them: locks, journals,
// decK's part; tests take the steps alone.
type Walk struct {
	Request PlanRequest
	Env     func(string) (string, bool) // what documents may read
	Sleep   func(context.Context, time.Duration) error
	// Now, Generator and Organization are written into the plan.
	Now          func() time.Time
	Generator    string
	Organization plan.Organization
	WorkDir      string // that paths of files start from

	Files *source.Result
	Set   *resource.Set
	Links *resource.Links
	Plan  *plan.Plan

	Konnect KonnectWalk
	gateway gatewayWalk
	filter  choose.Filter
	began   time.Time // when reading Konnect began
	diags   diag.List
}

// found adds findings; the walk ends at the first stage with an error.
func (w *Walk) found(list diag.List) error {
	w.diags = append(w.diags, list...)
	return w.diags.Err()
}

// Link makes resources of the documents and links them.
func (w *Walk) Link() diag.List {
	set, list := w.resources()
	links, more := resource.Link(set)
	w.Set, w.Links = set, links
	return append(list, more...)
}

// Read reads what exists.
func (w *Walk) Read(ctx context.Context) (diag.List, error) { return w.readKonnect(ctx) }

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
	for _, c := range w.Plan.Changes {
		if c.Source != nil {
			c.Source.File = w.rebase(c.Source.File)
		}
	}
	if w.Request.Seed {
		w.fill()
		return list, nil
	}
	return list, checkOwn(w.Plan, w.Konnect.Catalog)
}

func (w *Walk) input() build.Input {
	r := w.Request
	in := build.Input{
		Set: w.Set, Links: w.Links,
		Mode: r.Mode, Prune: r.Prune, AllowReplace: r.Scope.AllowReplace, AllowCascade: r.Scope.AllowCascade,
		AllowEmpty: r.Scope.AllowEmpty, MaxDeletes: r.MaxDeletes, WriteSecrets: r.Scope.WriteSecrets,
		Organization: w.Organization, Inputs: w.inputs(), Env: w.Env,
		Filter: w.filter, Attached: w.gateway.work, AllowPending: r.Scope.AllowPending,
		Now: w.Now(), Generator: w.Generator, Dir: w.dir(),
	}
	w.propose(&in)
	return in
}

// managed counts what is declared and ours.
func (w *Walk) managed() int {
	n := 0
	for _, r := range w.Set.Resources {
		if r.External == nil {
			n++
		}
	}
	return n
}

func (w *Walk) inputs() []plan.Input {
	var out []plan.Input
	for _, in := range w.Files.Inputs {
		out = append(out, plan.Input{File: w.rebase(in.File), SHA256: in.SHA256})
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
