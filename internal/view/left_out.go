package view

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// sentFields are the fields that a resource is left with, and the place among them that
// is shown.
type sentFields struct {
	kind   string
	fields map[string]any
	at     value.Path
}

func newSentFields(c *plan.Change) *sentFields {
	fields := map[string]any{}
	if c.Action == plan.Update { // what is not sent stays
		maps.Copy(fields, c.CurrentState)
	}
	maps.Copy(fields, c.Fields)
	return &sentFields{kind: c.ResourceType, fields: fields}
}

// at is the Diff of a part of what is shown.
func (d Diff) at(p value.Path) Diff {
	if d.sent != nil {
		below := *d.sent
		below.at = slices.Concat(below.at, p)
		d.sent = &below
	}
	return d
}

// leftOut is what the field in this place is without a value: what it has by default,
// which may be what it had.
func (d Diff) leftOut(old any) any {
	if d.sent == nil || d.Default == nil {
		return nil
	}
	v, known := d.Default(d.sent.kind, d.sent.fields, d.sent.at)
	if _, unknown := v.(value.Unknown); unknown {
		return marker{text: "(default)"}
	}
	switch {
	case !known || v == nil:
		return nil
	case value.Equal(old, v):
		return old
	}
	return marker{text: compact(v) + " (default)", id: idOf(v)}
}
