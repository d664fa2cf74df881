package plan

import (
	"maps"
	"strings"
)

// Rename gives kinds the names that they have now, in all of a plan but for the
// ids of its changes: a plan that was saved before a kind got another name still
// runs.
func (p *Plan) Rename(now func(kind string) string) {
	n := renamer(now)
	n.metadata(&p.Metadata)
	p.Summary.ByResource = n.keys(p.Summary.ByResource)
	for _, c := range p.Changes {
		n.change(c)
	}
	for i := range p.Pending {
		n.name(&p.Pending[i].ResourceType)
	}
	for i := range p.Blocked {
		n.name(&p.Blocked[i].ResourceType)
	}
	for i := range p.Errors {
		n.name(&p.Errors[i].ResourceType)
	}
	for i := range p.Warnings {
		n.name(&p.Warnings[i].ResourceType)
	}
}

type renamer func(kind string) string

func (n renamer) name(kind *string) {
	if *kind != "" {
		*kind = n(*kind)
	}
}

// keys renames the keys of counts by kind.
func (n renamer) keys(counts map[string]int) map[string]int {
	if counts == nil {
		return nil
	}
	out := make(map[string]int, len(counts))
	for kind, count := range counts {
		out[n(kind)] += count
	}
	return out
}

// prefixes renames the kinds that keys begin with, up to a separator.
func prefixes[V any](n renamer, m map[string]V, separator string) map[string]V {
	out := maps.Clone(m)
	for key, v := range m {
		kind, rest, ok := strings.Cut(key, separator)
		if now := n(kind); ok && now != kind {
			delete(out, key)
			out[now+separator+rest] = v
		}
	}
	return out
}

func (n renamer) metadata(m *Metadata) {
	for i := range m.SyncScope.ResourceTypes {
		n.name(&m.SyncScope.ResourceTypes[i])
	}
	m.ReferenceMappings = prefixes(n, m.ReferenceMappings, ":")
	for i := range m.Externals {
		n.name(&m.Externals[i].Type)
	}
}

func (n renamer) change(c *Change) {
	n.name(&c.ResourceType)
	if c.Parent != nil {
		n.name(&c.Parent.Type)
	}
	for path, r := range c.References {
		n.name(&r.Type)
		c.References[path] = r
	}
	if c.Expect != nil {
		c.Expect.Along = prefixes(n, c.Expect.Along, "/")
		c.Expect.AlongUpdatedAt = prefixes(n, c.Expect.AlongUpdatedAt, "/")
		c.Expect.Settings = prefixes(n, c.Expect.Settings, "/")
	}
	c.TakesAlong = n.keys(c.TakesAlong)
	for i := range c.Cascades {
		n.name(&c.Cascades[i].Type)
		if parent := c.Cascades[i].Parent; parent != nil {
			n.name(&parent.Type)
		}
		for j := range c.Cascades[i].Above {
			n.name(&c.Cascades[i].Above[j].Type)
		}
	}
	for i := range c.Lost {
		n.name(&c.Lost[i].Type)
	}
	for i := range c.Kept {
		n.name(&c.Kept[i].Type)
	}
	for _, x := range c.GatewayChanges {
		if x.Removes != nil {
			n.name(&x.Removes.Type)
			x.Removes.Users = prefixes(n, x.Removes.Users, "/")
			for i := range x.Removes.Unread {
				n.name(&x.Removes.Unread[i])
			}
		}
	}
	for i := range c.Detaches {
		n.name(&c.Detaches[i].Type)
	}
}
