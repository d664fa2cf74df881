package engine

import (
	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Written is where the configuration has a field of a change. Saved plans know where
// the resource stands alone.
func (p *Planned) Written(c *plan.Change, field string) value.Pos {
	if p.set != nil {
		for _, r := range p.set.Resources {
			if r.Type.Kind == c.ResourceType && r.Ref == c.ResourceRef {
				return r.Fields.Nearest(value.ParsePath(field))
			}
		}
	}
	if c.Source == nil {
		return value.Pos{}
	}
	return value.Pos{File: c.Source.File, Line: c.Source.Line, Column: c.Source.Column}
}

// Quote adds to diagnostics the lines of the configuration that they are about.
func (p *Planned) Quote(list diag.List) diag.List {
	if p.files == nil {
		return list
	}
	return p.files.Quote(list)
}
