//go:build !nonative

package native

import (
	"context"
	"fmt"
	"slices"

	"github.com/kong/go-database-reconciler/pkg/dump"
	"github.com/kong/go-database-reconciler/pkg/file"
	"github.com/kong/go-kong/kong"
)

// lookUp adds what the files may refer to although other tags own it
// (_info.default_lookup_tags), so that it is found and left as it is.
func lookUp(ctx context.Context, client *kong.Client, c *file.Content, d *dump.Config) error {
	if c.Info == nil || c.Info.LookUpSelectorTags == nil {
		return nil
	}
	t := c.Info.LookUpSelectorTags
	d.LookUpSelectorTagsConsumers = tagSet(t.Consumers)
	d.LookUpSelectorTagsConsumerGroups = tagSet(t.ConsumerGroups)
	d.LookUpSelectorTagsRoutes = tagSet(t.Routes)
	d.LookUpSelectorTagsServices = tagSet(t.Services)
	d.LookUpSelectorTagsPartials = tagSet(t.Partials)
	if err := lookUpServices(ctx, client, c, d); err != nil {
		return fmt.Errorf("look up by default_lookup_tags: %w", err)
	}
	if err := lookUpConsumers(ctx, client, c, d); err != nil {
		return fmt.Errorf("look up by default_lookup_tags: %w", err)
	}
	return nil
}

// tagSet is nil without tags: that turns looking up off.
func tagSet(tags []string) []string {
	if len(tags) == 0 {
		return nil
	}
	out := slices.Clone(tags)
	slices.Sort(out)
	return slices.Compact(out)
}

func lookUpServices(ctx context.Context, client *kong.Client, c *file.Content, d *dump.Config) error {
	if tags := d.LookUpSelectorTagsServices; tags != nil {
		found, err := dump.GetAllServices(ctx, client, tags)
		if err != nil {
			return err
		}
		for _, s := range found {
			c.Services = append(c.Services, file.FService{Service: *s})
		}
	}
	if tags := d.LookUpSelectorTagsRoutes; tags != nil {
		found, err := dump.GetAllRoutes(ctx, client, tags)
		if err != nil {
			return err
		}
		for _, r := range found {
			c.Routes = append(c.Routes, file.FRoute{Route: *r})
		}
	}
	if tags := d.LookUpSelectorTagsPartials; tags != nil {
		found, err := dump.GetAllPartials(ctx, client, tags)
		if err != nil {
			return err
		}
		for _, p := range found {
			c.Partials = append(c.Partials, file.FPartial{Partial: *p})
		}
	}
	return nil
}

func lookUpConsumers(ctx context.Context, client *kong.Client, c *file.Content, d *dump.Config) error {
	own := len(c.Consumers)
	if tags := d.LookUpSelectorTagsConsumers; tags != nil && !d.SkipConsumers {
		found, err := dump.GetAllConsumers(ctx, client, tags)
		if err != nil {
			return err
		}
		for _, x := range found {
			c.Consumers = append(c.Consumers, file.FConsumer{Consumer: *x})
		}
	}
	tags := d.LookUpSelectorTagsConsumerGroups
	if tags == nil || d.SkipConsumers {
		return nil
	}
	found, err := dump.GetAllConsumerGroups(ctx, client, tags, dump.DefaultLookupTag)
	if err != nil {
		return err
	}
	known := len(c.Consumers)
	for _, g := range found {
		c.ConsumerGroups = append(c.ConsumerGroups, withMembers(c, g, own, known))
	}
	return nil
}

// withMembers is a group as the gateway has it, with its members. The
// first consumers are the files' own, of which the files decide; those up to
// known were looked up by themselves, and the library finds them.
func withMembers(c *file.Content, g *kong.ConsumerGroupObject, own, known int) file.FConsumerGroupObject {
	out := file.FConsumerGroupObject{ConsumerGroup: *g.ConsumerGroup}
	for _, member := range g.Consumers {
		i := slices.IndexFunc(c.Consumers, func(x file.FConsumer) bool { return sameConsumer(&x.Consumer, member) })
		switch {
		case i < 0:
			c.Consumers = append(c.Consumers, file.FConsumer{Consumer: *member, Groups: []*kong.ConsumerGroup{g.ConsumerGroup}})
		case i >= known:
			c.Consumers[i].Groups = append(c.Consumers[i].Groups, g.ConsumerGroup)
		case i < own && !slices.ContainsFunc(c.Consumers[i].Groups, func(x *kong.ConsumerGroup) bool {
			return same(x.ID, g.ConsumerGroup.ID) || same(x.Name, g.ConsumerGroup.Name)
		}):
			continue
		}
		out.Consumers = append(out.Consumers, member)
	}
	return out
}

func sameConsumer(a, b *kong.Consumer) bool {
	return same(a.ID, b.ID) || same(a.Username, b.Username) || same(a.CustomID, b.CustomID)
}

func same(a, b *string) bool { return a != nil && b != nil && *a == *b }
