package engine

import (
	"strings"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// rename brings a saved plan to the kinds that types have now.
func (h Host) rename(p *plan.Plan) error {
	targets := h.targets()
	if err := targets.load(); err != nil {
		return err
	}
	p.Rename(targets.types.Now)
	for _, c := range p.Changes {
		if p.Foreign() && c.Parent != nil {
			c.Parent.Type = parentKind(targets.types, c)
		}
	}
	p.Mark(targets.types)
	return nil
}

// parentKind is the type of what a change of another program stands below. Of a type
// that is not known here, the reference to the parent says it: portal_id.
func parentKind(types *resource.Types, c *plan.Change) string {
	if t := types.Kind(c.ResourceType); t != nil {
		if t.Parent != nil {
			return t.Parent.Kind
		}
		return ""
	}
	for field, r := range c.References {
		kind := strings.TrimSuffix(field, "_id")
		if types.Kind(kind) != nil && r.Ref == c.Parent.Ref && r.ID == c.Parent.ID {
			return kind
		}
	}
	return ""
}

// journal reads a journal, whose plan may be one of before a kind got another
// name.
func (h Host) journal(name string) (*execute.Unfinished, error) {
	u, err := execute.ReadJournal(name)
	if err != nil {
		return nil, err
	}
	return u, h.rename(u.Plan)
}

// present brings permissions to the kinds that types have now: TYPE, TYPE:REF or
// REF.
func present(types *resource.Types, permissions []string) []string {
	var out []string
	for _, name := range permissions {
		if kind, ref, ok := strings.Cut(name, ":"); ok {
			name = types.Now(kind) + ":" + ref
		}
		out = append(out, name)
	}
	return out
}

// emptied are the kinds that may be emptied.
func emptied(types *resource.Types, kinds []string) []string {
	var out []string
	for _, kind := range kinds {
		out = append(out, types.Now(kind))
	}
	return out
}
