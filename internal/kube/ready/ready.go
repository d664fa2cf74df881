// Package ready says whether objects are ready, and waits until they are, or
// until they are gone.
//
// In: objects, and a way to read them again. Out: their status in the words of
// kstatus, and errors that say what is missing. It must never change anything,
// and never import what plans or applies.
package ready

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

// The statuses of an object.
const (
	Current     = string(status.CurrentStatus)
	InProgress  = string(status.InProgressStatus)
	Failed      = string(status.FailedStatus)
	Terminating = string(status.TerminatingStatus)
	NotFound    = string(status.NotFoundStatus)
	Unknown     = string(status.UnknownStatus)
)

// State is how far an object is.
type State struct {
	Status string
	// Message says what it waits for, or why it failed.
	Message string
}

// String reads "InProgress: Replicas: 0/1".
func (s State) String() string {
	if s.Message == "" {
		return s.Status
	}
	return s.Status + ": " + s.Message
}

// Of returns how far an object is. It is current only when whoever looks after
// it has seen the generation that was written; 0 where nothing was.
func Of(u *unstructured.Unstructured, written int64) State {
	if u == nil {
		return State{Status: NotFound, Message: "does not exist"}
	}
	if s, old := outdated(u, written); old {
		return s
	}
	result, err := status.Compute(u)
	if err != nil {
		return State{Status: Unknown, Message: "unreadable status"}
	}
	out := State{Status: string(result.Status), Message: result.Message}
	if out.Status == Current || out.Status == Failed {
		if s, old := behind(u); old {
			return s
		}
	}
	return out
}

// outdated reports whether an object is older than what was written.
func outdated(u *unstructured.Unstructured, written int64) (State, bool) {
	if u.GetDeletionTimestamp() != nil || written == 0 || u.GetGeneration() == 0 || u.GetGeneration() >= written {
		return State{}, false
	}
	return State{Status: InProgress, Message: fmt.Sprintf("generation %d is not visible yet, only %d", written, u.GetGeneration())}, true
}

// observed are the kinds whose controllers always say which generation they have
// seen: without it they have not seen the object at all.
func observed(gk schema.GroupKind) bool {
	switch gk.Group {
	case "apps":
		return gk.Kind == "Deployment" || gk.Kind == "StatefulSet" || gk.Kind == "DaemonSet" || gk.Kind == "ReplicaSet"
	case "policy":
		return gk.Kind == "PodDisruptionBudget"
	case "":
		return gk.Kind == "ReplicationController"
	default:
		return false
	}
}

// behind reports whether the status of an object is about an older generation.
func behind(u *unstructured.Unstructured) (State, bool) {
	generation := u.GetGeneration()
	if generation == 0 {
		return State{}, false
	}
	seen, found, err := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
	switch {
	case err == nil && found && seen < generation,
		err == nil && !found && observed(u.GroupVersionKind().GroupKind()):
		return State{Status: InProgress, Message: fmt.Sprintf("generation %d is not observed yet", generation)}, true
	}
	conditions, _, err := unstructured.NestedSlice(u.Object, "status", "conditions")
	if err != nil {
		return State{}, false // not the form that says anything
	}
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		seen, found, err := unstructured.NestedInt64(condition, "observedGeneration")
		kind, _ := condition["type"].(string)
		if (kind == "Ready" || kind == "Stalled") && err == nil && found && seen < generation {
			return State{Status: InProgress, Message: fmt.Sprintf("condition %s is about generation %d, and this is %d", kind, seen, generation)}, true
		}
	}
	return State{}, false
}
