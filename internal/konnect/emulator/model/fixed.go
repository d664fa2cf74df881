package model

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// Fixed answers an operation that no type of the catalog has. Each row of a
// family sets one of One, Many, Change, Raw and As.
type Fixed struct {
	Operation string
	Source    Origin
	Says      string
	// Beside: the contract does not know the operation.
	Beside bool
	// Open operations are beside the contract and need no token.
	Open bool
	// As is the operation of the contract that an old address stands for; the
	// answer is wrapped in item.
	As string
	// With are values of that operation's path which the old address has as words.
	With map[string]string
	// Schema is what a Change beside the contract takes and answers with.
	Schema string
	// Plain answers are not cut to the contract's schema.
	Plain bool
	// One answers with one object, Many with a list that can be filtered;
	// Change writes and may answer with an object.
	One    func(Scene, *Call) (map[string]any, error)
	Many   func(Scene, *Call) ([]map[string]any, error)
	Change func(Scene, *Call) (map[string]any, error)
	// Raw answers with what is not JSON.
	Raw func(Scene, *Call) (Content, error)
}

// Content is an answer that is not JSON.
type Content struct {
	Media string
	Data  []byte
}

// fixedOf is the row of an operation; a type of the catalog comes before it.
func (m *Model) fixedOf(c *Call) *Fixed {
	if c.act != nil {
		return nil
	}
	if f := m.fixed[c.Op.Key()]; f != nil {
		return f
	}
	return m.listed(c.Op)
}

// listed is the row of a read by id of what a fixed list holds, or nil.
func (m *Model) listed(op *contract.Operation) *Fixed {
	end := strings.LastIndex(op.Path, "/")
	param, named := strings.CutPrefix(op.Path[end+1:], "{")
	list := m.fixed[http.MethodGet+" "+op.Path[:end]]
	if op.Method != http.MethodGet || !named || list == nil || list.Many == nil {
		return nil
	}
	return &Fixed{One: func(sc Scene, c *Call) (map[string]any, error) {
		views, err := list.Many(sc, c)
		if err != nil {
			return nil, err
		}
		id := c.Params[strings.TrimSuffix(param, "}")]
		for _, v := range views {
			if v["id"] == id {
				return v, nil
			}
		}
		return nil, Refuse(http.StatusNotFound, "%s not found", id)
	}}
}

func (t task) fixed(f *Fixed) (Answer, error) {
	switch {
	case f.Many != nil:
		return t.fixedList(f)
	case f.Change != nil:
		a := Answer{Status: successStatus(t.c.Op)}
		body, err := f.Change(t.sc, t.c)
		if body != nil {
			a.Body = t.sc.Project(SuccessSchema(t.c.Op), body)
		}
		return a, err
	case f.Raw != nil:
		body, err := f.Raw(t.sc, t.c)
		return Answer{successStatus(t.c.Op), body}, err
	}
	body, err := f.One(t.sc, t.c)
	if err != nil {
		return Answer{}, err
	}
	if f.Plain {
		return Answer{http.StatusOK, body}, nil
	}
	return Answer{http.StatusOK, t.sc.Project(SuccessSchema(t.c.Op), body)}, nil
}

func (t task) fixedList(f *Fixed) (Answer, error) {
	views, err := f.Many(t.sc, t.c)
	if err != nil {
		return Answer{}, err
	}
	return t.pageOf(views)
}

// pageOf answers with the page of a list that a request asks for.
func (t task) pageOf(views []map[string]any) (Answer, error) {
	if err := sortable(t.c); err != nil {
		return Answer{}, err
	}
	property, item, _ := t.c.Op.Envelope()
	views = t.c.query.pick(views, t.shows(item))
	cut, err := cutPage(t.c, len(views), nil)
	if err != nil {
		return Answer{}, err
	}
	return t.envelope(property, views[cut.from:cut.to], cut), nil
}

// Beside is the row of an operation beside the contract, and the values of its
// path, or nil.
func (m *Model) Beside(method, path string) (*Fixed, map[string]string) {
	segs := strings.Split(strings.Trim(path, "/"), "/")
	for _, f := range m.besides {
		of, template, _ := strings.Cut(f.Operation, " ")
		if of != method {
			continue
		}
		if params, ok := matchPath(template, segs); ok {
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

// RunBeside answers what the contract does not know.
func (m *Model) RunBeside(f *Fixed, c *Call, method string) (Answer, error) {
	a := Answer{Status: http.StatusOK}
	if f.Change != nil {
		a.Status = map[string]int{http.MethodPost: http.StatusCreated, http.MethodDelete: http.StatusNoContent, http.MethodPut: http.StatusOK}[method]
		if f.Schema != "" {
			if vs := m.contract.Validate(f.Schema, contract.Request, c.Body, nil); len(vs) > 0 {
				return a, Violations("body", "", vs)
			}
		}
		err := m.update(c, func(sc Scene) error {
			body, err := f.Change(sc, c)
			if f.Schema != "" && err == nil {
				a.Body = sc.Project(m.contract.Schema(f.Schema), body)
			}
			return err
		})
		return a, err
	}
	err := m.look(c, func(sc Scene) error {
		body, err := f.One(sc, c)
		a.Body = body
		return err
	})
	return a, err
}
