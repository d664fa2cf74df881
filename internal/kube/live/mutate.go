package live

import (
	"context"
	"fmt"

	"kongctl/internal/diag"
	"kongctl/internal/kube/object"
	"kongctl/internal/resource"
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
		k, err := r.Cluster.Preferred(ctx, s.Source.GroupKind())
		if err != nil && !resource.Missing(err) {
			return true, err
		}
		namespace := s.Source.Namespace
		if namespace == "" && k.Namespaced {
			namespace = item.ID.Namespace
		}
		wait := fmt.Sprintf("it takes a value of %s, which does not exist yet", s.Source)
		if err != nil {
			f.Unchecked, f.Known = wait, false
			return false, nil
		}
		source, err := r.Cluster.Get(ctx, k, namespace, s.Source.Name)
		switch {
		case resource.Missing(err):
			f.Unchecked, f.Known = wait, false
			return false, nil
		case err != nil:
			return true, err
		}
		f.Secret = f.Secret || object.IsSecret(s.Source.GroupKind())
		if _, err := s.Put(f.Manifest.Object, source.Object); err != nil {
			f.Unchecked, f.Known = fmt.Sprintf("%v", err), false
			return false, nil
		}
	}
	return false, nil
}
