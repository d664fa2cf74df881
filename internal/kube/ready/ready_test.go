package ready_test

import (
	"testing"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/ready"
)

func thing(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	var plain map[string]any
	if err := yaml.Unmarshal([]byte(text), &plain); err != nil {
		t.Fatal(err)
	}
	u, err := object.Make(plain)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestOf(t *testing.T) {
	const (
		deployment = "apiVersion: apps/v1\nkind: Deployment\n"
		replicas   = "replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1, conditions: [{type: Available, status: \"True\"}, {type: Progressing, status: \"True\", reason: NewReplicaSetAvailable}]"
		set        = "apiVersion: apps/v1\nkind: StatefulSet\nspec: {replicas: 0}\n"
		custom     = "apiVersion: example.com/v1\nkind: Thing\n"
	)
	for _, test := range []struct {
		name, object string
		written      int64
		want         string
	}{
		{name: "a ConfigMap is ready at once", object: "apiVersion: v1\nkind: ConfigMap", want: "Current: Resource is always ready"},
		{name: "a new Deployment", object: deployment + "metadata: {generation: 1}\nspec: {replicas: 1}", written: 1, want: "InProgress: Replicas: 0/1"},
		{name: "a Deployment that is ready", object: deployment + "metadata: {generation: 1}\nspec: {replicas: 1}\nstatus: {observedGeneration: 1, " + replicas + "}", written: 1, want: "Current: Deployment is available. Replicas: 1"},
		{name: "a Deployment whose status is about the last generation", object: deployment + "metadata: {generation: 2}\nspec: {replicas: 1}\nstatus: {observedGeneration: 1, " + replicas + "}", written: 2, want: "InProgress: Deployment generation is 2, but latest observed generation is 1"},
		{name: "a Deployment as it was before the write", object: deployment + "metadata: {generation: 1}\nspec: {replicas: 1}\nstatus: {observedGeneration: 1, " + replicas + "}", written: 2, want: "InProgress: generation 2 is not visible yet, only 1"},
		{name: "a Deployment that gave up", object: deployment + "metadata: {generation: 1}\nstatus: {observedGeneration: 1, conditions: [{type: Progressing, status: \"False\", reason: ProgressDeadlineExceeded}]}", want: "Failed: Progress deadline exceeded"},
		{name: "a StatefulSet without replicas that nobody has seen", object: set + "metadata: {generation: 1}", want: "InProgress: generation 1 is not observed yet"},
		{name: "a StatefulSet without replicas", object: set + "metadata: {generation: 1}\nstatus: {observedGeneration: 1}", want: "Current: All replicas scheduled as expected. Replicas: 0"},
		{name: "an object of an unknown kind", object: custom + "metadata: {generation: 1}", want: "Current: Resource is current"},
		{name: "a condition of the last generation", object: custom + "metadata: {generation: 2}\nstatus: {conditions: [{type: Ready, status: \"True\", observedGeneration: 1}]}", want: "InProgress: condition Ready is about generation 1, and this is 2"},
		{name: "a failure of the last generation", object: custom + "metadata: {generation: 2}\nstatus: {conditions: [{type: Stalled, status: \"True\", observedGeneration: 1}]}", want: "InProgress: condition Stalled is about generation 1, and this is 2"},
		{name: "a failure", object: custom + "metadata: {generation: 2}\nstatus: {conditions: [{type: Stalled, status: \"True\", message: no money, observedGeneration: 2}]}", want: "Failed: no money"},
		{name: "a condition of this generation", object: custom + "metadata: {generation: 2}\nstatus: {conditions: [{type: Ready, status: \"True\", observedGeneration: 2}]}", want: "Current: Resource is Ready"},
		{name: "an object that is not ready", object: custom + "status: {conditions: [{type: Ready, status: \"False\", message: needs a host}]}", want: "InProgress: needs a host"},
		{name: "an object that is being deleted", object: "apiVersion: v1\nkind: ConfigMap\nmetadata: {deletionTimestamp: \"2026-01-01T00:00:00Z\"}", want: "Terminating: Resource scheduled for deletion"},
		{name: "a definition that is not established", object: "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {generation: 1}", want: "InProgress: Install in progress"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := ready.Of(thing(t, test.object), test.written).String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if got := ready.Of(nil, 1).Status; got != ready.NotFound {
		t.Errorf("no object is %s", got)
	}
}
