package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// DeleteOptions say what is deleted.
type DeleteOptions struct {
	// UID is that of the object that is meant. Another one is not deleted.
	UID types.UID
	// Propagation is Foreground, Background or Orphan; "" leaves it to the server.
	Propagation string
	DryRun      bool
}

// Delete deletes an object. Where an answer was lost and the object is gone
// then, it was deleted.
func (c *Cluster) Delete(ctx context.Context, k Kind, namespace, name string, o DeleteOptions) error {
	_, err := c.Remove(ctx, k, namespace, name, o)
	return err
}

// Remove deletes an object as Delete does. It reports whether the server said
// that the object is gone: others go later, when their finalizers or their time
// to shut down are over.
func (c *Cluster) Remove(ctx context.Context, k Kind, namespace, name string, o DeleteOptions) (gone bool, err error) {
	options := metav1.DeleteOptions{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"},
		DryRun:   dryRun(o.DryRun),
	}
	if o.UID != "" {
		options.Preconditions = &metav1.Preconditions{UID: &o.UID}
	}
	if o.Propagation != "" {
		policy := metav1.DeletionPropagation(o.Propagation)
		options.PropagationPolicy = &policy
	}
	op := operation("delete", k, namespace, name)
	if err := k.named(namespace, name); err != nil {
		return false, &Error{Op: op, Attempts: 1, Err: err}
	}
	body, err := json.Marshal(options)
	if err != nil {
		return false, &Error{Op: op, Attempts: 1, Err: err}
	}
	var answer []byte
	err = c.do(ctx, call{op: op, write: !o.DryRun, repeatable: o.UID != "" || o.DryRun}, func(ctx context.Context) error {
		result := c.client.Delete().AbsPath(k.path(namespace, name)...).SetHeader("Content-Type", "application/json").Body(body).Do(ctx)
		answer, _ = result.Raw() // Error has what can be said about the answer
		return result.Error()
	})
	var failed *Error
	if errors.As(err, &failed) && failed.Missing() && failed.sent {
		return true, nil
	}
	return err == nil && !o.DryRun && deleted(answer, o.UID), err
}

// deleted reports whether an answer says that an object with a UID is gone. The
// server answers with the object itself where that is not so yet.
func deleted(answer []byte, uid types.UID) bool {
	var status metav1.Status
	if err := json.Unmarshal(answer, &status); err != nil {
		return false // it is looked at again
	}
	return status.Kind == "Status" && status.Status == metav1.StatusSuccess && uid != "" && status.Details != nil && status.Details.UID == uid
}

// named refuses what does not name one object: a path without a name is that of
// all objects, and one with dots or slashes leads elsewhere.
func (k Kind) named(namespace, name string) error {
	if name == "" {
		return &refusal{reason: "it has no name"}
	}
	if wrong := rest.IsValidPathSegmentName(name); len(wrong) > 0 {
		return &refusal{reason: fmt.Sprintf("invalid name %q: %s", name, strings.Join(wrong, ", "))}
	}
	if !k.Namespaced {
		return nil
	}
	if namespace == "" {
		return &refusal{reason: "it has no namespace"}
	}
	if wrong := rest.IsValidPathSegmentName(namespace); len(wrong) > 0 {
		return &refusal{reason: fmt.Sprintf("invalid namespace %q: %s", namespace, strings.Join(wrong, ", "))}
	}
	return nil
}

// path is where an object is.
func (k Kind) path(namespace, name string) []string {
	out := []string{"/apis", k.Group, k.Version}
	if k.Group == "" {
		out = []string{"/api", k.Version}
	}
	if k.Namespaced {
		out = append(out, "namespaces", namespace)
	}
	return append(out, k.Resource, name)
}
