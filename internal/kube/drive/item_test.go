package drive

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
)

func data(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func newSite() *site {
	return &site{scope: object.Scope{
		Inventory: object.Inventory{Name: "set", Namespace: "home", ID: "set-home"},
		Options:   object.Options{Policy: object.Strict, Manager: "us"},
	}}
}

const ourMetadata = "metadata: {name: a, namespace: b, annotations: {config.k8s.io/owning-inventory: set-home}}\n"

func TestItem(t *testing.T) {
	const (
		mine  = "apiVersion: v1\nkind: ConfigMap\n" + ourMetadata
		alien = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b, annotations: {config.k8s.io/owning-inventory: other}}\n"
		group = "metadata: {name: set, namespace: home}\nspec: {resources: [{group: '', kind: ConfigMap, namespace: b, name: a}, {group: '', kind: ConfigMap, namespace: b, name: c}]}\n"
	)
	for _, test := range []struct {
		name, kind, fields, current string
		change                      plan.Change
		policy                      string
		limit                       int
		does                        doing
		id                          string
		problem                     string
	}{
		{name: "a create", kind: "k8s:v1/ConfigMap", fields: mine, change: plan.Change{Action: plan.Create}, does: apply, id: "ConfigMap b/a"},
		{name: "an update", kind: "k8s:v1/ConfigMap", fields: mine, change: plan.Change{Action: plan.Update}, does: apply, id: "ConfigMap b/a"},
		{name: "a delete", kind: "k8s:v1/ConfigMap", current: mine, change: plan.Change{Action: plan.Delete, ResourceID: "u"}, does: remove, id: "ConfigMap b/a"},
		{name: "a detach", kind: "k8s:v1/ConfigMap", fields: mine, change: plan.Change{Action: plan.Update, ResourceID: "u", ExecutionContext: plan.ExecutionContext{APIEndpoint: "x#detach"}}, does: detach, id: "ConfigMap b/a"},
		{name: "the inventory", kind: "k8s:kpt.dev/v1alpha1/ResourceGroup", fields: group, change: plan.Change{Action: plan.Create}, does: record, id: "ResourceGroup home/set"},
		{name: "the inventory goes", kind: "k8s:kpt.dev/v1alpha1/ResourceGroup", current: group, change: plan.Change{Action: plan.Delete, ResourceID: "u"}, does: forget, id: "ResourceGroup home/set"},

		{name: "no kind", kind: "portal", fields: mine, change: plan.Change{Action: plan.Create}, problem: `"portal" is not a kind`},
		{name: "no name", kind: "k8s:v1/ConfigMap", fields: "apiVersion: v1\nkind: ConfigMap\n", change: plan.Change{Action: plan.Create}, problem: "does not name the object"},
		{name: "another kind", kind: "k8s:v1/Secret", fields: mine, change: plan.Change{Action: plan.Create}, problem: "another kind of object: v1 ConfigMap"},
		{name: "for another inventory", kind: "k8s:v1/ConfigMap", fields: alien, change: plan.Change{Action: plan.Create}, problem: "another inventory than set-home"},
		{name: "a delete of any object", kind: "k8s:v1/ConfigMap", current: mine, change: plan.Change{Action: plan.Delete}, does: remove, problem: "does not say which object it means"},
		{name: "a delete of what others own", kind: "k8s:v1/ConfigMap", current: alien, change: plan.Change{Action: plan.Delete, ResourceID: "u"}, does: remove, problem: "the inventory set-home does not own"},
		{name: "a delete of what others own, which is allowed", kind: "k8s:v1/ConfigMap", current: alien, policy: object.ForceAdopt, change: plan.Change{Action: plan.Delete, ResourceID: "u"}, does: remove, id: "ConfigMap b/a"},
		{name: "a wrong mutation", kind: "k8s:v1/ConfigMap", fields: strings.Replace(mine, "annotations: {", "annotations: {config.kubernetes.io/apply-time-mutation: x, ", 1), change: plan.Change{Action: plan.Create}, problem: "not a list of substitutions"},
		{name: "an inventory that is too large", kind: "k8s:kpt.dev/v1alpha1/ResourceGroup", fields: group, limit: 1, change: plan.Change{Action: plan.Create}, does: record, problem: "inventory home/set is too large: 2 objects"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSite()
			s.scope.Options.Limit = test.limit
			if test.policy != "" {
				s.scope.Options.Policy = test.policy
			}
			c := test.change
			c.ResourceType, c.CurrentState = test.kind, data(t, test.current)
			call := &execute.Call{Change: &c, Fields: data(t, test.fields)}
			it := s.item(call)
			if it.does != test.does {
				t.Errorf("it does %d, want %d", it.does, test.does)
			}
			switch {
			case test.problem == "" && call.Problem != nil, test.problem != "" && (call.Problem == nil || !strings.Contains(call.Problem.Error(), test.problem)):
				t.Errorf("the problem is %v, want %q", call.Problem, test.problem)
			case test.problem == "" && call.Name != test.id:
				t.Errorf("it is called %q, want %q", call.Name, test.id)
			}
		})
	}
}

func TestReveal(t *testing.T) {
	secret := func() *execute.Call {
		return &execute.Call{
			Change: &plan.Change{ResourceType: "k8s:v1/Secret", ResourceRef: "secret.a", Action: plan.Create},
			Fields: data(t, "apiVersion: v1\nkind: Secret\n"+ourMetadata+"data: {a: '[hidden]', b: eA==}\nstringData: {c.d: '[hidden]'}\n"),
		}
	}
	s := newSite()
	s.in.Beside = map[string]any{"kube": map[string]map[string]any{"secret.a": {"data.a": "Y2FuYXJ5", `stringData["c.d"]`: "canary"}}}
	c := secret()
	s.item(c)
	if c.Problem != nil {
		t.Fatal(c.Problem)
	}
	if diff := cmp.Diff(data(t, "data: {a: Y2FuYXJ5, b: eA==}")["data"], c.Fields["data"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Y2FuYXJ5", "canary"}, c.Secrets); diff != "" {
		t.Errorf("what is hidden in errors: %s", diff)
	}
	s.in.Beside = map[string]any{"kube": map[string]map[string]any{"secret.a": {"data.a": "Y2FuYXJ5"}}}
	c = secret()
	s.item(c)
	if want := "the values of Secret b/a came from standard input and are not in the plan: run the command again"; c.Problem == nil || c.Problem.Error() != want {
		t.Errorf("got %v, want %q", c.Problem, want)
	}
}

func TestSame(t *testing.T) {
	const mine = `{manager: us, operation: Apply, fieldsV1: {"f:data": {"f:a": {}}}}`
	state := func(version, fields, managers string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: data(t, "metadata: {name: a, resourceVersion: "+version+", managedFields: ["+managers+"]}\ndata: {"+fields+"}")}
	}
	live := state("'1'", "a: x", mine)
	for name, test := range map[string]struct {
		after *unstructured.Unstructured
		want  bool
	}{
		"nothing but the version":      {state("'2'", "a: x", mine), true},
		"another time of the manager":  {state("'1'", "a: x", strings.Replace(mine, "{manager", "{time: now, manager", 1)), true},
		"another manager comes":        {state("'1'", "a: x", mine+", {manager: you, operation: Update}"), true},
		"another value":                {state("'1'", "a: y", mine), false},
		"a new field":                  {state("'1'", "a: x, b: y", mine), false},
		"the manager owns more":        {state("'1'", "a: x", strings.Replace(mine, `"f:a": {}`, `"f:a": {}, "f:b": {}`, 1)), false},
		"the manager owns nothing yet": {state("'1'", "a: x", ""), false},
	} {
		if got := same(live, test.after, "us"); got != test.want {
			t.Errorf("%s: the same is %t", name, got)
		}
	}
}

func TestMovedFields(t *testing.T) {
	const was = "metadata: {name: a, generation: 1, labels: {x: y}}\ndata: {p: '1', q: '2'}\nstatus: {n: 1}\n"
	live := &unstructured.Unstructured{Object: data(t, "metadata: {name: a, generation: 2, labels: {x: z}}\ndata: {p: '1', r: '3'}\nstatus: {n: 2}\n")}
	config := &item{gvk: object.GroupGVK(), call: &execute.Call{Change: &plan.Change{CurrentState: data(t, was)}}}
	want := []execute.MovedField{{Field: "data.q", PlannedFrom: "2"}, {Field: "metadata.labels.x", PlannedFrom: "y", Is: "z"}}
	if diff := cmp.Diff(want, movedFields(config, live)); diff != "" {
		t.Error(diff)
	}
	secret := &item{gvk: object.GroupGVK(), call: config.call}
	secret.gvk.Group, secret.gvk.Kind = "", "Secret"
	want[0] = execute.MovedField{Field: "data.q", PlannedFrom: plan.Hidden, Is: plan.Hidden}
	if diff := cmp.Diff(want, movedFields(secret, live)); diff != "" {
		t.Error(diff)
	}
	config.call.Change.SecretWrites = []plan.Expression{{Field: "data.q"}, {Field: "metadata.labels"}}
	want[1] = execute.MovedField{Field: "metadata.labels.x", PlannedFrom: plan.Hidden, Is: plan.Hidden}
	if diff := cmp.Diff(want, movedFields(config, live)); diff != "" {
		t.Error(diff)
	}
}

func TestUsers(t *testing.T) {
	thing := func(kind, current string) *item {
		it := &item{does: remove, call: &execute.Call{Change: &plan.Change{CurrentState: data(t, current)}}}
		it.gvk, _ = object.ParseType(kind)
		it.id = object.Of(&unstructured.Unstructured{Object: it.call.Change.CurrentState})
		it.id.Group, it.id.Kind = it.gvk.Group, it.gvk.Kind
		return it
	}
	var (
		user       = thing("k8s:v1/ConfigMap", "metadata: {name: user, namespace: b, annotations: {config.kubernetes.io/depends-on: '/namespaces/b/ConfigMap/base, /namespaces/b/ConfigMap/other'}}")
		base       = thing("k8s:v1/ConfigMap", "metadata: {name: base, namespace: b}")
		namespace  = thing("k8s:v1/Namespace", "metadata: {name: b}")
		home       = thing("k8s:v1/Namespace", "metadata: {name: home}")
		widget     = thing("k8s:example.com/v1/Widget", "metadata: {name: w, namespace: c}")
		definition = thing("k8s:apiextensions.k8s.io/v1/CustomResourceDefinition", "metadata: {name: widgets.example.com}\nspec: {group: example.com, names: {kind: Widget}}")
	)
	s := newSite()
	s.order = []*item{user, base, namespace, home, widget, definition}
	got := map[string][]string{}
	for it, users := range s.findUsers() {
		for _, u := range users {
			got[it.id.String()] = append(got[it.id.String()], u.id.String()+" "+u.why)
		}
	}
	want := map[string][]string{
		"ConfigMap b/base": {"ConfigMap b/user depends on it"},
		"Namespace b":      {"ConfigMap b/user is in it", "ConfigMap b/base is in it"},
		"CustomResourceDefinition widgets.example.com": {"Widget c/w is of this kind"},
		"Namespace home": {
			"ConfigMap b/user is in the inventory there", "ConfigMap b/base is in the inventory there", "Namespace b is in the inventory there",
			"Widget c/w is in the inventory there", "CustomResourceDefinition widgets.example.com is in the inventory there",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTwins(t *testing.T) {
	old, now := object.ID{Group: "extensions", Kind: "Ingress", Namespace: "a", Name: "b"}, object.ID{Group: "networking.k8s.io", Kind: "Ingress", Namespace: "a", Name: "b"}
	group := &inventory.Inventory{}
	add(group, []object.ID{old, now, {Kind: "Ingress", Namespace: "c", Name: "b"}, now})
	if len(group.Entries) != 3 {
		t.Errorf("%d entries, want 3", len(group.Entries))
	}
	if diff := cmp.Diff(map[object.ID]object.ID{old: now}, twins([]object.ID{old}, group)); diff != "" {
		t.Error(diff)
	}
}
