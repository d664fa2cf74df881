package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Reattach is an update that a run did not get to: it attaches a resource again
// to what the run replaces, after Detach dropped the reference.
type Reattach struct{ Attach, Detach *Change }

// Detached lists the updates that are still open though the update that they
// follow was sent: their resources have lost references.
func (p *Plan) Detached(sent, done func(id string) bool) []Reattach {
	var out []Reattach
	for _, c := range p.Changes {
		if c.Expect == nil || c.Expect.After == "" || done(c.ID) {
			continue
		}
		if first := p.Change(c.Expect.After); first != nil && len(first.Detaches) > 0 && sent(first.ID) {
			out = append(out, Reattach{c, first})
		}
	}
	return out
}

// String says what is detached from what.
func (x Reattach) String() string {
	var from []string
	for _, d := range x.Detach.Detaches {
		from = append(from, "the "+resource.WithName(resource.Words(d.Type), d.Ref))
	}
	return fmt.Sprintf("the %s was detached from %s", resource.WithName(resource.Words(x.Attach.ResourceType), x.Attach.ResourceRef), strings.Join(from, ", "))
}

// Open reports whether the resource still has fewer references than it had after a
// new plan is carried out, and whether that can be said: of a resource that is not
// declared it cannot. A configuration that declares the field decides by itself,
// and so does a plan that changes it.
func (x Reattach) Open(p *Plan, cat *resource.Types, set *resource.Set, snap resource.State) (open, known bool) {
	t := cat.Kind(x.Attach.ResourceType)
	for _, r := range set.Resources {
		o := snap.Object(r)
		if r.Type != t || o == nil || o.ID != x.Attach.ResourceID || !x.sameParent(r, snap) {
			continue
		}
		for _, d := range x.Detach.Detaches {
			had := value.TextsAt(x.Attach.Fields, value.ParsePath(d.Field))
			at := value.Listed(x.Attach.Fields, value.ParsePath(d.Field))
			if !r.Fields.Lookup(at).IsAbsent() || x.changes(p, at.String()) {
				continue
			}
			if len(t.ReferredIDs(o, d.Field)) < len(had) {
				return true, true
			}
		}
		return false, true
	}
	return false, false
}

// changes reports whether a plan writes a field of the resource, or deletes it.
func (x Reattach) changes(p *Plan, field string) bool {
	return slices.ContainsFunc(p.Changes, func(c *Change) bool {
		if c.ResourceType != x.Attach.ResourceType || c.ResourceID != x.Attach.ResourceID {
			return false
		}
		if (c.Parent == nil) != (x.Attach.Parent == nil) || c.Parent != nil && c.Parent.ID != x.Attach.Parent.ID {
			return false
		}
		_, written := c.ChangedFields[field]
		return written || c.Action == Delete
	})
}

func (x Reattach) sameParent(r *resource.Resource, snap resource.State) bool {
	ids, _ := snap.Ancestors(r)
	return len(ids) == 0 || x.Attach.Parent != nil && x.Attach.Parent.ID == ids[len(ids)-1]
}

// Warn adds a warning to the plan about what an unfinished run left detached.
func (p *Plan) Warn(x Reattach, run string) {
	p.Warnings = append(p.Warnings, Warning{Message: fmt.Sprintf(
		"%s by the unfinished run %s, which did not attach it again: run `kongctl resume %s`, or declare %s",
		x, run, run, diag.Join(x.fields(), "and"))})
}

func (x Reattach) fields() []string {
	var out []string
	for _, d := range x.Detach.Detaches {
		out = append(out, d.Field)
	}
	return out
}
