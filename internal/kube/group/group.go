// Package group reads and writes the files that name an inventory: ResourceGroups
// and the inventory section of Kptfiles.
//
// In: documents, bytes of files, and folders to write to. Out: the one group that
// a run works with, files written whole or not at all, diagnostics. It must never
// import a client or ask a cluster: what is recorded there is for others to read.
package group

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/value"
)

// DefaultFile is what the file with the ResourceGroup is called unless it is named.
const DefaultFile = "resourcegroup.yaml"

// DefaultNamespace is where init puts a group unless the namespace is given.
const DefaultNamespace = "default"

// File is a ResourceGroup as people keep it: the name of an inventory, not its
// content.
type File struct {
	Name string
	// Namespace is "" where the document names none: like any other object, the
	// group is then in the namespace of the connection. See In.
	Namespace string
	// ID is the inventory id that the label, or the Kptfile, gives; "" for none.
	ID string
	// Labels and Annotations are copied to the cluster: all but the label with the
	// id and the annotations that describe the file.
	Labels, Annotations map[string]string
	// Pos is where it was found.
	Pos value.Pos
	// Kptfile reports that it is the inventory of a Kptfile.
	Kptfile bool

	local map[string]string // annotations that describe the file
}

// String names the group for people.
func (f File) String() string {
	name := f.Name
	if f.Namespace != "" {
		name = f.Namespace + "/" + f.Name
	}
	if f.Kptfile {
		return "inventory " + name
	}
	return object.GroupKind + " " + name
}

// In returns the group with the namespace where it names none.
func (f File) In(namespace string) File {
	if f.Namespace == "" {
		f.Namespace = namespace
	}
	return f
}

// InventoryID returns the id of the inventory: the one given, else one made of name
// and namespace.
func InventoryID(f File) (string, diag.List) {
	var diags diag.List
	id, made := f.ID, false
	if id == "" {
		id, made = f.Name+"-"+f.Namespace, true
	}
	problem := idProblem(id)
	switch {
	case problem == "":
		return id, nil
	case made:
		diags.Add(diag.KubeInventoryID, f.Pos, fmt.Sprintf("The inventory id %q, made of name and namespace, %s.", id, problem),
			fmt.Sprintf("give it a shorter one: add the label %s, or run kongctl live init --name %s --namespace %s --inventory-id ID --force.", object.InventoryID, f.Name, f.Namespace))
	case f.Kptfile:
		diags.Add(diag.KubeInventoryID, f.Pos, fmt.Sprintf("The inventory id %q %s.", id, problem), "correct inventory.inventoryID.")
	default:
		diags.Add(diag.KubeInventoryID, f.Pos, fmt.Sprintf("The inventory id %q %s.", id, problem), "correct the label "+object.InventoryID+".")
	}
	return "", diags
}

// idProblem says why a text cannot be an inventory id, "" where it can.
func idProblem(id string) string {
	switch {
	case id == "":
		return "is empty"
	case len(id) > validation.LabelValueMaxLength:
		return fmt.Sprintf("has %d characters, and at most %d are allowed", len(id), validation.LabelValueMaxLength)
	case len(validation.IsValidLabelValue(id)) > 0:
		return "is not a label value: use letters, digits, '-', '_' and '.', and begin and end with a letter or digit"
	default:
		return ""
	}
}

// nameProblem says why a text cannot be the name of a group, "" where it can.
func nameProblem(name string) string {
	switch {
	case len(name) > validation.DNS1123SubdomainMaxLength:
		return fmt.Sprintf("has %d characters, and at most %d are allowed", len(name), validation.DNS1123SubdomainMaxLength)
	case len(validation.IsDNS1123Subdomain(name)) > 0:
		return "is not an RFC 1123 subdomain: use lower case letters, digits, '-' and '.', and begin and end with a letter or digit"
	default:
		return ""
	}
}

// namespaceProblem says why a text cannot be a namespace, "" where it can.
func namespaceProblem(namespace string) string {
	switch {
	case len(namespace) > validation.DNS1123LabelMaxLength:
		return fmt.Sprintf("has %d characters, and at most %d are allowed", len(namespace), validation.DNS1123LabelMaxLength)
	case len(validation.IsDNS1123Label(namespace)) > 0:
		return "is not an RFC 1123 label: use lower case letters, digits and '-', and begin and end with a letter or digit"
	default:
		return ""
	}
}

// IsGroup reports whether a document is a ResourceGroup.
func IsGroup(v value.Value) bool {
	return object.IsGroup(textOf(v.Field("apiVersion")), textOf(v.Field("kind")))
}

// IsConfigMap reports whether a document is an inventory as old versions of kpt
// kept it.
func IsConfigMap(v value.Value) bool {
	return isConfigMap(v) && v.Lookup(value.Path{"metadata", "labels"}).Has(object.InventoryID)
}

func isConfigMap(v value.Value) bool {
	return textOf(v.Field("apiVersion")) == "v1" && textOf(v.Field("kind")) == "ConfigMap"
}

func textOf(v value.Value) string {
	text, _ := v.Text()
	return text
}

// serverSet are the fields of metadata that only the cluster sets; a copy from
// there has them, and they mean nothing in a file.
var serverSet = []string{"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid"}

// FromValue reads a ResourceGroup. It reports all that is wrong with it.
func FromValue(v value.Value) (File, diag.List) {
	r := reader{code: diag.KubeGroup, what: object.GroupKind}
	f := File{Pos: v.Pos()}
	for _, e := range v.Entries() {
		switch e.Key {
		case "apiVersion", "kind", "metadata":
		case "spec", "status":
			r.add(e.KeyPos, fmt.Sprintf("A ResourceGroup in a file has no %s: the cluster keeps it.", e.Key), "remove "+e.Key+".")
		default:
			r.add(e.KeyPos, fmt.Sprintf("A ResourceGroup has no field %q.", e.Key), "remove it; a ResourceGroup in a file holds apiVersion, kind and metadata.")
		}
	}
	meta := v.Field("metadata")
	if meta.Kind() != value.Map {
		r.add(v.Nearest(value.Path{"metadata"}), "metadata is missing or not a mapping.", "add metadata with name and namespace.")
		return f, r.diags
	}
	for _, e := range meta.Entries() {
		known := []string{"name", "namespace", "labels", "annotations"}
		if !slices.Contains(known, e.Key) && !slices.Contains(serverSet, e.Key) {
			r.unknown(e, "metadata", known)
		}
	}
	f.Name = r.name(meta, "metadata.name", true)
	f.Namespace = r.namespace(meta, "metadata.namespace", false)
	f.Labels = r.labels(meta, "metadata.labels")
	f.Annotations, f.local = r.annotations(meta, "metadata.annotations")
	if id, given := f.Labels[object.InventoryID]; given {
		delete(f.Labels, object.InventoryID)
		f.ID = id
		if problem := idProblem(id); problem != "" {
			r.diags.Add(diag.KubeInventoryID, meta.Field("labels").KeyPos(object.InventoryID), fmt.Sprintf("The inventory id %q %s.", id, problem),
				"correct the label, or remove it if the group was never applied.")
		}
	}
	return f, r.diags
}

// describesFile reports whether an annotation is about the file and not about the
// object.
func describesFile(annotation string) bool {
	prefix, _, _ := strings.Cut(annotation, "/")
	return prefix == "config.kubernetes.io" || prefix == "internal.config.kubernetes.io"
}
