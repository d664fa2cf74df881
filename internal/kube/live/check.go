package live

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// check finds out what applying each object would change.
func (r *reader) check(ctx context.Context) error {
	r.declareGroup()
	g, gctx := errgroup.WithContext(ctx)
	r.tried = map[*resource.Resource]chan struct{}{}
	for _, x := range r.declared {
		if err := r.manifest(x); err != nil {
			return err
		}
		r.tried[x] = make(chan struct{})
	}
	for _, x := range r.declared {
		g.Go(func() error {
			defer close(r.tried[x])
			return r.try(gctx, x)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	r.lost()
	for _, x := range r.declared {
		f := r.found(x)
		if r.state.Of[x.Type] == nil {
			r.state.Of[x.Type] = []*resource.Object{}
		}
		if f.Live == nil {
			continue
		}
		o, err := Object(f.Live)
		if err != nil {
			return err
		}
		r.state.Of[x.Type], r.state.Declared[x] = append(r.state.Of[x.Type], o), o
	}
	return nil
}

// lost warns of an inventory that is not there although objects belong to it: what
// else did is not known.
func (r *reader) lost() {
	if r.state.Inventory != nil || r.group == nil {
		return
	}
	for _, x := range r.declared {
		if f := r.found(x); f.Live != nil && r.owner(f.Live) == ours {
			rebuild := diag.CommandOf("live inventory rebuild")
			r.diags = append(r.diags, diag.Warn(diag.KubeLost, r.group.Pos,
				fmt.Sprintf("%s belongs to the inventory %q, which is not in the cluster. Objects that belong to it and are not declared stay.", object.ItemOf(x).ID, r.Scope.Inventory.ID),
				fmt.Sprintf("run %s first: it finds them.", rebuild)).Running(rebuild))
			return
		}
	}
}

// declareGroup enters the inventory among the objects.
func (r *reader) declareGroup() {
	t := r.Set.Types.Kind(object.TypeName(object.GroupGVK()))
	r.state.Of[t] = nil
	inv := r.state.Inventory
	if inv == nil {
		return
	}
	var ids []object.ID
	for _, e := range inv.Entries {
		ids = append(ids, e.ID)
	}
	item := object.Item{ID: object.ID{Group: object.GroupAPIGroup, Kind: object.GroupKind, Namespace: inv.Namespace, Name: inv.Name}}
	o := &resource.Object{
		ID: string(inv.UID), Ref: item.Names()[0], Owner: Owner(inv.ID), Native: inv,
		Fields: map[string]any{
			"apiVersion": object.GroupVersion, "kind": object.GroupKind,
			"metadata": map[string]any{"name": inv.Name, "namespace": inv.Namespace, "labels": map[string]any{object.InventoryID: inv.ID}},
			"spec":     object.Listed(ids),
		},
	}
	r.state.Of[t] = []*resource.Object{o}
	if r.group != nil {
		r.state.Declared[r.group] = o
	}
}

// manifest puts together what would be applied, as far as it is known.
func (r *reader) manifest(x *resource.Resource) error {
	f, item := r.found(x), object.ItemOf(x)
	fields, _ := r.Desired(x)
	Complete(fields, item.ID, r.Scope.Inventory.ID)
	x.Fields.Walk(func(p value.Path, v value.Value) bool {
		if e := v.Expr(); e != nil && e.Op == value.OpSecret {
			value.Set(fields, p, r.secret(x, p, e))
			f.Hidden = append(f.Hidden, p)
		}
		return true
	})
	f.Known = !object.HoldsUnknown(fields)
	r.mark(x, fields)
	u, err := object.Make(fields)
	if err != nil {
		return fmt.Errorf("%s: %w", item.ID, err)
	}
	f.Manifest = u
	return nil
}

// mark notes the fields that come from secrets in the object itself: when they are
// dropped, or the object is, nothing else tells.
func (r *reader) mark(x *resource.Resource, fields map[string]any) {
	f, item := r.found(x), object.ItemOf(x)
	if r.tainted(item, map[object.ID]bool{}) {
		f.Mark, f.Secret = object.AllFields, true
	} else if !object.IsSecret(item.GVK.GroupKind()) {
		f.Mark = object.SecretMark(f.Hidden)
	}
	Mark(fields, f.Mark)
	if f.Live != nil {
		was, all := object.SecretPaths(f.Live)
		f.Hidden, f.Secret = append(f.Hidden, was...), f.Secret || all
	}
}

// tainted reports whether an object takes a value of a Secret at apply time, itself
// or through others.
func (r *reader) tainted(item *object.Item, seen map[object.ID]bool) bool {
	for _, id := range item.Takes {
		if object.IsSecret(id.GroupKind()) {
			return true
		}
		id.Namespace = cmp.Or(id.Namespace, item.ID.Namespace)
		if source := r.byID[id]; source != nil && !seen[id] {
			seen[id] = true
			if r.tainted(object.ItemOf(source), seen) {
				return true
			}
		}
	}
	return false
}

// Mark adds the annotation with the fields that come from secrets.
func Mark(fields map[string]any, mark string) {
	if mark == "" {
		return
	}
	meta, _ := fields["metadata"].(map[string]any)
	if annotations, ok := meta["annotations"].(map[string]any); ok {
		annotations[object.SecretFields] = mark
	}
}

// secret is the value of a secret, to compare with: where it cannot be had here,
// the one that the live object has.
func (r *reader) secret(x *resource.Resource, p value.Path, e *value.Expression) any {
	f := r.found(x)
	if r.Secret != nil {
		now, hide, err := r.Secret(x, e)
		if err == nil {
			f.Hide = append(f.Hide, hide...)
			return now
		}
	}
	now, there := secretOf(f.Live, p)
	f.NewSecret = f.NewSecret || !there
	return now
}

// Complete adds to a manifest what is not written in it: its namespace and its
// owner.
func Complete(fields map[string]any, id object.ID, inventory string) {
	meta, _ := fields["metadata"].(map[string]any)
	if meta == nil {
		meta = map[string]any{}
		fields["metadata"] = meta
	}
	delete(meta, "namespace")
	if id.Namespace != "" {
		meta["namespace"] = id.Namespace
	}
	annotations, _ := meta["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
	}
	delete(annotations, object.LastApplied) // kubectl's, and may hold secrets
	annotations[object.Owner] = inventory
	meta["annotations"] = annotations
	delete(fields, "status")
}

// secretOf is the value that a field of a live object has in place of a secret.
func secretOf(live *unstructured.Unstructured, p value.Path) (any, bool) {
	if live == nil {
		return "", false
	}
	if v, ok := value.Get(live.Object, p); ok {
		return v, true
	}
	if len(p) != 2 || p[0] != "stringData" || !object.IsSecret(live.GroupVersionKind().GroupKind()) {
		return "", false
	}
	data, _, _ := unstructured.NestedString(live.Object, "data", p[1])
	raw, err := base64.StdEncoding.DecodeString(data)
	return string(raw), err == nil && data != ""
}

// try asks the server what applying an object would change, where that is not
// clear already.
func (r *reader) try(ctx context.Context, x *resource.Resource) error {
	f, item := r.found(x), object.ItemOf(x)
	if f.Live != nil {
		if f.Refused = r.refusal(f.Live); f.Refused != "" {
			return nil
		}
		if item.Ignored {
			f.Same = true
			return nil
		}
	}
	if done, err := r.mutate(ctx, x); done || err != nil {
		return err
	}
	f.Manifest = object.Sendable(f.Manifest)
	f.Manifest = object.Sendable(f.Manifest)
	switch {
	case f.Unchecked != "":
		return nil
	case !f.Known:
		f.Unchecked = "it takes values that are known only when the plan is carried out"
		return nil
	case f.Live != nil && !f.NewSecret && unchanged(f.Live, f.Manifest, r.Scope.Options.Manager):
		f.Same = true
		return nil
	case r.Client:
		f.Unchecked = "the server was not asked (--dry-run=client)"
		return nil
	}
	f.Owned = f.Live != nil && cluster.NeedsTakeOver(f.Live, r.Scope.Options.Manager)
	return r.dryRun(ctx, x)
}

// dryRun lets the server try the apply.
func (r *reader) dryRun(ctx context.Context, x *resource.Resource) error {
	f, o := r.found(x), r.Scope.Options
	if f.Live == nil {
		return r.judge(x, r.tryCreate(ctx, f))
	}
	after, err := r.Cluster.Apply(ctx, f.Kind, f.Manifest, cluster.ApplyOptions{Manager: o.Manager, Force: o.ForceConflicts || f.Owned, DryRun: true, Hide: f.Hide})
	var failed *cluster.Error
	switch {
	case err == nil:
		f.After = after
		if f.Owned {
			dropInherited(f, o.Manager)
		}
		f.Owned = f.Owned || !owns(f.Live, after, o.Manager)
		return nil
	case errors.As(err, &failed) && len(failed.Conflicts()) > 0:
		f.Conflict = fmt.Sprintf("%v. Leave those fields to that manager, or pass --force-conflicts to take them over.", err)
		f.After, err = r.Cluster.Apply(ctx, f.Kind, f.Manifest, cluster.ApplyOptions{Manager: o.Manager, Force: true, DryRun: true, Hide: f.Hide})
		return err
	default:
		return r.judge(x, err)
	}
}

// tryCreate lets the server try to create an object. That checks what an apply
// checks, and costs the server half of it.
func (r *reader) tryCreate(ctx context.Context, f *Found) error {
	u := f.Manifest
	if len(f.Hide) > 0 { // errors of an apply hide values
		_, err := r.Cluster.Apply(ctx, f.Kind, u, cluster.ApplyOptions{Manager: r.Scope.Options.Manager, DryRun: true, Hide: f.Hide})
		return err
	}
	_, err := r.Cluster.Create(ctx, f.Kind, u, true)
	return err
}

// judge says what the answer to a dry run means.
func (r *reader) judge(x *resource.Resource, err error) error {
	f := r.found(x)
	var failed *cluster.Error
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &failed):
		return err
	case failed.Missing() && r.comesWith(x):
		f.Unchecked = fmt.Sprintf("its namespace %s is created by this plan", object.ItemOf(x).ID.Namespace)
		return nil
	case failed.Missing():
		r.report(diag.KubeRefused, x, fmt.Sprintf("%v.", err), "create the namespace first, or add a Namespace object.")
		return nil
	case failed.Forbidden():
		return fmt.Errorf("%s: %w", x.Pos, err)
	case failed.Rejected() || failed.Status() == http.StatusInternalServerError:
		r.report(diag.KubeRefused, x, fmt.Sprintf("%v.", err), "correct the object.")
		return nil
	default:
		return err
	}
}

// comesWith reports whether the namespace of an object is created by the same
// plan.
func (r *reader) comesWith(x *resource.Resource) bool {
	ns := r.byID[object.ID{Kind: "Namespace", Name: object.ItemOf(x).ID.Namespace}]
	return ns != nil && r.found(ns).Live == nil
}
