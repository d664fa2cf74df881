package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kongctl/internal/disk"
	"kongctl/internal/event"
	"kongctl/internal/execute"
	"kongctl/internal/plan"
)

// fromPlanFlags say which plans a plan is made from, instead of a
// configuration.
type fromPlanFlags struct {
	inverse string
	report  string
	merge   []string
}

func (p *fromPlanFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&p.inverse, "inverse", "", "make the plan that undoes this carried out plan; sync --plan runs it")
	flags.StringVar(&p.report, "report", "", "execution report of the plan to undo: says what was carried out, and the ids of what was made")
	flags.StringArrayVar(&p.merge, "merge", nil, "join this plan with the plans named after it")
	addVerifyKey(cmd)
}

// args takes the names of plans to join from what stands after the verb.
func (p *fromPlanFlags) args(_ *cobra.Command, args []string) error {
	if len(args) > 0 && args[0] == "konnect" {
		args = args[1:]
	}
	p.merge = append(p.merge, args...)
	return nil
}

// check refuses flags that do not go with making a plan from plans.
func (p *fromPlanFlags) check(cmd *cobra.Command) error {
	flags := cmd.Flags()
	from := ""
	for _, name := range []string{"inverse", "merge"} {
		if !flags.Changed(name) {
			continue
		}
		if from != "" {
			return usagef("--%s and --%s exclude each other", from, name)
		}
		from = name
	}
	switch {
	case from != "inverse" && flags.Changed("report"):
		return usagef("--report is of a plan to undo").withHint("name the plan with --inverse.")
	case from == "" && flags.Changed("verify-key"):
		return usagef("--verify-key checks a saved plan").withHint("name it with --inverse or --merge.")
	case from == "inverse" && p.inverse == "":
		return usagef("--inverse: no file is named")
	case from == "merge" && len(p.merge) < 2:
		return usagef("--merge joins two plans or more").withHint("write them one after the other: --merge a.json b.json")
	case from == "":
		return nil
	}
	for _, name := range append([]string{"base-dir"}, excludedByPlan...) {
		if flag := flags.Lookup(name); flag != nil && flag.Changed {
			return usagef("--%s and --%s exclude each other", from, name).withHint("the plan is made from plans, not from a configuration.")
		}
	}
	return nil
}

// make makes the plan that was asked for.
func (o *planOptions) make(ctx context.Context, r planRequest) (*planned, error) {
	switch {
	case o.from.inverse != "":
		return o.makeInverse(ctx, r.dir)
	case len(o.from.merge) > 0:
		return o.makeMerged(r.dir)
	default:
		return o.factory.makePlan(ctx, o.connect, r)
	}
}

// saved reads a plan and makes its paths start from another folder, "" being
// the current one.
func (o *planOptions) saved(file, dir string) (*planned, error) {
	p, err := loadPlan(o.factory, file)
	if err != nil {
		return nil, err
	}
	if dir == "" {
		if dir, err = o.factory.world.workDir(); err != nil {
			return nil, err
		}
	}
	dir = disk.Real(dir)
	p.plan.Rebase(func(name string) string {
		if name == "-" || strings.Contains(name, "://") || filepath.IsAbs(name) {
			return name
		}
		rel, err := filepath.Rel(dir, filepath.Join(p.dir, filepath.FromSlash(name)))
		if err != nil {
			return name
		}
		return filepath.ToSlash(rel)
	})
	p.dir, p.raw = dir, nil
	return p, nil
}

func (o *planOptions) makeInverse(ctx context.Context, dir string) (*planned, error) {
	source, err := o.saved(o.from.inverse, dir)
	if err != nil {
		return nil, err
	}
	report, err := o.factory.readReport(o.from.report, source.plan)
	if err != nil {
		return nil, err
	}
	d := newDisplay(o.factory)
	defer d.close()
	e, err := o.factory.newEngine(engineOptions{local: o.connect.local, sink: d.sink})
	if err != nil {
		return nil, err
	}
	return e.inverse(ctx, inverseRequest{source: source, report: report})
}

func (o *planOptions) makeMerged(dir string) (*planned, error) {
	cat, err := o.factory.catalog()
	if err != nil {
		return nil, err
	}
	in := plan.MergeInput{Catalog: cat, Names: o.from.merge, Now: o.factory.world.now(), Generator: generator()}
	out := &planned{}
	for _, file := range o.from.merge {
		p, err := o.saved(file, dir)
		if err != nil {
			return nil, err
		}
		in.Plans, out.dir = append(in.Plans, p.plan), p.dir
	}
	var conflicts []string
	if out.plan, conflicts = plan.Merge(in); len(conflicts) > 0 {
		return nil, fmt.Errorf("the plans cannot be joined:\n  %s", strings.Join(conflicts, "\n  "))
	}
	return out, checkOwn(out.plan, cat)
}

// readReport reads which changes of a plan were carried out; nil when no report
// is named.
func (f *factory) readReport(file string, p *plan.Plan) (map[string]*execute.Result, error) {
	if file == "" {
		return nil, nil
	}
	path, err := f.absolute(file)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read report %s: %w", file, disk.Cause(err))
	}
	var report struct {
		DryRun  bool              `json:"dry_run"`
		Results []*execute.Result `json:"results"`
	}
	if err := json.Unmarshal(raw, &report); err != nil {
		return nil, fmt.Errorf("read report %s: %w", file, err)
	}
	if report.DryRun {
		return nil, &planError{fmt.Errorf("report %s is of a dry run: nothing was carried out", file)}
	}
	out := map[string]*execute.Result{}
	for _, r := range report.Results {
		if r == nil || p.Change(r.ChangeID) == nil {
			return nil, &planError{fmt.Errorf("report %s is of another plan", file)}
		}
		out[r.ChangeID] = r
	}
	if len(out) != len(p.Changes) {
		return nil, &planError{fmt.Errorf("report %s is of another plan", file)}
	}
	return out, nil
}

// inverse makes the plan that undoes another.
func (p *pipeline) inverse(ctx context.Context, r inverseRequest) (*planned, error) {
	cat, err := p.factory.catalog()
	if err != nil {
		return nil, err
	}
	s, err := p.connected(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.belongs(ctx, r.source.plan.Metadata.Organization); err != nil {
		return nil, err
	}
	made := map[string]string{}
	for id, result := range r.report {
		if result.Status == execute.Succeeded {
			made[id] = result.ResourceID
		}
	}
	var traces map[string]plan.Trace
	err = p.phase(event.Reading, func() (int, error) {
		traces, err = execute.Trace(ctx, execute.Input{
			Plan: r.source.plan, Catalog: cat, Target: s.target, Env: p.factory.readable, Dir: r.source.dir,
			Concurrency: s.concurrency, Now: p.factory.world.now,
		}, made)
		return len(traces), err
	})
	if err != nil {
		return nil, err
	}
	for id, result := range r.report {
		if result.Status != execute.Succeeded {
			traces[id] = plan.Trace{NotDone: true}
		}
	}
	out := plan.Inverse(plan.InverseInput{
		Catalog: cat, Plan: r.source.plan, Traces: traces, Now: p.factory.world.now(), Generator: generator(),
	})
	return &planned{plan: out, dir: r.source.dir}, checkOwn(out, cat)
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
	return &planError{errors.New("the plan undoes another one: run it with kongctl sync --plan")}
}
