package drive

import (
	"context"
	"slices"

	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
)

// findNeeds finds what applied objects depend on, by their annotations, and what
// the plan does not apply: it is as declared, and may not be ready.
func (s *site) findNeeds(ctx context.Context) error {
	applied := map[object.ID]bool{}
	for _, it := range s.order {
		if it.does == apply {
			applied[it.id] = true
		}
	}
	for _, it := range s.order {
		if it.does != apply || it.call.Problem != nil {
			continue
		}
		ids, err := s.dependencies(ctx, it)
		if err != nil {
			return err
		}
		for _, id := range ids {
			name := id.Group + " " + id.String()
			if !applied[id] && !slices.Contains(it.needs, name) {
				it.needs = append(it.needs, name)
				s.needed[name] = id
			}
		}
	}
	return nil
}

// dependencies are the objects that an object names in its annotations.
func (s *site) dependencies(ctx context.Context, it *item) ([]object.ID, error) {
	out := slices.Clone(it.dependsOn)
	for _, sub := range it.substitutions {
		k, err := s.kind(ctx, sub.Source.GroupKind().WithVersion(sub.Version))
		switch {
		case resource.Missing(err):
			continue // its kind is defined by this plan, and so is it
		case err != nil:
			return nil, err
		}
		out = append(out, sourceID(sub, k.Namespaced, it))
	}
	return out, nil
}

// sourceID is the object that a value is taken of.
func sourceID(s object.Substitution, namespaced bool, into *item) object.ID {
	switch {
	case !namespaced:
		return s.Source.In("")
	case s.Source.Namespace == "":
		return s.Source.In(into.id.Namespace)
	default:
		return s.Source
	}
}
