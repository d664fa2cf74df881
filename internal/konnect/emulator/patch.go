package emulator

import (
	"net/http"

	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/emulator/store"
)

// patchable finds the replacement that a PATCH stands for where the contract has
// none and the table of behaviour has.
func (s *Server) patchable(r *http.Request) (*contract.Operation, map[string]string) {
	op, params, _ := s.contract.Match(http.MethodPut, r.URL.EscapedPath())
	if act := s.action(op); act == nil || !s.conducts[everyType].patched(act.b) {
		return nil, nil
	}
	return op, params
}

// acts is what an operation does when it is asked for with a method.
func (s *Server) acts(op *contract.Operation, method string) *action {
	act := s.action(op)
	if act == nil || method != http.MethodPatch || op.Method == method {
		return act
	}
	return &action{verb: verbPatch, b: act.b, via: act.via}
}

// partial tells of a PATCH that stands for a replacement.
func (c *call) partial() bool {
	return c.act != nil && c.act.verb == verbPatch && c.op.Method != http.MethodPatch
}

// key names the operation of a call.
func (c *call) key() string {
	if c.partial() {
		return http.MethodPatch + " " + c.op.Path
	}
	return c.op.Key()
}

// complete makes a replacement of a partial call: the stored entity with what
// the call changes.
func (sc scene) complete(c *call, old *store.Record) error {
	c.body = merge(c.schema, old.Fields, c.body)
	if expand := sc.s.conduct(c.act.b).expand; expand != nil {
		expand(c.body)
	}
	c.act = sc.s.action(c.op)
	return sc.s.checkBody(c)
}
