package propose_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/kube"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/propose"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// sound is a plan that this program could have made.
func sound(t *testing.T) *plan.Plan {
	t.Helper()
	const text = `{
	"metadata": {"plan_version": "1.0", "version": "1.0", "mode": "live", "cluster": {"server": "https://a", "uid": "u"},
	  "targets": {"kube": {"inventory": {"name": "inv", "namespace": "ns", "id": "i"}, "options": {"field_manager": "m", "inventory_policy": "strict", "propagation_policy": "Background"}}},
	  "sync_scope": {"prune": "full", "namespaces": ["kube/i"], "resource_types": []}, "inputs": [{"file": "a.yaml", "sha256": "x"}], "reads": {"files": ["a.yaml"]}},
	"changes": [
	  {"id": "1", "resource_type": "k8s:v1/Secret", "resource_ref": "secret.s", "namespace": "kube/i", "action": "CREATE", "depends_on": [],
	   "fields": {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "ns", "annotations": {"config.k8s.io/owning-inventory": "i"}}, "stringData": {"p": "[hidden]"}},
	   "expressions": [{"field": "stringData.p", "expression": {"input": "a.yaml", "document": "0", "path": "stringData.p"}}]},
	  {"id": "2", "resource_type": "k8s:v1/ConfigMap", "resource_ref": "configmap.c", "resource_id": "uid", "namespace": "kube/i", "action": "DELETE", "depends_on": [], "stage": 1,
	   "expect": {"fingerprint": "sha256:1"}, "current_state": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "ns", "uid": "uid", "annotations": {"config.k8s.io/owning-inventory": "i"}}}}
	], "execution_order": ["1", "2"], "execution_groups": [["1", "2"]]}`
	p := &plan.Plan{}
	if err := json.Unmarshal([]byte(text), p); err != nil {
		t.Fatal(err)
	}
	p.Summarize()
	return p
}

func check(p *plan.Plan) error {
	types, _ := kube.New(kube.Config{}).Types()
	return plan.Validate(p, types, func(*resource.Type) plan.Rules { return propose.Rules{} })
}

func TestSoundPlan(t *testing.T) {
	if err := check(sound(t)); err != nil {
		t.Fatal(err)
	}
}

func TestForgedPlans(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		forge      func(p *plan.Plan, made, gone *plan.Change)
	}{
		{"no cluster", "metadata.cluster", func(p *plan.Plan, _, _ *plan.Change) { p.Metadata.Cluster = nil }},
		{"no inventory", "metadata.targets", func(p *plan.Plan, _, _ *plan.Change) { p.Metadata.Targets = nil }},
		{"a secret in the plan", "plans never contain secrets", func(_ *plan.Plan, made, _ *plan.Change) {
			made.Fields["stringData"] = map[string]any{"p": "canary"}
		}},
		{"a file that is no input", "metadata.inputs", func(_ *plan.Plan, made, _ *plan.Change) { made.Expressions[0].Expression["input"] = "/etc/passwd" }},
		{"another file behind an input", "metadata.inputs", func(_ *plan.Plan, made, _ *plan.Change) {
			made.Expressions[0].Expression["content_of"] = "/etc/passwd"
		}},
		{"another kind", "another kind", func(_ *plan.Plan, made, _ *plan.Change) { made.Fields["kind"] = "ConfigMap" }},
		{"another owner", "config.k8s.io/owning-inventory", func(_ *plan.Plan, made, _ *plan.Change) {
			made.Fields["metadata"].(map[string]any)["annotations"] = map[string]any{object.Owner: "other"}
		}},
		{"another namespace", "not in the plan's scope", func(_ *plan.Plan, made, _ *plan.Change) { made.Namespace = "kube/other" }},
		{"a delete of an object of others", "does not belong to the inventory", func(_ *plan.Plan, _, gone *plan.Change) {
			gone.CurrentState["metadata"].(map[string]any)["annotations"] = map[string]any{object.Owner: "other"}
		}},
		{"a delete of another object", "another object", func(_ *plan.Plan, _, gone *plan.Change) { gone.ResourceID = "other" }},
		{"a delete that expects nothing", "does not say what it expects", func(_ *plan.Plan, _, gone *plan.Change) { gone.Expect = nil }},
		{"a delete that may not be", "without pruning", func(p *plan.Plan, _, _ *plan.Change) { p.Metadata.SyncScope.Prune = "none" }},
		{"a delete in an apply", "deletes nothing", func(p *plan.Plan, _, _ *plan.Change) { p.Metadata.Mode = plan.ModeApply }},
		{"a create with an id", "expects nothing", func(_ *plan.Plan, made, _ *plan.Change) { made.ResourceID = "x" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := sound(t)
			tc.forge(p, p.Changes[0], p.Changes[1])
			p.Summarize()
			if err := check(p); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
}
