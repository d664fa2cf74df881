package build_test

import (
	"context"
	"maps"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

var apply = testkit.Ask{Mode: plan.ModeApply}

type object = map[string]any

// labelled is a target whose objects all carry some labels.
type labelled struct {
	remote.Target
	labels map[string]string
}

// List adds the labels.
func (l labelled) List(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	objects, err := l.Target.List(ctx, s)
	for i, o := range objects {
		labels := map[string]string{}
		maps.Copy(labels, catalog.Labels(o))
		maps.Copy(labels, l.labels)
		objects[i] = catalog.NewObject(o.ID, o.Fields, labels, catalog.ParentID(o))
		objects[i].System = o.System
	}
	return objects, err
}
