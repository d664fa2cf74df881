package object

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/kongctl/kongctl/internal/plan"
)

// Target is what requests and the metadata of plans call Kubernetes.
const Target = "kube"

// Space is the namespace, in the words of the core, of what an inventory owns.
func Space(inventory string) string { return Target + "/" + inventory }

// The rules for objects that an inventory does not own yet.
const (
	Strict     = "strict"
	Adopt      = "adopt"
	ForceAdopt = "force-adopt"
)

// Scope is what a plan says about its Kubernetes objects: which inventory they
// belong to, and how they are applied. It is the same when the plan is carried
// out later.
type Scope struct {
	Inventory Inventory `json:"inventory"`
	Options   Options   `json:"options"`
	// Destroy says that everything in the inventory is deleted, and the inventory,
	// too.
	Destroy bool `json:"destroy,omitempty"`
}

// Inventory names a ResourceGroup.
type Inventory struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	ID        string `json:"id"`
	// Labels and Annotations are those of the local file.
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// Options say how objects are applied and deleted.
type Options struct {
	// Manager is the field manager of server-side apply.
	Manager        string `json:"field_manager"`
	ForceConflicts bool   `json:"force_conflicts,omitempty"`
	// Policy is Strict, Adopt or ForceAdopt.
	Policy string `json:"inventory_policy"`
	// Propagation is how dependents of deleted objects are deleted: Background,
	// Foreground or Orphan.
	Propagation string `json:"propagation_policy"`
	// ReconcileTimeout bounds the wait for an applied object, DeleteTimeout that for
	// a deleted one; 0 waits until the run is interrupted.
	ReconcileTimeout time.Duration `json:"reconcile_timeout,omitempty"`
	DeleteTimeout    time.Duration `json:"delete_timeout,omitempty"`
	// NoStatus leaves statuses out of the inventory.
	NoStatus bool `json:"no_status,omitempty"`
	// NoInstall leaves the definition of ResourceGroups as it is.
	NoInstall bool `json:"no_install,omitempty"`
	// Split spreads an inventory that is too large over several ResourceGroups;
	// Limit is how many entries each holds, 0 for as many as fit.
	Split bool `json:"inventory_split,omitempty"`
	Limit int  `json:"inventory_limit,omitempty"`
}

// Describe writes the scope into the metadata of a plan.
func (s Scope) Describe(m *plan.Metadata) {
	raw, err := json.Marshal(s)
	if err != nil {
		return // texts and numbers have a form
	}
	var plain map[string]any
	if json.Unmarshal(raw, &plain) == nil {
		m.Describe(Target, plain)
	}
}

// ScopeOf reads the scope from the metadata of a plan; false where the plan has
// no Kubernetes objects.
func ScopeOf(m plan.Metadata) (Scope, bool, error) {
	var s Scope
	place, ok := m.Targets[Target]
	if !ok {
		return s, false, nil
	}
	raw, err := json.Marshal(place)
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err != nil {
		return s, true, fmt.Errorf("metadata.targets.%s: %w", Target, err)
	}
	return s, true, nil
}
