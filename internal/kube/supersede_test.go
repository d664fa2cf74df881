package kube_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/kube"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// A complete run over an inventory makes the journals of older ones obsolete,
// however these were asked to wait or apply.
func TestSupersedes(t *testing.T) {
	metadata := func(mode plan.Mode, prune, id string, o object.Options) plan.Metadata {
		m := plan.Metadata{Mode: mode, SyncScope: plan.Scope{Prune: prune}}
		object.Scope{Inventory: object.Inventory{Name: "app", Namespace: "prod", ID: id}, Options: o}.Describe(&m)
		return m
	}
	older := metadata(plan.ModeLive, resource.PruneFull, "app-prod", object.Options{ReconcileTimeout: 1})
	for name, tt := range map[string]struct {
		done plan.Metadata
		want bool
	}{
		"another live run, other options": {metadata(plan.ModeLive, resource.PruneFull, "app-prod", object.Options{Policy: object.Adopt}), true},
		"a sync":                          {metadata(plan.ModeSync, resource.PruneFull, "app-prod", object.Options{}), true},
		"an apply prunes nothing":         {metadata(plan.ModeApply, resource.PruneFull, "app-prod", object.Options{}), false},
		"without prunes":                  {metadata(plan.ModeLive, resource.PruneNone, "app-prod", object.Options{}), false},
		"another inventory":               {metadata(plan.ModeLive, resource.PruneFull, "other", object.Options{}), false},
		"no Kubernetes objects":           {plan.Metadata{Mode: plan.ModeSync, SyncScope: plan.Scope{Prune: resource.PruneFull}}, false},
	} {
		if got := (&kube.Target{}).Supersedes(tt.done, older); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
