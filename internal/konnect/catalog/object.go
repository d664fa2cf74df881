package catalog

import (
	"time"

	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/resource"
)

// native is what Konnect alone knows of an object.
type native struct {
	parentID string
	labels   map[string]string
	body     map[string]any
}

// NewObject makes an object of what Konnect returned: its fields in the form of
// requests, its labels, and the parent that a list over all parents names.
func NewObject(id string, fields map[string]any, labels map[string]string, parentID string) *resource.Object {
	return &resource.Object{ID: id, Fields: fields, Owner: ownerOf(labels), Native: native{parentID: parentID, labels: labels}}
}

// Keep keeps with an object what Konnect returned, in its own form.
func Keep(o *resource.Object, body map[string]any) {
	n, _ := o.Native.(native)
	n.body = body
	o.Native = n
}

// Body is what Konnect returned, in its own form; it must not be changed.
func Body(o *resource.Object) map[string]any {
	n, _ := o.Native.(native)
	return n.body
}

// With is an object with other fields.
func With(o *resource.Object, fields map[string]any) *resource.Object {
	out := *o
	out.Fields = fields
	return &out
}

// Recorded is an object as a plan recorded it.
func (behaviour) Recorded(id string, fields map[string]any) *resource.Object {
	labels := map[string]string{}
	recorded, _ := fields["labels"].(map[string]any)
	for k, v := range recorded {
		labels[k], _ = v.(string)
	}
	return NewObject(id, fields, labels, "")
}

// ownerOf reads the labels that mark what is managed.
func ownerOf(labels map[string]string) resource.Owner {
	at, _ := time.Parse(label.TimeForm, labels[label.LastUpdated])
	return resource.Owner{Namespace: labels[label.Namespace], Hash: labels[label.Hash], Protected: label.Protects(labels), At: at}
}

// Labels are the labels of an object.
func Labels(o *resource.Object) map[string]string {
	n, _ := o.Native.(native)
	return n.labels
}

// ParentID is the parent that a list over all parents names.
func ParentID(o *resource.Object) string {
	n, _ := o.Native.(native)
	return n.parentID
}
