package propose

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Rules are what a plan may ask of Kubernetes objects.
type Rules struct{}

var _ plan.Rules = Rules{}

// Check refuses what no plan of this program holds.
func (Rules) Check(v *plan.Validation, c *plan.Change) {
	t := v.Types.Kind(c.ResourceType)
	scope, ok, err := object.ScopeOf(v.Plan.Metadata)
	if !ok || err != nil || v.Plan.Metadata.Cluster == nil || scope.Inventory.ID == "" || scope.Inventory.Name == "" {
		v.Say(c, "the plan does not name the cluster and the inventory of its Kubernetes objects (metadata.cluster, metadata.targets.%s)", object.Target)
		return
	}
	v.Action(c, t)
	v.Namespace(c, t)
	v.References(c, t)
	v.SameForms(c)
	if c.Parent != nil || c.Replace || c.Namespace != object.Space(scope.Inventory.ID) {
		v.Say(c, "it does not belong to the inventory %s", scope.Inventory.ID)
	}
	for _, e := range c.Expressions {
		v.Source(c, e.Field, e.Expression, true)
	}
	for _, e := range c.SecretWrites {
		v.Secret(c, e)
	}
	r := rule{v, c, scope}
	r.expectation()
	if c.Action != plan.Delete {
		r.manifest()
	}
}

// rule checks one change.
type rule struct {
	*plan.Validation
	c     *plan.Change
	scope object.Scope
}

// expectation checks that what is changed or deleted is shown, and may be.
func (r rule) expectation() {
	c := r.c
	if c.Action == plan.Create {
		if c.Expect != nil || c.CurrentState != nil || c.ResourceID != "" {
			r.Say(c, "a create expects nothing")
		}
		return
	}
	was := &unstructured.Unstructured{Object: c.CurrentState}
	if c.Expect == nil || c.Expect.Fingerprint == "" || c.CurrentState == nil || c.ResourceID == "" {
		r.Say(c, "it does not say what it expects (expect, current_state, resource_id)")
		return
	}
	if !r.isInventory() && string(was.GetUID()) != c.ResourceID || object.TypeName(was.GroupVersionKind()) != c.ResourceType {
		r.Say(c, "current_state is of another object")
	}
	if owner := was.GetAnnotations()[object.Owner]; !r.isInventory() && r.scope.Options.Policy == object.Strict && owner != r.scope.Inventory.ID {
		r.Say(c, "the object does not belong to the inventory %s", r.scope.Inventory.ID)
	}
	if object.IsSecret(was.GroupVersionKind().GroupKind()) {
		r.hidden("current_state", c.CurrentState)
	}
}

// manifest checks what is sent.
func (r rule) manifest() {
	c := r.c
	u := &unstructured.Unstructured{Object: c.Fields}
	switch {
	case object.TypeName(u.GroupVersionKind()) != c.ResourceType:
		r.Say(c, "fields are of another kind")
	case u.GetName() == "":
		r.Say(c, "fields name no object")
	case c.SendsAll && c.Action != plan.Update:
		r.Say(c, "only an update sends more than what changes")
	case c.Action == plan.Update && !r.isInventory() && !sameName(u, c.CurrentState):
		r.Say(c, "fields are of another object")
	case strings.HasSuffix(c.ExecutionContext.APIEndpoint, Detach):
		meta, _ := c.Fields["metadata"].(map[string]any)
		if c.Action != plan.Update || len(c.Fields) != 3 || len(meta) > 2 {
			r.Say(c, "what gives an object up changes nothing else")
		}
	case r.isInventory():
		if u.GetName() != r.scope.Inventory.Name || u.GetNamespace() != r.scope.Inventory.Namespace || u.GetLabels()[object.InventoryID] != r.scope.Inventory.ID {
			r.Say(c, "it is another inventory")
		}
	case u.GetAnnotations()[object.Owner] != r.scope.Inventory.ID:
		r.Say(c, "fields do not carry the annotation %s of the inventory", object.Owner)
	}
	if object.IsSecret(u.GroupVersionKind().GroupKind()) {
		r.hidden("fields", c.Fields)
	}
}

func (r rule) isInventory() bool {
	return r.c.ResourceType == object.TypeName(object.GroupGVK())
}

func sameName(u *unstructured.Unstructured, state map[string]any) bool {
	return object.Of(u) == object.Of(&unstructured.Unstructured{Object: state})
}

// hidden checks that no value of a Secret stands in the plan. What comes from
// other resources or variables is shown as such.
func (r rule) hidden(where string, fields map[string]any) {
	for key, x := range fields {
		values, ok := x.(map[string]any)
		if !ok || !object.SecretField(key) {
			continue
		}
		for name, v := range values {
			if text, isText := v.(string); isText && (text == plan.UnknownID || plan.HoldsHidden(text)) {
				continue
			}
			if _, refers := r.c.References[value.Path{key, name}.String()]; refers {
				continue
			}
			r.Say(r.c, "%s.%s.%s holds a value: plans never contain secrets", where, key, name)
		}
	}
}
