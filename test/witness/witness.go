// Package witness holds HTTP exchanges against Konnect's original document, by a
// validator that is not ours.
//
// In: a test, and the exchanges that pass through a Transport or a Handler. Out:
// a test failure for each exchange that the document does not allow, and the
// list of the operations that were seen. Client and embedded Konnect share the
// contract that was made from the document; this package must never import it,
// nor any other room, for else it would witness for itself.
//
// An exchange that the document forbids and that is right all the same has an
// exemption here, with the reason. A test fails once the document allows it.
package witness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// Log is the operations of valid exchanges, as "GET /v3/portals/{portalId}". The
// zero Log is ready for use.
type Log struct {
	mu   sync.Mutex
	seen map[string]int
}

// add counts an operation, nothing when none is named.
func (l *Log) add(op string) {
	if op == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen == nil {
		l.seen = map[string]int{}
	}
	l.seen[op]++
}

// Operations tells how often each operation was seen to succeed.
func (l *Log) Operations() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make(map[string]int, len(l.seen))
	for op, n := range l.seen {
		out[op] = n
	}
	return out
}

// Reporter is the part of a test that is reported of what the document does not
// allow.
type Reporter interface {
	Errorf(format string, args ...any)
}

// Witness checks the exchanges of one test.
type Witness struct {
	t      Reporter
	log    *Log
	router routers.Router
	strict bool // nothing is exempt
}

// New makes a witness. The document is loaded once for all tests of a program,
// which takes about a second.
func New(t Reporter, log *Log) (*Witness, error) {
	router, err := router()
	if err != nil {
		return nil, fmt.Errorf("witness: %w", err)
	}
	return &Witness{t: t, log: log, router: router}, nil
}

// exchange is a request and its answer, read to their ends.
type exchange struct {
	request  *http.Request
	sent     []byte
	status   int
	header   http.Header
	received []byte
}

// ownPrefix stands before what is about the embedded Konnect itself.
const ownPrefix = "/__local/"

// faultHeader is on answers that were asked for, not promised.
const faultHeader = "X-Kongctl-Fault"

// unpublished is what the published contract does not have: what decK asks, and the
// destinations of audit logs.
var unpublished = regexp.MustCompile(`^(/v3/audit-log-destinations|/v2/control-planes/[^/]+/core-entities/(v1/schemas/json/[a-z_]+|filter-chains|ai-models|(consumers/[^/]+/)?oauth2(/[^/]+)?))$`)

// entityPath is where the published contract does not say what is answered for
// a control plane, a plugin, a type of partials, or a config store, that does not exist.
var entityPath = regexp.MustCompile(`^/v2/control-planes/[^/]+/(core-entities/([a-z_-]+|schemas/(plugins|partials)/[^/]+)|config-stores(/[^/]+)?)$`)

// policyPath is where it does not say so for policies of an event gateway that does
// not exist.
var policyPath = regexp.MustCompile(`^/v1/event-gateways/[^/]+/(listeners|virtual-clusters)/[^/]+/[a-z-]*policies$`)

// omitted are secrets that the document says in words are left out of answers, in
// schemas that answers share with requests and that ask for them.
var omitted = regexp.MustCompile(`/tls/client_identity/key": property "key" is missing`)

// everything are roles about all resources of a type, whose id is "*" and not the
// UUID that the document asks for.
var everything = regexp.MustCompile(`/entity_id": string doesn't match the format "uuid"`)

// nulled are fields that other clients take away with null, which the document does not
// say: with the complaint about one of them go those about the other forms of the union
// that it stands in.
var nulled = []struct {
	sent      []byte
	complaint *regexp.Regexp
}{
	{[]byte(`"key_names":null`), regexp.MustCompile(`"/configs(/key-auth/key_names|/openid-connect)?": (Value is not nullable|property "key-auth" is unsupported|property "openid-connect" is missing)$`)},
	{[]byte(`"oidc_issuer":null`), regexp.MustCompile(`"/oidc_issuer": Value is not nullable`)},
	{[]byte(`"oidc_client_id":null`), regexp.MustCompile(`"/oidc_client_id": Value is not nullable`)},
}

// see judges an exchange.
func (w *Witness) see(x exchange) {
	if strings.HasPrefix(x.request.URL.Path, ownPrefix) || x.header.Get(faultHeader) != "" || w.unjudged(x) {
		return // its own business, an answer that was asked for, or nothing to judge it by
	}
	m := x.mark()
	if op, ok := judged.of(m); ok && !w.strict {
		w.log.add(op)
		return
	}
	req := x.request.Clone(context.WithoutCancel(x.request.Context()))
	req.Body = io.NopCloser(bytes.NewReader(x.sent))
	route, params, err := w.router.FindRoute(req)
	if err != nil {
		w.t.Errorf("witness: %s %s (%d): %v", req.Method, req.URL.Path, x.status, err)
		return
	}
	op := route.Method + " " + route.Path
	in := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route, Options: options()}
	sound := true
	complain := func(what string, err error) {
		for _, e := range flatten(err) {
			if w.exempt(x, what, brief(e)) {
				continue
			}
			sound = false
			w.t.Errorf("witness: %s of %s (%d): %s\nrequest %s %s\nanswer  %s", what, op, x.status, brief(e), req.URL.RawQuery, x.sent, x.received)
		}
	}
	// What was refused as wrong may be wrong.
	if x.status != http.StatusBadRequest && x.status != http.StatusUnsupportedMediaType {
		if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil {
			complain("request", err)
		}
	}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: x.status, Header: x.header,
		Body: io.NopCloser(bytes.NewReader(x.received)), Options: options(),
	}
	if err := openapi3filter.ValidateResponse(context.Background(), out); err != nil {
		complain("answer", err)
	}
	if !sound {
		return
	}
	if x.status >= http.StatusMultipleChoices {
		op = ""
	}
	w.log.add(op)
	if !w.strict {
		judged.keep(m, op)
	}
}

// unjudged reports whether the document does not have what an exchange is about.
func (w *Witness) unjudged(x exchange) bool {
	path := x.request.URL.Path
	return !w.strict && (unpublished.MatchString(path) ||
		x.status == http.StatusNotFound && (entityPath.MatchString(path) || policyPath.MatchString(path)))
}

// exempt reports whether a complaint about an exchange is none.
func (w *Witness) exempt(x exchange, what, complaint string) bool {
	for _, n := range nulled {
		if !w.strict && what == "request" && bytes.Contains(x.sent, n.sent) && n.complaint.MatchString(complaint) {
			return true
		}
	}
	return !w.strict && (what == "answer" && omitted.MatchString(complaint) ||
		everything.MatchString(complaint) && bytes.Contains(slices.Concat(x.sent, x.received), []byte(`"entity_id":"*"`)))
}

func options() *openapi3filter.Options {
	return &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true,
		RejectWhenRequestBodyNotSpecified: true, SkipSettingDefaults: true, MultiError: true,
		SchemaValidationOptions: []openapi3.SchemaValidationOption{
			openapi3.EnableFormatValidation(),
			openapi3.WithStringFormatValidator("uuid", uuidFormat()),
		},
	}
}

// brief leaves out the schema and the value that the validator prints.
func brief(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\nSchema:")
	return text
}

// flatten takes errors apart that hold several.
func flatten(err error) []error {
	var many openapi3.MultiError
	if !errors.As(err, &many) {
		return []error{err}
	}
	var out []error
	for _, e := range many {
		out = append(out, flatten(e)...)
	}
	return out
}

// Transport witnesses what a client sends and receives.
func (w *Witness) Transport(next http.RoundTripper) http.RoundTripper { return transport{w, next} }

type transport struct {
	w    *Witness
	next http.RoundTripper
}

// RoundTrip passes on and watches. An exchange that fails has no answer to check.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, err := drain(&r.Body)
	if err != nil {
		return nil, err
	}
	res, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	received, err := drain(&res.Body)
	if err != nil {
		return nil, err
	}
	t.w.see(exchange{r, sent, res.StatusCode, res.Header, received})
	return res, nil
}

// drain reads a body and puts it back.
func drain(body *io.ReadCloser) ([]byte, error) {
	if *body == nil || *body == http.NoBody {
		return nil, nil
	}
	raw, err := io.ReadAll(*body)
	if err := errors.Join(err, (*body).Close()); err != nil {
		return nil, err
	}
	*body = io.NopCloser(bytes.NewReader(raw))
	return raw, nil
}

// Handler witnesses what a server is asked and answers.
func (w *Witness) Handler(next http.Handler) http.Handler { return watched(next, w.see) }

// Refusals witnesses how a server refuses, where the document has the status of the
// answer. Whatever was asked may be wrong.
func (w *Witness) Refusals(next http.Handler) http.Handler { return watched(next, w.seeRefusal) }

func (w *Witness) seeRefusal(x exchange) {
	if x.status < http.StatusBadRequest || strings.HasPrefix(x.request.URL.Path, ownPrefix) {
		return
	}
	route, params, err := w.router.FindRoute(x.request)
	if err != nil || route.Operation.Responses.Status(x.status) == nil {
		return // nothing to judge it by
	}
	op := route.Method + " " + route.Path
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: x.request, PathParams: params, Route: route, Options: options()},
		Status:                 x.status, Header: x.header, Body: io.NopCloser(bytes.NewReader(x.received)), Options: options(),
	})
	if err == nil {
		w.log.add(op)
		return
	}
	for _, e := range flatten(err) {
		w.t.Errorf("witness: refusal of %s (%d): %s\nanswer  %s", op, x.status, brief(e), x.received)
	}
}

// watched passes on and lets each exchange be seen.
func watched(next http.Handler, see func(exchange)) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		sent, err := drain(&r.Body)
		if err != nil {
			http.Error(to, err.Error(), http.StatusBadRequest)
			return
		}
		c := &copying{ResponseWriter: to, status: http.StatusOK}
		next.ServeHTTP(c, r)
		see(exchange{r, sent, c.status, c.Header(), c.body.Bytes()})
	})
}

// copying keeps what a handler writes.
type copying struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader keeps the status.
func (c *copying) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

// Write keeps the body.
func (c *copying) Write(p []byte) (int, error) {
	c.body.Write(p)
	return c.ResponseWriter.Write(p)
}
