package cluster

import (
	"context"
	"encoding/json"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

type patchType = types.PatchType

// chunk is how many objects a list asks for at a time.
const chunk = 500

// ListOptions select objects. The zero value selects all.
type ListOptions struct {
	LabelSelector, FieldSelector string
	// Keep drops objects as soon as they were read.
	Keep func(*unstructured.Unstructured) bool
}

// ApplyOptions say how an object is applied.
type ApplyOptions struct {
	Manager string
	// Force takes fields that other managers own.
	Force  bool
	DryRun bool
	// Hide lists values that must not be in an error, besides data of Secrets.
	Hide []string
}

// PatchOptions say how an object is patched.
type PatchOptions struct {
	Manager     string
	Subresource string
	DryRun      bool
	Hide        []string
}

func (c *Cluster) at(k Kind, namespace string) dynamic.ResourceInterface {
	resource := c.dynamic.Resource(k.gvr())
	if k.Namespaced {
		return resource.Namespace(namespace)
	}
	return resource
}

// operation names a request for people: apply Deployment prod/web.
func operation(verb string, k Kind, namespace, name string) string {
	switch {
	case name == "" && (namespace == "" || !k.Namespaced):
		return verb + " " + k.Resource
	case name == "":
		return verb + " " + k.Resource + " in " + namespace
	case namespace == "" || !k.Namespaced:
		return verb + " " + k.Kind + " " + name
	default:
		return verb + " " + k.Kind + " " + namespace + "/" + name
	}
}

func dryRun(on bool) []string {
	if on {
		return []string{metav1.DryRunAll}
	}
	return nil
}

// Get returns an object.
func (c *Cluster) Get(ctx context.Context, k Kind, namespace, name string) (*unstructured.Unstructured, error) {
	op := operation("get", k, namespace, name)
	if err := k.named(namespace, name); err != nil {
		return nil, &Error{Op: op, Attempts: 1, Err: err}
	}
	var out *unstructured.Unstructured
	err := c.do(ctx, call{op: op, repeatable: true}, func(ctx context.Context) (err error) {
		out, err = c.at(k, namespace).Get(ctx, name, metav1.GetOptions{})
		return err
	})
	return out, err
}

// List returns the objects of a kind, of all namespaces where none is given.
func (c *Cluster) List(ctx context.Context, k Kind, namespace string, o ListOptions) ([]*unstructured.Unstructured, error) {
	out, _, err := c.list(ctx, k, namespace, o)
	return out, err
}

// list returns the objects, and the version of the whole.
func (c *Cluster) list(ctx context.Context, k Kind, namespace string, o ListOptions) ([]*unstructured.Unstructured, string, error) {
	options := metav1.ListOptions{LabelSelector: o.LabelSelector, FieldSelector: o.FieldSelector, Limit: chunk}
	var out []*unstructured.Unstructured
	for {
		var page *unstructured.UnstructuredList
		err := c.do(ctx, call{op: operation("list", k, namespace, ""), repeatable: true}, func(ctx context.Context) (err error) {
			page, err = c.at(k, namespace).List(ctx, options)
			return err
		})
		if err != nil && options.Continue != "" && apierrors.IsResourceExpired(errors.Unwrap(err)) {
			// The rest of this version is gone: once more, in one piece.
			options.Continue, options.Limit, out = "", 0, nil
			continue
		}
		if err != nil {
			return nil, "", err
		}
		for i := range page.Items {
			u := page.Items[i] // a pointer into the page would keep all of it
			if o.Keep == nil || o.Keep(&u) {
				out = append(out, &u)
			}
		}
		if options.Continue = page.GetContinue(); options.Continue == "" {
			return out, page.GetResourceVersion(), nil
		}
	}
}

// Apply makes the fields of an object those of its manager, with server-side
// apply.
func (c *Cluster) Apply(ctx context.Context, k Kind, u *unstructured.Unstructured, o ApplyOptions) (*unstructured.Unstructured, error) {
	op := operation("apply", k, u.GetNamespace(), u.GetName())
	if len(u.GetManagedFields()) > 0 {
		return nil, &Error{Op: op, Attempts: 1, Err: &refusal{reason: "metadata.managedFields is set; fix: remove it from the manifest"}}
	}
	if err := k.named(u.GetNamespace(), u.GetName()); err != nil {
		return nil, &Error{Op: op, Attempts: 1, Err: err}
	}
	data, err := json.Marshal(u.Object)
	if err != nil {
		return nil, &Error{Op: op, Attempts: 1, Err: &refusal{reason: err.Error()}}
	}
	// Fields that the kind does not have are refused: a typo would be dropped.
	options := metav1.PatchOptions{FieldManager: o.Manager, Force: &o.Force, DryRun: dryRun(o.DryRun), FieldValidation: metav1.FieldValidationStrict}
	var out *unstructured.Unstructured
	err = c.do(ctx, call{op: op, write: !o.DryRun, repeatable: true, mask: maskOf(k, u.Object, o.Hide)}, func(ctx context.Context) (err error) {
		out, err = c.at(k, u.GetNamespace()).Patch(ctx, u.GetName(), types.ApplyPatchType, data, options)
		return err
	})
	return out, err
}

// Create makes an object.
func (c *Cluster) Create(ctx context.Context, k Kind, u *unstructured.Unstructured, dry bool) (*unstructured.Unstructured, error) {
	return c.write(ctx, "create", k, u, dry, func(ctx context.Context, r dynamic.ResourceInterface) (*unstructured.Unstructured, error) {
		return r.Create(ctx, u, metav1.CreateOptions{DryRun: dryRun(dry), FieldValidation: metav1.FieldValidationStrict})
	})
}

// Update replaces an object; its resourceVersion must be the current one.
func (c *Cluster) Update(ctx context.Context, k Kind, u *unstructured.Unstructured, dry bool) (*unstructured.Unstructured, error) {
	return c.write(ctx, "update", k, u, dry, func(ctx context.Context, r dynamic.ResourceInterface) (*unstructured.Unstructured, error) {
		return r.Update(ctx, u, metav1.UpdateOptions{DryRun: dryRun(dry)})
	})
}

// UpdateStatus replaces the status of an object.
func (c *Cluster) UpdateStatus(ctx context.Context, k Kind, u *unstructured.Unstructured, dry bool) (*unstructured.Unstructured, error) {
	return c.write(ctx, "update status of", k, u, dry, func(ctx context.Context, r dynamic.ResourceInterface) (*unstructured.Unstructured, error) {
		return r.UpdateStatus(ctx, u, metav1.UpdateOptions{DryRun: dryRun(dry)})
	})
}

func (c *Cluster) write(ctx context.Context, verb string, k Kind, u *unstructured.Unstructured, dry bool,
	send func(context.Context, dynamic.ResourceInterface) (*unstructured.Unstructured, error),
) (*unstructured.Unstructured, error) {
	op := operation(verb, k, u.GetNamespace(), u.GetName())
	if err := k.named(u.GetNamespace(), u.GetName()); err != nil {
		return nil, &Error{Op: op, Attempts: 1, Err: err}
	}
	var out *unstructured.Unstructured
	call := call{op: op, write: !dry, repeatable: dry, mask: maskOf(k, u.Object, nil)}
	err := c.do(ctx, call, func(ctx context.Context) (err error) {
		out, err = send(ctx, c.at(k, u.GetNamespace()))
		return err
	})
	return out, err
}

// Patch changes an object.
func (c *Cluster) Patch(ctx context.Context, k Kind, namespace, name string, typ types.PatchType, data []byte, o PatchOptions) (*unstructured.Unstructured, error) {
	var sub []string
	if o.Subresource != "" {
		sub = append(sub, o.Subresource)
	}
	// A patch of another form than an object has no fields to hide.
	var fields map[string]any
	_ = json.Unmarshal(data, &fields)
	op := operation("patch", k, namespace, name)
	if err := k.named(namespace, name); err != nil {
		return nil, &Error{Op: op, Attempts: 1, Err: err}
	}
	var out *unstructured.Unstructured
	call := call{op: op, write: !o.DryRun, repeatable: o.DryRun, mask: maskOf(k, fields, o.Hide)}
	err := c.do(ctx, call, func(ctx context.Context) (err error) {
		out, err = c.at(k, namespace).Patch(ctx, name, typ, data, metav1.PatchOptions{FieldManager: o.Manager, DryRun: dryRun(o.DryRun)}, sub...)
		return err
	})
	return out, err
}
