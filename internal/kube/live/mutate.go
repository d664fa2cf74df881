package live

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// mutate puts in the values that the annotation for mutation at apply time asks
// for. It reports whether the object cannot be tried, because a value is not there
// yet.
func (r *reader) mutate(ctx context.Context, x *resource.Resource) (bool, error) {
	f, item := r.found(x), object.ItemOf(x)
	if !f.Known || f.Manifest.GetAnnotations()[object.Mutation] == "" {
		return false, nil
	}
	list, err := object.Substitutions(f.Manifest.Object)
	if err != nil {
		r.report(diag.KubeObject, x, fmt.Sprintf("The annotation %s of %s: %v.", object.Mutation, item.ID, err), "correct it.")
		return true, nil
	}
	for _, s := range list {
		source, wait, err := r.source(ctx, x, s)
		if err != nil {
			return true, err
		}
		if wait != "" {
			f.Unchecked, f.Known = wait, false
			return false, nil
		}
		if paths, all := object.SecretPaths(source); all || len(paths) > 0 {
			f.Mark, f.Secret = object.AllFields, true
			Mark(f.Manifest.Object, f.Mark)
		}
		v, err := s.Put(f.Manifest.Object, source.Object)
		if err != nil {
			f.Unchecked, f.Known = fmt.Sprintf("%v", err), false
			return false, nil
		}
		if f.Secret {
			f.Hide = append(f.Hide, value.Texts(v)...)
		}
	}
	return false, nil
}

// source is an object that a value is taken of, as it is when the taker is applied.
// Where that is not known yet, it says why.
func (r *reader) source(ctx context.Context, x *resource.Resource, s object.Substitution) (source *unstructured.Unstructured, wait string, err error) {
	missing := fmt.Sprintf("it takes a value of %s, which does not exist yet", s.Source)
	for _, id := range []object.ID{s.Source, s.Source.In(object.ItemOf(x).ID.Namespace)} {
		if y := r.byID[id]; y != nil && y != x {
			return r.declaredSource(ctx, y, missing)
		}
	}
	k, err := r.Cluster.Preferred(ctx, s.Source.GroupKind())
	if resource.Missing(err) {
		return nil, missing, nil
	}
	if err != nil {
		return nil, "", err
	}
	id := s.Source
	if id.Namespace == "" && k.Namespaced {
		id = id.In(object.ItemOf(x).ID.Namespace)
	}
	source, err = r.Cluster.Get(ctx, k, id.Namespace, id.Name)
	if resource.Missing(err) {
		return nil, missing, nil
	}
	return source, "", err
}

// declaredSource is an object of the set, as the plan makes it.
func (r *reader) declaredSource(ctx context.Context, y *resource.Resource, missing string) (*unstructured.Unstructured, string, error) {
	select {
	case <-r.tried[y]:
	case <-ctx.Done():
		return nil, "", ctx.Err()
	}
	switch f := r.found(y); {
	case f.Live == nil:
		return nil, missing, nil
	case f.Unchecked != "":
		return nil, fmt.Sprintf("it takes a value of %s, which is known only when the plan is carried out", object.ItemOf(y).ID), nil
	case f.After != nil:
		return f.After, "", nil
	default:
		return f.Live, "", nil
	}
}
