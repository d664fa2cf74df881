package emulator

import (
	"maps"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/emulator/store"
)

// readOne answers with one resource.
func (s *Server) readOne(c *call) (answer, error) {
	var a answer
	err := s.look(c, func(tx store.Tx) error {
		sc := s.scene(tx, c.region)
		rec, err := sc.target(c)
		if err != nil {
			return err
		}
		a = sc.single(c, rec)
		return nil
	})
	return a, err
}

// target is the resource that the path of the call names.
func (sc scene) target(c *call) (*store.Record, error) {
	ancestors, own := c.ids()
	owner, err := sc.owner(c.act.b, ancestors)
	if err != nil {
		return nil, err
	}
	rec, err := sc.lookup(c, owner, own)
	switch {
	case err != nil:
		return nil, err
	case rec != nil:
		return rec, nil
	case alwaysThere(c.act.b):
		return sc.unwritten(c.act.b, owner), nil
	default:
		return nil, missing(c.act.b, owner, own)
	}
}

// alwaysThere tells of a singleton that can only be changed: it comes with its
// parent.
func alwaysThere(b *catalog.Bound) bool {
	return b.Shape == catalog.Singleton && b.Create == nil
}

// unwritten is such a singleton before its first change.
func (sc scene) unwritten(b *catalog.Bound, owner string) *store.Record {
	parent := sc.tx.Get(b.Parent.Kind, owner)
	rec := &store.Record{Kind: b.Kind, ID: recordID(b, owner, ""), Parent: owner, Created: parent.Created, Updated: parent.Created, Fields: map[string]any{}}
	sc.s.conduct(b).defaults(rec.Fields)
	return rec
}

// single is the answer with one resource in the form of the operation.
func (sc scene) single(c *call, rec *store.Record) answer {
	schema := successSchema(c.op)
	if schema == nil {
		return answer{status: successStatus(c.op)}
	}
	var body any = sc.view(c.act.b, rec)
	w := c.op.Wrapper()
	if w == "" {
		out := sc.s.project(schema, body)
		sc.asIs(c.act.b, body, out)
		return answer{successStatus(c.op), out}
	}
	wrapped, _ := sc.s.project(schema, map[string]any{w: body}).(map[string]any)
	if around := sc.s.conduct(c.act.b).around; around != nil {
		around(sc, c, rec, wrapped)
	}
	return answer{successStatus(c.op), wrapped}
}

// asIs puts the field that is shown as it is into an answer.
func (sc scene) asIs(b *catalog.Bound, view, shown any) {
	field := sc.s.conduct(b).verbatim
	from, _ := view.(map[string]any)
	if to, ok := shown.(map[string]any); ok && field != "" && from[field] != nil {
		to[field] = from[field]
	}
}

// view is all that is known of a resource: more than any answer shows.
func (sc scene) view(b *catalog.Bound, rec *store.Record) map[string]any {
	v := make(map[string]any, len(rec.Fields)+len(rec.Made)+6)
	maps.Copy(v, rec.Fields)
	maps.Copy(v, rec.Made)
	v["id"], v["created_at"], v["updated_at"] = rec.ID, rec.Created, rec.Updated
	if b.External {
		v["id"] = rec.Public()
	}
	if b.ListParent != "" {
		v[b.ListParent] = rec.Parent
	}
	for _, f := range sc.s.conduct(b).views {
		f(sc, rec, v)
	}
	return v
}

// responseSchema is the schema of one resource as it is read, nil when it
// cannot be read alone.
func responseSchema(b *catalog.Bound) *contract.Schema {
	op := b.Read
	if op == nil || b.Listed {
		return nil
	}
	schema := successSchema(op)
	if w := op.Wrapper(); w != "" {
		return schema.At([]string{w}, nil)
	}
	return schema
}
