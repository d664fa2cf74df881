package inventory

import (
	"context"
	"fmt"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
)

// Rebuilt is an inventory that was written again.
type Rebuilt struct {
	Inventory *Inventory
	// Found are the objects that name the inventory as their owner, Added those of
	// them that it did not list.
	Found, Added []object.ID
	// Unread is what could not be listed: objects may be missing.
	Unread []Unread
}

// TakenError is an id that another inventory of the cluster has.
type TakenError struct {
	ID    string
	Other *Inventory
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("the inventory id %q belongs to the ResourceGroup %s; fix: name that one, or use another id (live init --inventory-id)", e.ID, e.Other)
}

// Refused reports that a rule of this program forbids it.
func (*TakenError) Refused() bool { return true }

// OtherIDError is an inventory that is in the cluster with another id.
type OtherIDError struct {
	Inventory *Inventory
	ID        string
}

func (e *OtherIDError) Error() string {
	return fmt.Sprintf("the ResourceGroup %s has the id %q in the cluster, not %q; fix: write the id of the cluster into the file (label %s)", e.Inventory, e.Inventory.ID, e.ID, object.InventoryID)
}

// Refused reports that a rule of this program forbids it.
func (*OtherIDError) Refused() bool { return true }

// Rebuild finds the objects that name an inventory as their owner, and writes the
// inventory again: with these, and with what is left of it.
func Rebuild(ctx context.Context, c *cluster.Cluster, want *Inventory, o SaveOptions) (*Rebuilt, error) {
	var unread []Unread
	others, err := selected(ctx, c, "", object.InventoryID+"="+want.ID, true)
	if resource.Denied(err) { // another may have the id, elsewhere
		unread = append(unread, Unread{GroupVersion: Kind.GroupVersion(), Resource: Kind.Resource, Err: err})
		others, err = selected(ctx, c, want.Namespace, object.InventoryID+"="+want.ID, true)
	}
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		if other.Name != want.Name || other.Namespace != want.Namespace {
			return nil, &TakenError{want.ID, other}
		}
	}
	have, err := Salvage(ctx, c, want.Namespace, want.Name)
	if err != nil {
		return nil, err
	}
	if have == nil {
		have = want
	}
	if have.ID != want.ID {
		return nil, &OtherIDError{have, want.ID}
	}
	objects, more, err := Find(ctx, c, want.ID)
	if err != nil {
		return nil, err
	}
	out := &Rebuilt{Inventory: have, Unread: append(unread, more...)}
	for _, u := range objects {
		id := object.Of(u)
		out.Found = append(out.Found, id)
		if !have.Has(id) {
			out.Added = append(out.Added, id)
			have.Entries = append(have.Entries, Entry{ID: id})
		}
	}
	if len(objects) == 0 && have.UID == "" {
		return out, nil // there is nothing to record
	}
	if o.DryRun {
		return out, have.Check(o)
	}
	if _, err := InstallCRD(ctx, c, false); err != nil {
		return nil, err
	}
	return out, Save(ctx, c, have, o)
}
