package engine

import (
	"context"
	"errors"
	"slices"

	"kongctl/internal/plan/build"
	"kongctl/internal/plan/choose"

	"golang.org/x/sync/errgroup"

	"kongctl/internal/diag"
	"kongctl/internal/execute"
	"kongctl/internal/gateway"
	"kongctl/internal/gateway/deck"
	gatewaydrive "kongctl/internal/gateway/drive"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/plan"
	"kongctl/internal/resource"
)

// gatewayWalk is decK's part of a walk.
type gatewayWalk struct {
	jobs []*gateway.Job
	work []*build.Attachment
}

// loadGateway finds the work for decK in a configuration.
func (w *Walk) loadGateway() diag.List {
	jobs, list := gateway.Jobs(w.Set, w.Env)
	for _, j := range jobs {
		w.takeServices(j)
	}
	if w.Request.Mode == plan.ModeAdopt || w.Request.Mode == plan.ModeDelete && !w.Request.Scope.IncludeGateway {
		return nil
	}
	w.gateway.jobs = jobs
	return list
}

// takeServices finds the externals that are services of decK's files though
// they are sought by name: decK makes them, too.
func (w *Walk) takeServices(j *gateway.Job) {
	for _, r := range w.Set.Children(j.ControlPlane) {
		if r.External == nil || r.External.Selector == nil || catalog.Of(r).Writer == "" || !catalog.Of(r).Referred {
			continue
		}
		name := r.External.Wanted(catalog.Of(r).Identity[0])
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

// read asks decK what it would change, all control planes at once.
func (r *reconciler) read(ctx context.Context, w *Walk, s *session) error {
	if err := w.found(append(w.nameProblems(), gateway.CheckOnce(w.gateway.jobs, w.liveID)...)); err != nil {
		return err
	}
	selection := w.filter.AttachedLeftOut(w.Set)
	for _, j := range w.gateway.jobs {
		work, err := j.Attachment(w.Set.Types.Kind(gateway.Kind), gateway.Place{Mode: w.Request.Mode, Prune: w.Request.Prune, Dir: w.dir(), Rebase: w.rebase})
		if err != nil {
			return err
		}
		w.gateway.work = append(w.gateway.work, work)
	}
	group, ctx := errgroup.WithContext(ctx)
	for i, j := range w.gateway.jobs {
		if selection(j.ControlPlane) || w.Konnect.Snapshot.Failed(j.ControlPlane) != nil {
			continue
		}
		group.Go(func() error { return r.diff(ctx, w, s, j, w.gateway.work[i]) })
	}
	return group.Wait()
}

// liveID is the id of a resource that exists, "" for one that does not.
func (w *Walk) liveID(r *resource.Resource) string {
	if o := w.Konnect.Snapshot.Object(r); o != nil {
		return o.ID
	}
	return ""
}

// nameProblems tells of decK files that are for another control plane than the
// one they are named for.
func (w *Walk) nameProblems() diag.List {
	var list diag.List
	for _, j := range w.gateway.jobs {
		if o := w.Konnect.Snapshot.Object(j.ControlPlane); o != nil && j.ControlPlane.External != nil {
			name, _ := o.Fields["name"].(string)
			list = append(list, gateway.CheckName(j, name)...)
		}
		if w.Request.Mode == plan.ModeDelete && len(j.Flags.SelectTags) == 0 {
			list.Add(diag.DeckUnbounded, j.Pos, "A delete with --include-deck removes what decK's select tags own, and neither the files nor the flags have any.", "add _info.select_tags to the decK file, or leave --include-deck out.")
		}
	}
	return list
}

// diff asks decK what it would change on one control plane. A file that
// decK cannot work with, or a gateway that cannot be read, leaves the rest to be
// planned.
func (r *reconciler) diff(ctx context.Context, w *Walk, s *session, j *gateway.Job, work *build.Attachment) error {
	by, err := r.open(ctx, s)
	if err != nil {
		return err
	}
	err = w.compareGateway(ctx, by, j, work)
	if err != nil && !endsPlanning(ctx, err) {
		work.Err, err = err, nil
	}
	return err
}

func (w *Walk) compareGateway(ctx context.Context, reconciler gateway.Reconciler, j *gateway.Job, work *build.Attachment) error {
	from := gatewaydrive.Sources{Catalog: w.Konnect.Catalog, Values: execute.Input{Env: w.Env, Dir: w.dir(), Bases: w.bases()}.Values()}
	c := &plan.Change{
		Fields: work.Fields, Expressions: work.Expressions, SecretWrites: work.SecretWrites, ResourceRef: j.ControlPlane.Ref, ResourceName: j.ControlPlane.Name,
	}
	r, err := from.Request(w.inputs(), c, func() (map[string]any, []string, error) { return from.Values.Evaluate(c) })
	if err != nil {
		return err
	}
	if o := w.Konnect.Snapshot.Object(j.ControlPlane); o != nil {
		r.ControlPlane.ID = o.ID
		if name, ok := o.Fields["name"].(string); ok {
			r.ControlPlane.Name = name
		}
	} else if w.Request.Mode == plan.ModeDelete || j.ControlPlane.External != nil {
		return nil
	}
	entities, err := r.Entities()
	if err != nil {
		return err
	}
	work.Size = len(entities)
	work.Parts, err = reconciler.Diff(ctx, r)
	if err == nil && slices.Contains(w.Request.Scope.AllowReplace, j.ControlPlane.Ref) {
		r.ControlPlane.ID = ""
		work.Fresh, err = reconciler.Diff(ctx, r)
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

// ofFile reports whether a decK file is wrong by what it says.
func ofFile(err error) bool {
	var failed *gateway.Error
	return errors.As(err, &failed) && (failed.File || resource.Rejected(failed.Err))
}

// gatewayPattern fits decK's part of a configuration alone.
func gatewayPattern() choose.Pattern { return choose.Pattern{Text: "type:" + gateway.Kind} }
