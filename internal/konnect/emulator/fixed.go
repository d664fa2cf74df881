package emulator

import (
	"net/http"
	"net/url"
	"strings"

	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/emulator/store"
)

// fixedAnswer is a row of the table of operations that no type of the catalog
// has. Each row sets one of one, many, change and as.
type fixedAnswer struct {
	operation string
	source    origin
	says      string
	// beside: the contract does not know the operation.
	beside bool
	// open operations are beside the contract and need no token.
	open bool
	// as is the operation of the contract that an old address stands for; the
	// answer is wrapped in item.
	as string
	// plain answers are not cut to the contract's schema.
	plain bool
	// one answers with one object, many with a list that can be filtered;
	// change writes and may answer with an object.
	one    func(scene, *call) (map[string]any, error)
	many   func(scene, *call) ([]map[string]any, error)
	change func(scene, *call) (map[string]any, error)
}

func byOperation(rows []fixedAnswer) map[string]*fixedAnswer {
	out := make(map[string]*fixedAnswer, len(rows))
	for i := range rows {
		out[rows[i].operation] = &rows[i]
	}
	return out
}

// fixedOf is the row of an operation; a type of the catalog goes before it.
func (s *Server) fixedOf(c *call) *fixedAnswer {
	if c.act != nil {
		return nil
	}
	return s.fixed[c.op.Key()]
}

func (s *Server) runFixed(f *fixedAnswer, c *call) (answer, error) {
	if f.change != nil {
		return s.changeFixed(f, c)
	}
	var a answer
	err := s.look(c, func(tx store.Tx) error {
		sc := s.scene(tx, c.region)
		if f.many != nil {
			return sc.fixedList(f, c, &a)
		}
		body, err := f.one(sc, c)
		if err != nil {
			return err
		}
		if a = (answer{http.StatusOK, body}); !f.plain {
			a.body = s.project(successSchema(c.op), body)
		}
		return nil
	})
	return a, err
}

func (s *Server) changeFixed(f *fixedAnswer, c *call) (answer, error) {
	a := answer{status: successStatus(c.op)}
	err := s.o.Store.Update(func(tx store.Tx) error {
		body, err := f.change(s.scene(tx, c.region), c)
		if body != nil {
			a.body = s.project(successSchema(c.op), body)
		}
		return err
	})
	return a, err
}

func (sc scene) fixedList(f *fixedAnswer, c *call, a *answer) error {
	views, err := f.many(sc, c)
	if err != nil {
		return err
	}
	if err := sortable(c); err != nil {
		return err
	}
	views = c.query.pick(views)
	cut, err := cutPage(c, len(views), nil)
	if err != nil {
		return err
	}
	property, _, _ := c.op.Envelope()
	*a = sc.envelope(c, property, views[cut.from:cut.to], cut)
	return nil
}

// besideAnswer is the row of an operation beside the contract, and the values of
// its path; nil when there is none.
func (s *Server) besideAnswer(r *http.Request) (*fixedAnswer, map[string]string) {
	segs := strings.Split(strings.Trim(r.URL.EscapedPath(), "/"), "/")
	for _, f := range s.beside {
		method, path, _ := strings.Cut(f.operation, " ")
		if method != r.Method {
			continue
		}
		if params, ok := matchPath(path, segs); ok {
			return f, params
		}
	}
	return nil, nil
}

// matchPath holds the parts of an escaped path against a template.
func matchPath(template string, segs []string) (map[string]string, bool) {
	want := strings.Split(strings.Trim(template, "/"), "/")
	if len(want) != len(segs) {
		return nil, false
	}
	params := map[string]string{}
	for i, w := range want {
		if !strings.HasPrefix(w, "{") {
			if w != segs[i] {
				return nil, false
			}
			continue
		}
		v, err := url.PathUnescape(segs[i])
		if err != nil || v == "" {
			return nil, false
		}
		params[strings.Trim(w, "{}")] = v
	}
	return params, true
}

// runBeside answers what the contract does not know.
func (s *Server) runBeside(f *fixedAnswer, params map[string]string, r *http.Request) (answer, error) {
	if f.open {
		body, err := f.one(scene{s: s}, nil)
		return answer{http.StatusOK, body}, err
	}
	if f.as != "" {
		return s.runAs(f.as, params, r)
	}
	if !authorized(r) {
		return answer{}, refuse(http.StatusUnauthorized, "A valid token is required")
	}
	region, err := s.region(r.Host)
	if err != nil {
		return answer{}, err
	}
	raw, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return answer{}, refuse(http.StatusBadRequest, "The query cannot be read: %v", err)
	}
	c := &call{params: params, path: r.URL.EscapedPath(), region: region, raw: raw}
	a := answer{status: http.StatusOK}
	if f.change != nil {
		a.status = map[string]int{http.MethodPost: http.StatusCreated, http.MethodDelete: http.StatusNoContent, http.MethodPut: http.StatusOK}[r.Method]
		return a, s.o.Store.Update(func(tx store.Tx) error {
			_, err := f.change(s.scene(tx, region), c)
			return err
		})
	}
	err = s.lookAt(f.operation, func(tx store.Tx) error {
		body, err := f.one(s.scene(tx, region), c)
		a.body = body
		return err
	})
	return a, err
}

// runAs answers at an old address what the contract answers at the present one.
func (s *Server) runAs(operation string, params map[string]string, r *http.Request) (answer, error) {
	method, path, _ := strings.Cut(operation, " ")
	c, err := s.understand(s.contract.Operation(method, path), params, r)
	if err != nil {
		return answer{}, err
	}
	a, err := s.run(c)
	if err != nil || a.body == nil {
		return a, err
	}
	body, _ := a.body.(map[string]any)
	if w := c.op.Wrapper(); w != "" {
		body, _ = body[w].(map[string]any)
	}
	a.body = map[string]any{"item": body}
	return a, nil
}

func (s *Server) writeBeside(w http.ResponseWriter, r *http.Request, f *fixedAnswer, params map[string]string) {
	a, err := s.runBeside(f, params, r)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	s.writeAnswer(w, a)
}

// constantAnswer is an answer that the contract itself gives: one value for
// every text.
func constantAnswer(_ scene, c *call) (map[string]any, error) {
	m, _ := constantOf(successSchema(c.op)).(map[string]any)
	return m, nil
}

func constantOf(schema *contract.Schema) any {
	schema = schema.Deref()
	if len(schema.Enum) > 0 {
		return schema.Enum[0]
	}
	out := map[string]any{}
	o := schema.Object(nil)
	for _, name := range o.Names() {
		out[name] = constantOf(o.Field(name).Schema)
	}
	return out
}
