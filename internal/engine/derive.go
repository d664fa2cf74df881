package engine

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/derive"
)

// InverseRequest is a executed plan to undo; Report says, where there is one,
// what was carried out, by the ids of changes.
type InverseRequest struct {
	Source *Planned
	Report map[string]*execute.Result
	// AllowReplace are the refs of resources that may be replaced once more.
	AllowReplace []string
}

// LoadInto reads a plan and makes its paths start from another folder, "" being
// the current one.
func (h Host) LoadInto(file, dir string, verify func() (ed25519.PublicKey, error)) (*Planned, error) {
	p, err := h.Load(file, verify)
	if err != nil {
		return nil, err
	}
	if dir == "" {
		if dir, err = h.WorkDir(); err != nil {
			return nil, err
		}
	}
	dir = disk.Real(dir)
	p.Plan.Rebase(func(name string) string {
		if name == "-" || strings.Contains(name, "://") || filepath.IsAbs(name) {
			return name
		}
		rel, err := filepath.Rel(dir, filepath.Join(p.Dir, filepath.FromSlash(name)))
		if err != nil {
			return name
		}
		return filepath.ToSlash(rel)
	})
	p.Dir, p.raw = dir, nil
	return p, nil
}

// Merge joins saved plans into one.
func (h Host) Merge(files []string, dir string, verify func() (ed25519.PublicKey, error)) (*Planned, error) {
	targets := h.targets()
	if err := targets.load(); err != nil {
		return nil, err
	}
	in := derive.MergeInput{Types: targets.types, Volatile: volatile(), Names: files, Now: h.Now(), Generator: h.generator()}
	out := &Planned{}
	for _, file := range files {
		p, err := h.LoadInto(file, dir, verify)
		if err != nil {
			return nil, err
		}
		in.Plans, out.Dir = append(in.Plans, p.Plan), p.Dir
	}
	var conflicts []string
	if out.Plan, conflicts = derive.Merge(in); len(conflicts) > 0 {
		return nil, fmt.Errorf("the plans cannot be joined:\n  %s", strings.Join(conflicts, "\n  "))
	}
	return out, targets.checkOwn(out.Plan)
}

// Compare returns how a plan differs from another.
func Compare(a, b *Planned) *derive.Comparison { return derive.Compare(a.Plan, b.Plan, volatile()...) }

// ReadReport reads which changes of a plan were carried out; nil when no report
// is named.
func (h Host) ReadReport(file string, p *plan.Plan) (map[string]*execute.Result, error) {
	if file == "" {
		return nil, nil
	}
	path, err := h.Absolute(file)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read report %s: %w", file, disk.Cause(err))
	}
	var report struct {
		report
		Execution report `json:"execution"`
	}
	if err := json.Unmarshal(raw, &report); err != nil {
		return nil, fmt.Errorf("read report %s: %w", file, err)
	}
	if report.DryRun || report.Execution.DryRun {
		return nil, &PlanError{fmt.Errorf("report %s is of a dry run: nothing was carried out", file)}
	}
	out := map[string]*execute.Result{}
	for _, r := range slices.Concat(report.all(), report.Execution.all()) {
		if r == nil || p.Change(r.ChangeID) == nil {
			return nil, &PlanError{fmt.Errorf("report %s is of another plan", file)}
		}
		out[r.ChangeID] = r
	}
	if len(out) != len(p.Changes) {
		return nil, &PlanError{fmt.Errorf("report %s is of another plan", file)}
	}
	return out, nil
}

// report is what is read of an execution report; older ones have all results in
// one list.
type report struct {
	DryRun  bool              `json:"dry_run"`
	Results []*execute.Result `json:"results"`
	Applied []*execute.Result `json:"applied_changes"`
	Errors  []*execute.Result `json:"errors"`
	Skipped []*execute.Result `json:"skipped_changes"`
}

func (r report) all() []*execute.Result {
	return slices.Concat(r.Results, r.Applied, r.Errors, r.Skipped)
}

// Inverse makes the plan that undoes another.
func (e *Engine) Inverse(ctx context.Context, r InverseRequest) (*Planned, error) {
	in, err := e.tracing(ctx, r.Source)
	if err != nil {
		return nil, err
	}
	if err := derive.CheckAllowed(e.targets.types, in.Plan, r.AllowReplace).Err(); err != nil {
		return nil, err
	}
	made := map[string]string{}
	for id, result := range r.Report {
		if result.Status == execute.Succeeded {
			made[id] = result.ResourceID
		}
	}
	var traces map[string]plan.Trace
	err = e.phase(event.Reading, func() (int, error) {
		traces, err = execute.Trace(ctx, in, made)
		return len(traces), err
	})
	if err != nil {
		return nil, err
	}
	for id, result := range r.Report {
		if result.Status != execute.Succeeded && !result.Unknown { // what may have been done was looked for
			traces[id] = plan.Trace{NotDone: true}
		}
	}
	out := derive.Inverse(derive.InverseInput{
		Types: e.targets.types, Undoer: e.targets.undoer,
		Plan: in.Plan, Traces: traces, Now: e.host.Now(), Generator: e.host.generator(),
		AllowReplace: r.AllowReplace,
	})
	return &Planned{Plan: out, Dir: r.Source.Dir}, e.targets.checkOwn(out)
}

// tracing is what a look for the results of a plan needs. Attached changes leave
// nothing that is looked for.
func (e *Engine) tracing(ctx context.Context, p *Planned) (in execute.Input, err error) {
	if err := e.targets.load(); err != nil {
		return in, err
	}
	s, err := e.session(ctx, e.targets.involved(p.Plan))
	if err != nil {
		return in, err
	}
	if err := s.same(ctx, p.Plan.Metadata.Organization); err != nil {
		return in, err
	}
	in = execute.Input{Plan: p.Plan.Unfolded(e.targets.types), Env: e.host.Env, Dir: p.Dir, Now: e.host.Now}
	if in.Concurrency, err = e.konnect.Concurrency(); err != nil {
		return in, err
	}
	traced := in
	traced.Plan = in.Plan.Only(func(c *plan.Change) bool {
		t := e.targets.types.Kind(c.ResourceType)
		return t != nil && !t.Attached
	})
	in.Driver, err = e.targets.drivers(ctx, traced)
	return in, err
}

// runsInverse tells whether a verb carries out a plan that undoes another: sync
// does, whatever that one was made for, and apply as long as nothing goes.
func runsInverse(p *plan.Plan, verb plan.Mode) error {
	if verb == plan.ModeSync {
		return nil
	}
	deletes := slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return c.Action == plan.Delete })
	if verb == plan.ModeApply && p.Metadata.Mode == plan.ModeApply && !deletes {
		return nil
	}
	return &PlanError{errors.New("the plan undoes another one: run it with kongctl sync --plan")}
}
