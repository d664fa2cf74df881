package emulator

import (
	"net/http"
	"strings"

	"kongctl/internal/contract"
)

// fixedAnswer is a row of the table of operations that no type of the catalog
// has. Each row sets one of one and many.
type fixedAnswer struct {
	operation string
	source    origin
	says      string
	// open operations need no token, and the contract does not know them.
	open bool
	// one answers with one object, many with a list that can be filtered.
	one  func(scene, *call) (map[string]any, error)
	many func(scene, *call) ([]map[string]any, error)
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
	var a answer
	err := s.look(c, func(tx Tx) error {
		sc := s.scene(tx, c.region)
		if f.many != nil {
			return sc.fixedList(f, c, &a)
		}
		body, err := f.one(sc, c)
		if err != nil {
			return err
		}
		a = answer{http.StatusOK, s.project(successSchema(c.op), body)}
		return nil
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
	cut, err := cutPage(c, len(views))
	if err != nil {
		return err
	}
	property, _, _ := c.op.Envelope()
	*a = sc.envelope(c, property, views[cut.from:cut.to], cut)
	return nil
}

// openAnswer is the row of an operation beside the contract; nil when there is
// none.
func (s *Server) openAnswer(r *http.Request) *fixedAnswer {
	if f := s.fixed[r.Method+" "+strings.TrimSuffix(r.URL.Path, "/")]; f != nil && f.open {
		return f
	}
	return nil
}

func (s *Server) writeOpen(w http.ResponseWriter, r *http.Request, f *fixedAnswer) {
	body, err := f.one(scene{s: s}, nil)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	s.writeAnswer(w, answer{http.StatusOK, body})
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
