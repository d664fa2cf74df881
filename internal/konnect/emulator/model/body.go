package model

import (
	"github.com/google/uuid"

	"kongctl/internal/konnect/contract"
)

// Accept takes the body of a call and validates it.
func (m *Model) Accept(c *Call, body map[string]any) error {
	c.Body = body
	if c.act == nil { // a fixed answer has it
		return m.checkBody(c)
	}
	rule := m.rule(c.act.b)
	if rule.Expand != nil {
		rule.Expand(body)
	}
	m.nameFromPath(c, body)
	if tree := c.act.b.Tree; c.act.verb == verbMove && rule.Moves && body[tree.Parent] == nil {
		delete(body, tree.Parent)
	}
	if err := m.checkBody(c); err != nil {
		return err
	}
	if p := checkLabels(body); p != nil {
		return p
	}
	return nil
}

// nameFromPath puts the name that an upsert has in its path into the body.
func (m *Model) nameFromPath(c *Call, body map[string]any) {
	con, b := m.rule(c.act.b), c.act.b
	_, own := c.ids()
	if !c.act.upsert || !con.ByName || uuid.Validate(own) == nil || len(con.identity(b)) != 1 {
		return
	}
	if field := con.identity(b)[0]; body[field] == nil {
		body[field] = own
	}
}

// checkBody holds a body against its schema.
func (m *Model) checkBody(c *Call) error {
	c.schema = c.Op.Body()
	check := c.Op.ValidateBody
	if c.act != nil {
		if variant := m.rule(c.act.b).Variant; variant != nil {
			name := variant(c.Body)
			c.schema = m.contract.Schema(name)
			check = func(v any, skip func([]string) bool) []contract.Violation {
				return m.contract.Validate(name, contract.Request, v, skip)
			}
		}
	}
	if c.partial() {
		return nil // what it makes of the stored entity is checked
	}
	if vs := check(c.Body, nil); len(vs) > 0 {
		return Violations("body", "", vs)
	}
	return nil
}
