package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"kongctl/internal/catalog"
	"kongctl/internal/contract"
)

const maxBody = 64 << 20

// verb is what an operation does to resources of a type.
type verb uint8

const (
	verbCreate verb = iota
	verbRead
	verbList
	verbPatch
	verbReplace
	verbDelete
	verbMove
)

// action is an operation seen from the catalog.
type action struct {
	verb verb
	b    *catalog.Bound
	// upsert: a replace creates what is not there.
	upsert bool
}

// actions finds out which operation does what: those that the catalog names,
// and others on the same paths.
func actions(cat *catalog.Catalog) map[*contract.Operation]*action {
	out := map[*contract.Operation]*action{}
	add := func(op *contract.Operation, v verb, b *catalog.Bound) {
		if op != nil && out[op] == nil {
			out[op] = &action{verb: v, b: b, upsert: v == verbReplace && (b.Shape == catalog.Map || strings.HasPrefix(op.ID, "upsert-"))}
		}
	}
	for _, b := range cat.All() {
		c := cat.Contract
		if b.Shape != catalog.Map {
			add(b.Create, verbCreate, b)
		}
		add(b.List, verbList, b)
		add(b.Read, verbRead, b)
		add(b.Delete, verbDelete, b)
		item := itemPath(b)
		add(c.Operation(http.MethodPatch, item), verbPatch, b)
		add(c.Operation(http.MethodPut, item), verbReplace, b)
		if b.Tree != nil {
			add(c.Operation(http.MethodPost, item+"/move"), verbMove, b)
		}
	}
	return out
}

// itemPath is the path of one resource.
func itemPath(b *catalog.Bound) string {
	for _, op := range []*contract.Operation{b.Update, b.Delete, b.Read} {
		if op != nil {
			return op.Path
		}
	}
	return b.Path
}

// call is a request that was understood.
type call struct {
	op     *contract.Operation
	act    *action
	params map[string]string
	query  *query
	body   map[string]any
	path   string
	region string
	raw    url.Values
}

// ids are the values of the path's parameters, from left to right: those of the
// ancestors and, on the path of one resource, its own.
func (c *call) ids() (ancestors []string, own string) {
	for _, name := range c.op.PathParams() {
		ancestors = append(ancestors, c.params[name])
	}
	if depth := c.act.b.Depth(); len(ancestors) > depth {
		return ancestors[:depth], ancestors[depth]
	}
	return ancestors, ""
}

// route understands a request. The call comes back with an error too, once the
// operation is known.
func (s *Server) route(r *http.Request) (*call, error) {
	op, params, allowed := s.contract.Match(r.Method, r.URL.EscapedPath())
	if !authorized(r) {
		return &call{op: op}, refuse(http.StatusUnauthorized, "A valid token is required")
	}
	if op == nil {
		if len(allowed) > 0 {
			p := refuse(http.StatusMethodNotAllowed, "%s is not allowed here", r.Method)
			p.allow = allowed
			return nil, p
		}
		return nil, refuse(http.StatusNotFound, "Not found")
	}
	region, err := s.region(r.Host)
	if err != nil {
		return &call{op: op}, err
	}
	raw, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return &call{op: op}, refuse(http.StatusBadRequest, "The query cannot be read: %v", err)
	}
	c := &call{op: op, act: s.actions[op], params: params, path: r.URL.EscapedPath(), region: region, raw: raw}
	if c.act == nil && s.fixedOf(c) == nil {
		return c, refuse(http.StatusNotImplemented, "The embedded Konnect does not serve %s (%s) yet", op.ID, op.Key())
	}
	return c, s.read(c, r)
}

func authorized(r *http.Request) bool {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return ok && strings.EqualFold(scheme, "bearer") && strings.TrimSpace(token) != ""
}

// read takes parameters and body out of the request and validates them.
func (s *Server) read(c *call, r *http.Request) error {
	for _, name := range c.op.PathParams() {
		if vs := c.op.ValidateParam(name, c.params[name]); len(vs) > 0 {
			return violations("path", name, vs)
		}
	}
	q, err := s.parseQuery(c)
	if err != nil {
		return err
	}
	c.query = q
	if c.op.Body() == nil {
		return nil
	}
	return s.readBody(c, r)
}

func (s *Server) readBody(c *call, r *http.Request) error {
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return refuse(http.StatusBadRequest, "The body could not be read")
	}
	if len(raw) > maxBody {
		return refuse(http.StatusRequestEntityTooLarge, "The body is larger than %d bytes", maxBody)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		if c.op.BodyRequired {
			return bad("body", "", "required", "a body is required")
		}
		raw = []byte("{}")
	} else if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != c.op.MediaType {
		return s.wrongMedia(c.op, r.Header.Get("Content-Type"))
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return bad("body", "", "invalid", "is not JSON: "+err.Error())
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return bad("body", "", "invalid", "more follows after the JSON value")
	}
	body, ok := v.(map[string]any)
	if !ok {
		return bad("body", "", "is_object", "must be a JSON object")
	}
	if expand := s.conduct(c.act.b).expand; expand != nil {
		expand(body)
	}
	if tree := c.act.b.Tree; c.act.verb == verbMove && s.conduct(c.act.b).moves && body[tree.Parent] == nil {
		delete(body, tree.Parent)
	}
	if vs := c.op.ValidateBody(body, nil); len(vs) > 0 {
		return violations("body", "", vs)
	}
	c.body = body
	if p := s.labels.check(body); p != nil {
		return p
	}
	return nil
}

// wrongMedia is 415 where the contract has it.
func (s *Server) wrongMedia(op *contract.Operation, got string) *problem {
	reason := fmt.Sprintf("must be %s, not %q", op.MediaType, got)
	for _, status := range op.Statuses {
		if status == statusText(http.StatusUnsupportedMediaType) {
			return refuse(http.StatusUnsupportedMediaType, "The content type %s", reason)
		}
	}
	return bad("header", "Content-Type", "invalid", reason)
}

func statusText(status int) string { return strconv.Itoa(status) }

func digits(n uint64) string { return fmt.Sprintf("%016d", n) }

// run carries out a call.
func (s *Server) run(c *call) (answer, error) {
	if f := s.fixedOf(c); f != nil {
		return s.runFixed(f, c)
	}
	switch c.act.verb {
	case verbList:
		return s.list(c)
	case verbRead:
		return s.readOne(c)
	default:
		return s.write(c)
	}
}

func successSchema(op *contract.Operation) *contract.Schema {
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
