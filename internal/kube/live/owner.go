package live

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/object"
)

// owner is whose an object is.
type owner uint8

const (
	ours   owner = iota
	former       // of this inventory, by the id that it had before
	nobody
	foreign
)

// owner says whose an object is, by its annotation.
func (r *reader) owner(u *unstructured.Unstructured) owner {
	switch id := u.GetAnnotations()[object.Owner]; {
	case id == "":
		return nobody
	case id == r.Scope.Inventory.ID:
		return ours
	case r.state.Inventory != nil && id == r.state.Inventory.ID:
		return former
	default:
		return foreign
	}
}

// refusal says why an existing object may not be changed, "" where it may.
func (r *reader) refusal(u *unstructured.Unstructured) string {
	policy := r.Scope.Options.Policy
	switch r.owner(u) {
	case ours:
		return ""
	case nobody:
		if policy == object.Strict {
			return fmt.Sprintf("%s exists and belongs to no inventory. Pass --inventory-policy adopt to take it over.", object.Of(u))
		}
	case former:
		if policy == object.Strict {
			return fmt.Sprintf("%s belongs to the inventory %q. Pass --inventory-policy adopt to write the new id.", object.Of(u), u.GetAnnotations()[object.Owner])
		}
	case foreign:
		if policy != object.ForceAdopt {
			return fmt.Sprintf("%s belongs to the inventory %q. Pass --inventory-policy force-adopt to take it from there.", object.Of(u), u.GetAnnotations()[object.Owner])
		}
	}
	return ""
}

// mayRemove reports whether an object that is not declared any more may be
// deleted: what others took over, or somebody released, stays.
func (r *reader) mayRemove(u *unstructured.Unstructured) bool {
	switch r.owner(u) {
	case ours:
		return true
	case former, nobody:
		return r.Scope.Options.Policy != object.Strict
	default:
		return r.Scope.Options.Policy == object.ForceAdopt
	}
}

// kept says why an object asks not to be deleted, "" where it does not.
func kept(u *unstructured.Unstructured) string { return object.Kept(u.GetAnnotations()) }
