package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/observe"
	"github.com/kongctl/kongctl/internal/kube/ready"
	"github.com/kongctl/kongctl/internal/view"
)

// inventories are those whose objects are shown.
func (o *liveStatusOptions) inventories(ctx context.Context, c *cluster.Cluster, d *display) ([]*inventory.Inventory, error) {
	if o.kind == inventoryRemote {
		all, err := inventory.All(ctx, c, "")
		if err != nil {
			return nil, err
		}
		for _, name := range o.names {
			if !slices.ContainsFunc(all, func(i *inventory.Inventory) bool { return i.Name == name }) {
				return nil, fmt.Errorf("live status: the cluster has no inventory %q", name)
			}
		}
		return slices.DeleteFunc(all, func(i *inventory.Inventory) bool {
			return len(o.names) > 0 && !slices.Contains(o.names, i.Name)
		}), nil
	}
	named, err := o.factory.inventory(ctx, o.input.sources, d)
	if err != nil {
		return nil, err
	}
	o.named = named.Namespace + "/" + named.Name
	i, err := inventory.Load(ctx, c, named.Namespace, named.Name)
	if err != nil || i == nil {
		return nil, err
	}
	return []*inventory.Inventory{i}, nil
}

// nothing says why there is nothing to show. Without an inventory nothing can get
// ready.
func (o *liveStatusOptions) nothing(found []*inventory.Inventory) error {
	in := ""
	if len(o.namespaces) > 0 {
		in = " in the namespaces " + strings.Join(o.namespaces, ", ")
	}
	text := ""
	switch {
	case len(found) == 1:
		text = fmt.Sprintf("the inventory %s lists no objects%s", found[0], in)
	case len(found) > 1:
		text = fmt.Sprintf("the inventories list no objects%s", in)
	case o.kind == inventoryRemote:
		text = "the cluster has no inventories"
	default:
		text = fmt.Sprintf("the inventory %s is not in the cluster; live apply creates it", o.named)
	}
	if len(found) == 0 && (o.until == observe.Current || o.until == observe.Forever) {
		return fmt.Errorf("live status: %s", text)
	}
	return say(o.factory.world.streams.err, "No objects: %s.", text)
}

// statusLine is a status for people and programs.
func statusLine(i *inventory.Inventory, id object.ID, s ready.State) view.StepLine {
	return view.StepLine{
		Type: "status", Object: &event.Object{Group: id.Group, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}, Status: s.Status, Message: s.Message,
		Of: i.Name, More: map[string]any{"inventory": fmt.Sprint(strings.TrimPrefix(i.String(), "/"))},
	}
}
