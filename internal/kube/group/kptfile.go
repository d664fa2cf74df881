package group

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/value"
)

// KptfileName is what a Kptfile is called.
const KptfileName = "Kptfile"

// kptfileVersion is the one version of Kptfiles whose inventory is read.
const kptfileVersion = object.GroupAPIGroup + "/v1"

// IsKptfile reports whether a document is a Kptfile of any version.
func IsKptfile(v value.Value) bool {
	return strings.HasPrefix(textOf(v.Field("apiVersion")), object.GroupAPIGroup+"/") && textOf(v.Field("kind")) == object.KptfileKind
}

// FromKptfile reads the inventory of a Kptfile, and reports whether it has one.
func FromKptfile(v value.Value) (f File, found bool, diags diag.List) {
	return fromKptfile(v, "", "")
}

// fromKptfile takes name and namespace as given where the inventory lacks them.
func fromKptfile(v value.Value, name, namespace string) (f File, found bool, diags diag.List) {
	inventory := v.Field("inventory")
	f = File{Pos: v.KeyPos("inventory"), Kptfile: true}
	r := reader{code: diag.KubeKptfile, what: KptfileName}
	switch version := textOf(v.Field("apiVersion")); {
	case inventory.IsAbsent(), inventory.Kind() == value.Null:
		return File{}, false, nil
	case version != kptfileVersion:
		r.add(f.Pos, fmt.Sprintf("The Kptfile is of version %s, and only inventories of %s are read.", version, kptfileVersion), "update the package with kpt.")
		return f, true, r.diags
	case inventory.Kind() != value.Map:
		r.add(inventory.Pos(), fmt.Sprintf("inventory is %s, and must be a mapping.", inventory.Kind()), "write inventory with name, namespace and inventoryID.")
		return f, true, r.diags
	}
	known := []string{"name", "namespace", "inventoryID", "labels", "annotations"}
	for _, e := range inventory.Entries() {
		switch e.Key {
		case "name", "namespace", "inventoryID", "labels", "annotations":
		default:
			r.unknown(e, "inventory", known)
		}
	}
	f.Name = r.name(inventory, "inventory.name", name == "")
	f.Namespace = r.namespace(inventory, "inventory.namespace", namespace == "")
	f.ID = r.inventoryID(inventory)
	f.Labels = r.labels(inventory, "inventory.labels")
	f.Annotations, f.local = r.annotations(inventory, "inventory.annotations")
	if id, twice := f.Labels[object.InventoryID]; twice {
		delete(f.Labels, object.InventoryID)
		if id != f.ID && f.ID != "" {
			r.add(inventory.Field("labels").KeyPos(object.InventoryID), fmt.Sprintf("The label %s is %q, and inventory.inventoryID is %q.", object.InventoryID, id, f.ID), "remove the label.")
		}
	}
	return f, true, r.diags
}

func (r *reader) inventoryID(inventory value.Value) string {
	id, pos := r.text(inventory, "inventory.inventoryID")
	if id == "" {
		if kind := inventory.Field("inventoryID").Kind(); kind == value.Absent || kind == value.Null || kind == value.String {
			r.add(pos, "inventory.inventoryID is missing.",
				"add the id that the group has in the cluster (its label "+object.InventoryID+"); if it was never applied, remove the section inventory and run kongctl live init.")
		}
		return ""
	}
	if problem := idProblem(id); problem != "" {
		r.diags.Add(diag.KubeInventoryID, pos, fmt.Sprintf("inventory.inventoryID %q %s.", id, problem), "correct it.")
	}
	return id
}
