package drive

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// looks is how many objects a check reads at a time; the connection bounds the
// requests further.
const looks = 32

// checker compares changes with the cluster.
type checker struct{ *site }

// all returns the verdicts on some changes.
func (x checker) all(ctx context.Context, calls []*execute.Call) ([]execute.Verdict, error) {
	found := make([]*execute.Verdict, len(calls))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(looks)
	for i, c := range calls {
		g.Go(func() (err error) {
			found[i], err = x.verdict(gctx, x.items[c.Change.ID])
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []execute.Verdict
	for i, v := range found {
		if v != nil {
			v.Call = calls[i]
			out = append(out, *v)
		}
	}
	return out, nil
}

// verdict is what a look at the cluster says of a change; nil where all is as
// expected.
func (x checker) verdict(ctx context.Context, it *item) (*execute.Verdict, error) {
	switch it.does {
	case record, forget:
		return keeper(x).verdict(ctx, it)
	case apply, remove, detach:
	}
	live, err := x.get(ctx, it.gvk, it.id)
	if err != nil {
		return nil, err
	}
	switch {
	case it.does == apply && it.call.Change.Action == plan.Create:
		return x.created(ctx, it, live)
	case it.does == apply:
		return x.updated(ctx, it, live)
	case live != nil && string(live.GetUID()) != it.call.Change.ResourceID:
		return &execute.Verdict{Moved: x.movedWords(it, live)}, nil
	case live == nil:
		out := deleted(it, true)
		return &execute.Verdict{Done: &out}, nil
	case it.does == detach:
		return x.detached(it, live)
	default:
		return x.removed(it, live), nil
	}
}

// done is the verdict that an object is already what a change makes of it.
func done(live *unstructured.Unstructured) (*execute.Verdict, error) {
	out, err := made(live)
	return &execute.Verdict{Done: &out}, err
}

// ownerWords says whose an object is.
func ownerWords(u *unstructured.Unstructured) string {
	if owner := u.GetAnnotations()[object.Owner]; owner != "" {
		return "it belongs to the inventory " + owner
	}
	return "no inventory owns it"
}

// created looks at the object that a change creates. One that an earlier part of
// the run made, and that is not as it was made, has become somebody else's matter.
func (x checker) created(ctx context.Context, it *item, live *unstructured.Unstructured) (*execute.Verdict, error) {
	before := it.call.Before
	if live == nil {
		if before.Succeeded() {
			return &execute.Verdict{Moved: "it was deleted since this run created it"}, nil
		}
		return nil, nil
	}
	if x.owns(live) {
		same, err := x.unchanged(ctx, it, live)
		if err != nil {
			return nil, err
		}
		if same {
			return done(live)
		}
	}
	words := "it exists now, and is not what the plan would create"
	switch {
	case it.call.Change.Replace && !before.Succeeded():
		return nil, nil // the other half of the replace deletes it
	case !x.owns(live):
		words = "it exists now, and " + ownerWords(live)
	case before != nil:
		words = "it has changed since this run created it"
	}
	return &execute.Verdict{Moved: words}, nil
}

// updated looks at the object that a change updates.
func (x checker) updated(ctx context.Context, it *item, live *unstructured.Unstructured) (*execute.Verdict, error) {
	before, expect := it.call.Before, it.call.Change.Expect
	switch {
	case live == nil:
		return &execute.Verdict{Moved: "it does not exist any more"}, nil
	case !before.Succeeded() && expect != nil && expect.Fingerprint == object.Fingerprint(live, it.call.Change.Fields):
		return nil, nil
	}
	same, err := x.unchanged(ctx, it, live)
	switch {
	case err != nil:
		return nil, err
	case same:
		return done(live)
	}
	words := x.movedWords(it, live)
	if before.Succeeded() {
		words += " since this run updated it"
	}
	return &execute.Verdict{Moved: words, Fields: movedFields(it, live)}, nil
}

func (x checker) movedWords(it *item, live *unstructured.Unstructured) string {
	was := it.call.Change.ResourceID
	before := object.Annotation(it.call.Change.CurrentState, object.Owner)
	switch {
	case was != "" && was != string(live.GetUID()):
		return "it was deleted and created again"
	case before != live.GetAnnotations()[object.Owner]:
		return ownerWords(live) + " now"
	default:
		return "it has changed"
	}
}

// detached looks at the object that a change gives up.
func (x checker) detached(it *item, live *unstructured.Unstructured) (*execute.Verdict, error) {
	if live.GetAnnotations()[object.Owner] != object.Annotation(it.call.Change.CurrentState, object.Owner) {
		return done(live)
	}
	return nil, nil
}

// removed looks at the object that a change deletes. One that is being deleted
// is only waited for.
func (x checker) removed(it *item, live *unstructured.Unstructured) *execute.Verdict {
	expect := it.call.Change.Expect
	if live.GetDeletionTimestamp() != nil || expect == nil || expect.Fingerprint == object.Fingerprint(live, nil) {
		return nil
	}
	return &execute.Verdict{Moved: x.movedWords(it, live), Fields: movedFields(it, live)}
}

// unchanged reports whether applying a manifest would change nothing. What takes
// values from changes that are not done yet cannot be compared.
func (x checker) unchanged(ctx context.Context, it *item, live *unstructured.Unstructured) (bool, error) {
	manager := x.scope.Options.Manager
	if known := it.call.Fill() == nil; !known || cluster.NeedsTakeOver(live, manager) {
		return false, nil
	}
	u, err := applier(x).manifest(ctx, it)
	if err != nil {
		return false, ignoreMissing(err)
	}
	k, err := x.cluster.Kind(ctx, it.gvk)
	if err != nil {
		return false, ignoreMissing(err)
	}
	dry, err := x.cluster.Apply(ctx, k, u, cluster.ApplyOptions{Manager: manager, Force: true, DryRun: true, Hide: it.call.Secrets})
	if resource.Rejected(err) {
		return false, nil // it is not what the manifest says, or it would be accepted
	}
	return err == nil && same(live, dry, manager), err
}

func ignoreMissing(err error) error {
	if resource.Missing(err) {
		return nil
	}
	return err
}

// same reports whether two states of an object differ only in the bookkeeping of
// the server, and a manager owns the same fields of both.
func same(a, b *unstructured.Unstructured, manager string) bool {
	return reflect.DeepEqual(content(a), content(b)) && reflect.DeepEqual(managed(a, manager), managed(b, manager))
}

// content is an object without what every write changes.
func content(u *unstructured.Unstructured) map[string]any {
	out := maps.Clone(u.Object)
	metadata, _ := out["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	delete(metadata, "managedFields")
	delete(metadata, "resourceVersion")
	out["metadata"] = metadata
	return out
}

// managed is what a manager has applied.
func managed(u *unstructured.Unstructured, manager string) any {
	list, _, err := unstructured.NestedSlice(u.Object, "metadata", "managedFields")
	if err != nil {
		return nil
	}
	for _, x := range list {
		entry, _ := x.(map[string]any)
		if entry["manager"] == manager && entry["operation"] == string(metav1.ManagedFieldsOperationApply) && entry["subresource"] == nil {
			return entry["fieldsV1"]
		}
	}
	return nil
}

// movedFields shows which fields are not what they were when the plan was made.
// Secrets are not shown.
func movedFields(it *item, live *unstructured.Unstructured) []execute.MovedField {
	before := it.call.Change.CurrentState
	now, err := object.Fields(live)
	if err != nil || before == nil {
		return nil
	}
	var out []execute.MovedField
	compare(before, now, nil, func(p value.Path, was, is any) {
		switch {
		case p[0] == "status", p[0] == "metadata" && len(p) > 1 && bookkeeping(p[1]):
		case it.hides(p):
			out = append(out, execute.MovedField{Field: p.String(), PlannedFrom: plan.Hidden, Is: plan.Hidden})
		default:
			out = append(out, execute.MovedField{Field: p.String(), PlannedFrom: was, Is: is})
		}
	})
	slices.SortFunc(out, func(a, b execute.MovedField) int { return strings.Compare(a.Field, b.Field) })
	return out
}

// bookkeeping reports whether a part of the metadata changes by itself.
func bookkeeping(key string) bool {
	switch key {
	case "managedFields", "resourceVersion", "generation", "creationTimestamp", "uid", "selfLink":
		return true
	default:
		return false
	}
}

// compare calls differs for each field that is in the first and another in the
// second, or missing there.
func compare(a, b any, at value.Path, differs func(p value.Path, a, b any)) {
	was, ok := a.(map[string]any)
	is, both := b.(map[string]any)
	if !ok || !both {
		if !value.Equal(a, b) {
			differs(at, a, b)
		}
		return
	}
	for key, x := range was {
		compare(x, is[key], at.Child(key), differs)
	}
}
