package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/source"
)

// UnverifiedError says why a saved plan without changes cannot be made once more.
type UnverifiedError struct{ Why string }

func (e *UnverifiedError) Error() string { return "not verified: " + e.Why }

// leftOfNone makes a plan once more that has no changes, and returns what is to be
// changed by now. Nothing was written, so there is nothing to wait for.
func leftOfNone(ctx context.Context, e *Engine, saved *Planned) ([]*plan.Change, error) {
	request, err := repeated(saved)
	if err != nil {
		return nil, err
	}
	p, err := e.Plan(ctx, request)
	if err != nil {
		return nil, err
	}
	was, is := saved.Plan.Metadata, p.Plan.Metadata
	if was.ConfigHash != is.ConfigHash || !slices.Equal(was.SyncScope.Namespaces, is.SyncScope.Namespaces) || !slices.Equal(was.SyncScope.ResourceTypes, is.SyncScope.ResourceTypes) {
		return nil, &UnverifiedError{"its files do not lead to the same configuration"}
	}
	left := p.Plan.Changes
	for _, b := range p.Plan.Blocked {
		left = append(left, &plan.Change{ResourceType: b.ResourceType, ResourceRef: b.ResourceRef, Action: b.Action})
	}
	return left, nil
}

// repeated is the request that a saved plan was made with. The files must be what they
// were, within the folders that it may read from: what a plan names is read as
// configuration only where it knows the contents.
func repeated(saved *Planned) (PlanRequest, error) {
	m := saved.Plan.Metadata
	r := PlanRequest{Mode: m.Mode, Prune: m.SyncScope.Prune, Scope: Scope{AllowPending: len(saved.Plan.Pending) > 0}}
	if f := m.Filters; f != nil {
		r.Scope.Filter = Filter{Ignore: f.Ignore, Isolate: f.Isolate}
	}
	refuse := func(why string) (PlanRequest, error) { return PlanRequest{}, &UnverifiedError{why} }
	switch {
	case m.Inverse:
		return refuse("it undoes another plan")
	case m.Mode != plan.ModeSync && m.Mode != plan.ModeApply:
		return refuse("it is not a plan for sync or apply")
	case m.Cluster != nil:
		return refuse("it is also of Kubernetes objects")
	}
	folders := source.Folders{Dir: saved.Dir, Bases: saved.Bases}
	for _, in := range m.Inputs {
		raw, err := folders.ReadFile(in.File)
		var outside *source.OutsideError
		switch {
		case errors.As(err, &outside):
			return refuse(err.Error())
		case err != nil:
			return refuse(in.File + " cannot be read")
		}
		if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != in.SHA256 {
			return refuse(in.File + " has changed since the plan was created")
		}
		if in.Base == "" {
			continue
		}
		base := disk.Real(filepath.Join(saved.Dir, filepath.FromSlash(in.Base)))
		if !slices.ContainsFunc(saved.Bases, func(may string) bool { return inFolder(may, base) }) {
			return refuse((&source.OutsideError{Name: in.Base}).Error())
		}
		if r.Sources.BaseDir != "" && r.Sources.BaseDir != base {
			return refuse("its files have several base folders")
		}
		r.Sources.Files, r.Sources.BaseDir = append(r.Sources.Files, filepath.Join(saved.Dir, filepath.FromSlash(in.File))), base
	}
	if len(r.Sources.Files) == 0 {
		return refuse("it does not say which files it was created from")
	}
	return r, nil
}

// inFolder reports whether a folder is another one or in it.
func inFolder(folder, inner string) bool {
	rel, err := filepath.Rel(disk.Real(folder), inner)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
