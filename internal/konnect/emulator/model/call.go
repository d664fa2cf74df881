package model

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// Call is a request that was understood.
type Call struct {
	// Token is who asks.
	Token  string
	Op     *contract.Operation // nil where the contract does not know it
	Params map[string]string   // of the path
	Raw    url.Values          // of the query
	Body   map[string]any
	Path   string
	Region string
	// Past: what is read is as old as the faults say.
	Past bool
	// NoUnique lets names be taken twice.
	NoUnique bool

	act    *action // nil where no type of the catalog has the operation
	items  *items  // of an operation that takes a list of changes
	query  *query
	schema *contract.Schema // of the body
	open   map[string]any   // the body of a PATCH that fits several variants
}

// ids are the values of the path's parameters, from left to right: those of the
// ancestors and, on the path of one resource, its own.
func (c *Call) ids() (ancestors []string, own string) {
	if c.act.b.Link != "" {
		return c.linkIDs()
	}
	for _, name := range c.Op.PathParams() {
		ancestors = append(ancestors, c.Params[name])
	}
	depth := c.act.b.Depth()
	at := depth
	if c.act.via != nil {
		at++
	}
	if len(ancestors) > at {
		return ancestors[:depth], ancestors[at]
	}
	return ancestors[:min(depth, len(ancestors))], ""
}

// through is the id of the resource that a nested path goes through.
func (c *Call) through() string { return c.Params[c.Op.PathParams()[c.act.b.Depth()]] }

// SuccessSchema is the schema of the answer to an operation; nil for none.
func SuccessSchema(op *contract.Operation) *contract.Schema {
	_, schema := op.Success()
	return schema
}

func successStatus(op *contract.Operation) int {
	text, _ := op.Success()
	n, err := strconv.Atoi(text)
	if err != nil {
		return http.StatusOK
	}
	return n
}

// partial reports whether a call is a PATCH that stands for a replacement.
func (c *Call) partial() bool {
	return c.act != nil && c.act.verb == verbPatch && c.Op.Method != http.MethodPatch
}

// Key names the operation of a call.
func (c *Call) Key() string {
	if c.partial() {
		return http.MethodPatch + " " + c.Op.Path
	}
	return c.Op.Key()
}

// Answer is what a request that is not refused gets.
type Answer struct {
	Status int
	Body   any // nil for none
}

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
	dropStart(c.Op, body)
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

// dropStart takes out the states that a request may name to start in: the service
// moves on from them by itself. Any other value stays, and is refused.
func dropStart(op *contract.Operation, body map[string]any) {
	for _, name := range contract.Driven()[op.Key()] {
		if field := op.Body().At([]string{name}, nil); field != nil && slices.Contains(field.Enum, body[name]) {
			delete(body, name)
		}
	}
}

// nameFromPath puts the name that an upsert has in its path into the body.
func (m *Model) nameFromPath(c *Call, body map[string]any) {
	rule, b := m.rule(c.act.b), c.act.b
	_, own := c.ids()
	if !c.act.upsert || !rule.ByName || uuid.Validate(own) == nil || len(rule.identity(b)) != 1 {
		return
	}
	if field := rule.identity(b)[0]; body[field] == nil {
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
	if vs := unknown(c.Body, c.schema, c.Op.Body()); len(vs) > 0 {
		return Violations("body", "", vs)
	}
	if c.partial() {
		return nil // what it makes of the stored entity is checked
	}
	body := c.unset()
	vs := check(body, nil)
	if len(vs) > 0 && c.act != nil && c.act.verb == verbPatch && len(c.schema.Branches()) > 0 && c.schema.Pick(body) == nil {
		c.open = body
		return nil
	}
	if len(vs) > 0 {
		return Violations("body", "", vs)
	}
	return nil
}

// checkStored holds a PATCH that does not say which variant of a union it is of against
// that of what is stored.
func (c *Call) checkStored(stored map[string]any) error {
	if c.open == nil {
		return nil
	}
	if vs := c.Op.ValidateBody(contract.WithVariant(c.schema, c.open, stored), nil); len(vs) > 0 {
		return Violations("body", "", vs)
	}
	return nil
}

// unknown finds the fields of a body that no form of it has. Some schemas of the
// document say that there can be no others, and some say nothing.
func unknown(body map[string]any, forms ...*contract.Schema) []contract.Violation {
	has := map[string]bool{}
	for _, form := range forms {
		o := form.Object(nil)
		if o.Open || o.Values != nil {
			return nil
		}
		for _, name := range o.Names() {
			has[name] = true
		}
	}
	var out []contract.Violation
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if !has[name] {
			out = append(out, contract.Violation{Path: []string{name}, Rule: contract.RuleUnknown, Detail: "is not a field here"})
		}
	}
	return out
}

// unset is the body to validate: null means that a field has no value, also where
// the contract does not say so. Only a PATCH keeps it, to know what to remove.
func (c *Call) unset() map[string]any {
	if c.act == nil || !hasNull(c.Body) {
		return c.Body
	}
	at := c.views()
	body := blank{}.in(at, c.Body)
	if c.act.verb == verbPatch {
		c.Body = blank{items: true}.in(at, c.Body)
	} else {
		c.Body = body
	}
	return body
}

func (c *Call) views() views {
	return views{schema: c.schema, needed: c.act.b.Write(), forms: c.Op.Body()}
}
