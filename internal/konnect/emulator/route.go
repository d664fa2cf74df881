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

	"github.com/google/uuid"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
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
	// via is set on paths below a resource that is not the parent.
	via *via
}

// actions finds out which operation does what: those that the catalog names,
// and others on the same paths.
func actions(cat *catalog.Catalog) map[*contract.Operation]*action {
	out := map[*contract.Operation]*action{}
	add := func(op *contract.Operation, v verb, b *catalog.Bound) {
		if op != nil && out[op] == nil {
			out[op] = newAction(op, v, b)
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
		item := b.ItemPath()
		add(c.Operation(http.MethodPatch, item), verbPatch, b)
		add(c.Operation(http.MethodPut, item), verbReplace, b)
		if b.Tree != nil {
			add(c.Operation(http.MethodPost, item+"/move"), verbMove, b)
		}
	}
	return out
}

func newAction(op *contract.Operation, v verb, b *catalog.Bound) *action {
	return &action{verb: v, b: b, upsert: v == verbReplace && (b.Shape == catalog.Map || strings.HasPrefix(op.ID, "upsert-"))}
}

// call is a request that was understood.
type call struct {
	op     *contract.Operation
	act    *action
	params map[string]string
	query  *query
	body   map[string]any
	schema *contract.Schema // of the body
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
func (c *call) through() string { return c.params[c.op.PathParams()[c.act.b.Depth()]] }

// route understands a request. The call comes back with an error too, once the
// operation is known.
func (s *Server) route(r *http.Request) (*call, error) {
	op, params, allowed := s.contract.Match(r.Method, r.URL.EscapedPath())
	if op == nil && r.Method == http.MethodPatch {
		if put, params := s.patchable(r); put != nil {
			return s.understand(put, params, r)
		}
	}
	if op == nil && authorized(r) {
		if len(allowed) > 0 {
			p := refuse(http.StatusMethodNotAllowed, "%s is not allowed here", r.Method)
			p.allow = allowed
			return nil, p
		}
		return nil, refuse(http.StatusNotFound, "Not found")
	}
	return s.understand(op, params, r)
}

// understand reads a request of an operation.
func (s *Server) understand(op *contract.Operation, params map[string]string, r *http.Request) (*call, error) {
	if !authorized(r) {
		return &call{op: op}, refuse(http.StatusUnauthorized, "A valid token is required")
	}
	region, err := s.region(r.Host)
	if err != nil {
		return &call{op: op}, err
	}
	raw, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return &call{op: op}, refuse(http.StatusBadRequest, "The query cannot be read: %v", err)
	}
	c := &call{op: op, act: s.acts(op, r.Method), params: params, path: r.URL.EscapedPath(), region: region, raw: raw}
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
	if key, twice := repeatedKey(raw); twice {
		return bad("body", "", "invalid", "is not clear: "+strconv.Quote(key)+" is there twice")
	}
	body, ok := wholeNumbers(v).(map[string]any)
	if !ok {
		return bad("body", "", "is_object", "must be a JSON object")
	}
	if c.act == nil { // the table of fixed answers has it
		c.body = body
		return s.checkBody(c)
	}
	if expand := s.conduct(c.act.b).expand; expand != nil {
		expand(body)
	}
	s.nameFromPath(c, body)
	if tree := c.act.b.Tree; c.act.verb == verbMove && s.conduct(c.act.b).moves && body[tree.Parent] == nil {
		delete(body, tree.Parent)
	}
	c.body = body
	if err := s.checkBody(c); err != nil {
		return err
	}
	if p := checkLabels(body); p != nil {
		return p
	}
	return nil
}

// nameFromPath puts the name that an upsert has in its path into the body.
func (s *Server) nameFromPath(c *call, body map[string]any) {
	con, b := s.conduct(c.act.b), c.act.b
	_, own := c.ids()
	if !c.act.upsert || !con.byName || uuid.Validate(own) == nil || len(con.identity(b)) != 1 {
		return
	}
	if field := con.identity(b)[0]; body[field] == nil {
		body[field] = own
	}
}

// checkBody holds a body against its schema.
func (s *Server) checkBody(c *call) error {
	c.schema = c.op.Body()
	check := c.op.ValidateBody
	if c.act != nil {
		if variant := s.conduct(c.act.b).variant; variant != nil {
			name := variant(c.body)
			c.schema = s.contract.Schema(name)
			check = func(v any, skip func([]string) bool) []contract.Violation {
				return s.contract.Validate(name, contract.Request, v, skip)
			}
		}
	}
	if c.partial() {
		return nil // what it makes of the stored entity is checked
	}
	if vs := check(c.body, nil); len(vs) > 0 {
		return violations("body", "", vs)
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
