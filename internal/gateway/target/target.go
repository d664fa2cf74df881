// Package target is decK's part of a run: what the engine asks of it. It has no
// documents and no resources of its own; its work is attached to control planes.
//
// In: control planes with what the configuration says of decK, and what exists of
// them. Out: attachments of a plan, and the driver that carries them out. It must
// never import the engine, or how Konnect is read and written.
package target

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/deck"
	"github.com/kongctl/kongctl/internal/gateway/drive"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

// Config is what the target needs.
type Config struct {
	// Core are the types of core entities.
	Core func() (*resource.Types, error)
	// Contract is what Konnect's API takes.
	Contract func() (*contract.Contract, error)
	// Reconciler returns who compares and writes gateways; it is asked when there
	// is work.
	Reconciler func(ctx context.Context) (gateway.Reconciler, error)
	// Konnect returns the driver of Konnect of the run that is under way.
	Konnect func(ctx context.Context, in execute.Input) (drive.Konnect, error)
	Sleep   func(context.Context, time.Duration) error
}

// Target is decK's part.
type Target struct {
	Config
	types *resource.Types
}

// New returns the target; nothing is read or called before it is asked for.
func New(c Config) *Target {
	return &Target{Config: c, types: resource.NewTypes([]*resource.Type{gateway.Type()}, nil)}
}

// Name is what requests call the target.
func (*Target) Name() string { return gateway.TargetName }

// Claim says which keys name decK files.
func (*Target) Claim() source.Claim { return gateway.Claim() }

// Types are the one of decK's work.
func (t *Target) Types() (*resource.Types, error) { return t.types, nil }

// Extension is what it adds to the language of control planes.
func (*Target) Extension() resource.Extension { return gateway.Extension() }

// Resources does nothing: no document is decK's own.
func (*Target) Resources(resource.Documents, *resource.Set) (diag.List, error) { return nil, nil }

// Read does nothing: what decK would change is part of its attachments.
func (*Target) Read(context.Context, resource.Query) (resource.State, diag.List, error) {
	return nil, nil, nil
}

// Proposer is nil: attachments need none.
func (*Target) Proposer() build.Proposer { return nil }

// Rules are what its changes may ask for.
func (*Target) Rules() plan.Rules { return gateway.Rules{} }

// Attach finds the work for decK in a configuration and attaches it to control
// planes.
func (t *Target) Attach(q resource.Query, env func(string) (string, bool)) diag.List {
	jobs, list := gateway.Jobs(q.Set, env)
	for _, j := range jobs {
		takeServices(q.Set, j)
	}
	if mode := plan.Mode(q.Mode); mode == plan.ModeAdopt || mode == plan.ModeDelete && !q.DeleteAttached {
		return nil
	}
	for _, j := range jobs {
		j.ControlPlane.Attached = append(j.ControlPlane.Attached, &resource.Resource{Type: t.types.Kind(gateway.Kind), Native: j})
	}
	return list
}

// takeServices finds the externals that are services of decK's files though
// they are sought by name: decK makes them, too.
func takeServices(set *resource.Set, j *gateway.Job) {
	for _, r := range set.Children(j.ControlPlane) {
		if r.External == nil || r.External.Selector == nil || r.Type.Writer == "" || !r.Type.Referred {
			continue
		}
		name := r.External.Wanted(r.Type.Identity[0])
		if name == "" || !j.Holds(name) {
			continue
		}
		var file gateway.SourceFile
		if len(j.Files) > 0 {
			file = j.Files[0]
		}
		r.External.Made = gateway.NewMade(file, name, r.External.Pos)
		j.Services = append(j.Services, r)
	}
}

// jobs are what is attached to the resources of a set.
func (t *Target) jobs(set *resource.Set) []*gateway.Job {
	var out []*gateway.Job
	for _, r := range set.Resources {
		for _, a := range r.Attached {
			if j, ok := a.Native.(*gateway.Job); ok {
				out = append(out, j)
			}
		}
	}
	return out
}

// Attachments asks decK what it would change, all control planes at once.
func (t *Target) Attachments(ctx context.Context, q resource.Query, values execute.Values) ([]*build.Attachment, diag.List, error) {
	jobs := t.jobs(q.Set)
	id := func(r *resource.Resource) string {
		if o := q.Before.Object(r); o != nil {
			return o.ID
		}
		return ""
	}
	list := append(nameProblems(jobs, q), gateway.CheckOnce(jobs, id)...)
	if list.HasErrors() {
		return nil, list, nil
	}
	core, err := t.Core()
	if err != nil {
		return nil, nil, err
	}
	var work []*build.Attachment
	for _, j := range jobs {
		a, err := j.Attachment(t.types.Kind(gateway.Kind), gateway.Place{Mode: plan.Mode(q.Mode), Prune: resource.NarrowerPrune(q.Prune, j.ControlPlane.Prune), Dir: q.Dir, Rebase: q.Rebase})
		if err != nil {
			return nil, nil, err
		}
		a.PartType = func(kind string) *resource.Type { return gateway.PartType(core, kind) }
		work = append(work, a)
	}
	group, ctx := errgroup.WithContext(ctx)
	wrong := make([]diag.List, len(jobs))
	for i, j := range jobs {
		if q.AttachedLeftOut != nil && q.AttachedLeftOut(j.ControlPlane) || q.Before.Failed(j.ControlPlane) != nil {
			continue
		}
		group.Go(func() (err error) {
			wrong[i], err = t.diff(ctx, q, values, j, work[i])
			return err
		})
	}
	err = group.Wait()
	return work, append(list, slices.Concat(wrong...)...), err
}

// nameProblems reports decK files that are for another control plane than the
// one they are named for.
func nameProblems(jobs []*gateway.Job, q resource.Query) diag.List {
	var list diag.List
	for _, j := range jobs {
		if o := q.Before.Object(j.ControlPlane); o != nil && j.ControlPlane.External != nil {
			name, _ := o.Fields["name"].(string)
			list = append(list, gateway.CheckName(j, name)...)
		}
		if plan.Mode(q.Mode) == plan.ModeDelete && len(j.Flags.SelectTags) == 0 {
			list.Add(diag.DeckUnbounded, j.Pos, "A delete with --include-deck removes what decK's select tags own, and neither the files nor the flags have any.", "add _info.select_tags to the decK file, or leave --include-deck out.")
		}
	}
	return list
}

// diff asks decK what it would change on one control plane. What is wrong with the
// files by themselves comes back as diagnostics. A gateway that cannot be read
// leaves the rest to be planned.
func (t *Target) diff(ctx context.Context, q resource.Query, values execute.Values, j *gateway.Job, work *build.Attachment) (diag.List, error) {
	by, err := t.Reconciler(ctx)
	if err != nil {
		return nil, err
	}
	r, needed, err := t.request(q, values, j, work)
	if err == nil && needed {
		var list diag.List
		if list, err = t.validate(ctx, by, r); list.HasErrors() {
			return list, nil
		}
	}
	if err == nil && needed {
		err = compare(ctx, by, q, r, j, work)
	}
	if list := gateway.FileProblems(r, err); len(list) > 0 {
		return list, nil
	}
	if err != nil && !endsPlanning(ctx, err) {
		work.Err, err = err, nil
	}
	return nil, err
}

func (t *Target) validate(ctx context.Context, by gateway.Reconciler, r gateway.Request) (diag.List, error) {
	takes, err := t.Contract()
	if err != nil {
		return nil, err
	}
	return gateway.Validate(ctx, r, gateway.Facts{Contract: takes, Served: schemas(by, r)})
}

// schemas asks Konnect for the schemas of plugins and partials where there is somebody to ask.
func schemas(by gateway.Reconciler, r gateway.Request) gateway.Schemas {
	from, ok := by.(gateway.SchemaSource)
	if !ok || r.ControlPlane.ID == "" {
		return nil
	}
	return func(ctx context.Context, of gateway.SchemasOf, name string) (map[string]any, error) {
		return from.Schema(ctx, r.ControlPlane.ID, of, name)
	}
}

// request is what decK is asked for; it is not needed where there is nothing to
// compare with.
func (t *Target) request(q resource.Query, values execute.Values, j *gateway.Job, work *build.Attachment) (r gateway.Request, needed bool, err error) {
	core, err := t.Core()
	if err != nil {
		return r, false, err
	}
	c := &plan.Change{
		Fields: work.Fields, Expressions: work.Expressions, SecretWrites: work.SecretWrites, ResourceRef: j.ControlPlane.Ref, ResourceName: j.ControlPlane.Name,
	}
	r, err = drive.Sources{Types: core, Values: values}.Request(values.Inputs, c, func() (map[string]any, []string, error) { return values.Evaluate(c) })
	if err != nil {
		return r, false, err
	}
	j.Locate(&r)
	if o := q.Before.Object(j.ControlPlane); o != nil {
		r.ControlPlane.ID = o.ID
		if name, ok := o.Fields["name"].(string); ok {
			r.ControlPlane.Name = name
		}
	} else if plan.Mode(q.Mode) == plan.ModeDelete || j.ControlPlane.External != nil {
		return r, false, nil
	}
	return r, true, nil
}

func compare(ctx context.Context, by gateway.Reconciler, q resource.Query, r gateway.Request, j *gateway.Job, work *build.Attachment) error {
	entities, err := r.Entities()
	if err != nil {
		return err
	}
	work.Size = len(entities)
	work.Parts, err = by.Diff(ctx, r)
	if err == nil && slices.Contains(q.AllowReplace, j.ControlPlane.Ref) {
		r.ControlPlane.ID = ""
		work.Fresh, err = by.Diff(ctx, r)
	}
	return err
}

// endsPlanning reports whether an error of decK is about more than one control
// plane: an interrupt, a token that is not accepted, a binary that cannot be
// used, or an input that changed while it was read.
func endsPlanning(ctx context.Context, err error) bool {
	var (
		missing *deck.NotFoundError
		version *deck.VersionError
		input   *execute.InputError
	)
	return ctx.Err() != nil || resource.Fatal(err) || errors.As(err, &missing) || errors.As(err, &version) || errors.As(err, &input)
}

// Driver returns who carries decK's work out.
func (t *Target) Driver(ctx context.Context, in execute.Input) (execute.Driver, error) {
	by, err := t.Reconciler(ctx)
	if err != nil {
		return nil, err
	}
	konnect, err := t.Konnect(ctx, in)
	if err != nil {
		return nil, err
	}
	core, err := t.Core()
	if err != nil {
		return nil, err
	}
	return drive.New(drive.Config{
		Sources:    drive.Sources{Types: core, Values: in.Values()},
		Reconciler: by, Konnect: konnect, GoOn: in.GoOn, Sleep: t.Sleep,
	}), nil
}
