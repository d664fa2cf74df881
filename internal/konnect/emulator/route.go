package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/value"
)

const maxBody = 64 << 20

// route understands a request. The call comes back with an error too, once the
// operation is known.
func (s *Server) route(r *http.Request) (*model.Call, error) {
	op, params, allowed := s.contract.Match(r.Method, r.URL.EscapedPath())
	if op == nil && r.Method == http.MethodPatch {
		if put, params := s.m.Patchable(r.URL.EscapedPath()); put != nil {
			return s.understand(put, params, r)
		}
	}
	if op == nil && s.authorized(r) {
		if len(allowed) > 0 {
			p := model.Refuse(http.StatusMethodNotAllowed, "%s is not allowed here", r.Method)
			p.Allow = allowed
			return nil, p
		}
		return nil, model.Refuse(http.StatusNotFound, "Not found")
	}
	return s.understand(op, params, r)
}

// understand reads a request of an operation.
func (s *Server) understand(op *contract.Operation, params map[string]string, r *http.Request) (*model.Call, error) {
	c, err := s.open(params, r)
	c.Op = op
	if err != nil {
		return c, err
	}
	if err := s.m.Begin(c, r.Method); err != nil || op.Body() == nil {
		return c, err
	}
	return c, s.readBody(c, r)
}

// open begins a call with what all requests have.
func (s *Server) open(params map[string]string, r *http.Request) (c *model.Call, err error) {
	c = &model.Call{Params: params, Path: r.URL.EscapedPath()}
	if !s.authorized(r) {
		return c, model.Refuse(http.StatusUnauthorized, "A valid token is required")
	}
	_, c.Token, _ = strings.Cut(r.Header.Get("Authorization"), " ")
	c.Token = strings.TrimSpace(c.Token)
	if c.Region, err = s.region(r.Host); err != nil {
		return c, err
	}
	if c.Raw, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		return c, model.Bad("query", "", "invalid", "cannot be read: "+err.Error())
	}
	return c, nil
}

// authorized takes any token but one of a login that has ended.
func (s *Server) authorized(r *http.Request) bool {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	return ok && strings.EqualFold(scheme, "bearer") && token != "" && s.logins.accepts(token)
}

// readBody reads the body of a request and validates it.
func (s *Server) readBody(c *model.Call, r *http.Request) error {
	raw, err := readAll(r)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		if c.Op.BodyRequired {
			return model.Bad("body", "", "required", "a body is required")
		}
		raw = []byte("{}")
	} else if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != c.Op.MediaType {
		return wrongMedia(c.Op, r.Header.Get("Content-Type"))
	}
	whole, err := decode(raw)
	if err != nil {
		return err
	}
	if list, ok := whole.([]any); ok && c.Several() {
		return s.m.AcceptList(c, list)
	}
	body, ok := whole.(map[string]any)
	if !ok {
		return model.Bad("body", "", "is_object", "must be a JSON object")
	}
	return s.m.Accept(c, body)
}

func readAll(r *http.Request) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, model.Bad("body", "", "invalid", "could not be read")
	}
	if len(raw) > maxBody {
		return nil, model.Refuse(http.StatusRequestEntityTooLarge, "The body is larger than %d bytes", maxBody)
	}
	return raw, nil
}

// decode reads one JSON value.
func decode(raw []byte) (any, error) {
	if !utf8.Valid(raw) {
		return nil, model.Bad("body", "", "invalid", "is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, model.Bad("body", "", "invalid", "is not JSON: "+err.Error())
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, model.Bad("body", "", "invalid", "more follows after the JSON value")
	}
	if key, twice := repeatedKey(raw); twice {
		return nil, model.Bad("body", "", "invalid", "is not clear: "+strconv.Quote(key)+" is there twice")
	}
	if at, reason := value.UnfitIn(v); reason != "" {
		return nil, model.Bad("body", at.String(), "invalid", reason)
	}
	return wholeNumbers(v), nil
}

// wrongMedia is 415 where the contract has it.
func wrongMedia(op *contract.Operation, got string) *model.Problem {
	reason := fmt.Sprintf("must be %s, not %q", op.MediaType, got)
	for _, status := range op.Statuses {
		if status == strconv.Itoa(http.StatusUnsupportedMediaType) {
			return model.Refuse(http.StatusUnsupportedMediaType, "The content type %s", reason)
		}
	}
	return model.Bad("header", "Content-Type", "invalid", reason)
}

// run carries out a call as the faults say.
func (s *Server) run(c *model.Call) (model.Answer, error) {
	s.spoil(c, c.Key(), c.Op.Key())
	return s.m.Run(c)
}

// runBeside answers what the contract does not know.
func (s *Server) runBeside(f *model.Fixed, params map[string]string, r *http.Request) (model.Answer, error) {
	if f.Open {
		body, err := f.One(model.Scene{}, nil)
		return model.Answer{Status: http.StatusOK, Body: body}, err
	}
	if f.As != "" {
		maps.Copy(params, f.With)
		return s.runAs(f.As, params, r)
	}
	c, err := s.open(params, r)
	if err != nil {
		return model.Answer{}, err
	}
	if f.Schema != "" {
		if c.Body, err = bodyBeside(r); err != nil {
			return model.Answer{}, err
		}
	}
	s.spoil(c, f.Operation, f.Operation)
	return s.m.RunBeside(f, c, r.Method)
}

// bodyBeside is the object that an operation beside the contract takes.
func bodyBeside(r *http.Request) (map[string]any, error) {
	raw, err := readAll(r)
	if err != nil {
		return nil, err
	}
	whole, err := decode(raw)
	body, ok := whole.(map[string]any)
	if err == nil && !ok {
		err = model.Bad("body", "", "is_object", "must be a JSON object")
	}
	return body, err
}

// runAs answers at an old address what the contract answers at the present one.
func (s *Server) runAs(operation string, params map[string]string, r *http.Request) (model.Answer, error) {
	method, path, _ := strings.Cut(operation, " ")
	c, err := s.understand(s.contract.Operation(method, path), params, r)
	if err != nil {
		return model.Answer{}, err
	}
	a, err := s.run(c)
	if err != nil || a.Body == nil {
		return a, err
	}
	body, _ := a.Body.(map[string]any)
	if w := c.Op.Wrapper(); w != "" {
		body, _ = body[w].(map[string]any)
	}
	a.Body = map[string]any{"item": body}
	return a, nil
}
