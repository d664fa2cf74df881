package model

import (
	"net/http"
	"net/url"
	"strconv"

	"kongctl/internal/konnect/contract"
)

// Call is a request that was understood.
type Call struct {
	Op     *contract.Operation
	act    *action
	Params map[string]string
	query  *query
	Body   map[string]any
	schema *contract.Schema // of the body
	Path   string
	Region string
	Raw    url.Values
	// Past: what is read is as old as the faults say.
	Past bool
	// NoUnique lets names be taken twice.
	NoUnique bool
}

// ids are the values of the path's parameters, from left to right: those of the
// ancestors and, on the path of one resource, its own.
func (c *Call) ids() (ancestors []string, own string) {
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

// partial tells of a PATCH that stands for a replacement.
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
