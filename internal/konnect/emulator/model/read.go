package model

import (
	"maps"
	"time"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// read answers with one resource.
func (t task) read() (Answer, error) {
	rec, err := t.target()
	if err != nil {
		return Answer{}, err
	}
	return t.single(rec), nil
}

// target is the resource that the path of the call names.
func (t task) target() (*store.Record, error) {
	ancestors, own := t.c.ids()
	owner, err := t.sc.owner(t.c.act.b, ancestors)
	if err != nil {
		return nil, err
	}
	rec, err := t.lookup(owner, own)
	switch {
	case err != nil:
		return nil, err
	case rec != nil:
		return rec, nil
	case alwaysThere(t.c.act.b):
		return t.unwritten(owner), nil
	default:
		return nil, missing(t.c.act.b, owner, own)
	}
}

// alwaysThere reports whether a type is a singleton that can only be changed: it
// comes with its parent.
func alwaysThere(b *catalog.Bound) bool {
	return b.Shape == catalog.Singleton && b.Create == nil
}

// unwritten is such a singleton before its first change.
func (t task) unwritten(owner string) *store.Record {
	b := t.c.act.b
	since := t.sc.since(b, owner)
	rec := &store.Record{Kind: b.Kind, ID: recordID(b, owner, ""), Parent: owner, Created: since, Updated: since, Fields: map[string]any{}}
	Fill(b.Update.Body(), rec.Fields)
	t.sc.Rule(b).defaults(rec.Fields)
	return rec
}

// since is when what a type's resources belong to was made.
func (sc Scene) since(b *catalog.Bound, owner string) time.Time {
	if b.Parent != nil {
		return sc.Tx.Get(b.Parent.Kind, owner).Created
	}
	return founder(sc.Tx).Created
}

// single is the answer with one resource in the form of the operation.
func (t task) single(rec *store.Record) Answer {
	schema := SuccessSchema(t.c.Op)
	if schema == nil {
		return Answer{Status: successStatus(t.c.Op)}
	}
	var body any = t.sc.View(rec)
	w := t.c.Op.Wrapper()
	if w == "" {
		out := t.sc.Project(schema, body)
		t.sc.Rule(t.c.act.b).asIs(body, out)
		t.sc.Rule(t.c.act.b).sparse(out)
		return Answer{successStatus(t.c.Op), out}
	}
	wrapped, _ := t.sc.Project(schema, map[string]any{w: body}).(map[string]any)
	if around := t.sc.Rule(t.c.act.b).Around; around != nil {
		around(t.sc, t.c, rec, wrapped)
	}
	return Answer{successStatus(t.c.Op), wrapped}
}

// asIs puts the field that is shown as it is into an answer.
func (r *Rule) asIs(view, shown any) {
	from, _ := view.(map[string]any)
	if to, ok := shown.(map[string]any); ok && r.Verbatim != "" && from[r.Verbatim] != nil {
		to[r.Verbatim] = from[r.Verbatim]
	}
}

// sparse takes fields without a value out of an answer.
func (r *Rule) sparse(shown any) {
	out, _ := shown.(map[string]any)
	for _, f := range r.Sparse {
		if out[f] == nil {
			delete(out, f)
		}
	}
}

// View is all that is known of a resource: more than any answer shows.
func (sc Scene) View(rec *store.Record) map[string]any {
	b := sc.Kind(rec.Kind)
	v := make(map[string]any, len(rec.Fields)+len(rec.Made)+6)
	maps.Copy(v, rec.Fields)
	maps.Copy(v, rec.Made)
	v["id"], v["created_at"], v["updated_at"] = rec.ID, rec.Created, rec.Updated
	switch {
	case b.Writer != "":
		v["id"] = rec.Public()
	case b.Shape == catalog.Singleton && !b.Listed:
		v["id"] = uuid.NewSHA1(uuid.NameSpaceOID, []byte(b.Kind+rec.ID)).String() // kept by its parent's
	}
	if b.ListParent != "" {
		v[b.ListParent] = rec.Parent
	}
	if b.ListKind != "" {
		v[b.ListKind] = b.Parent.Kind
	}
	if add := sc.Rule(b).View; add != nil {
		add(sc, rec, v)
	}
	return v
}

// responseSchema is the schema of one resource as it is read, nil when it
// cannot be read alone.
func responseSchema(b *catalog.Bound) *contract.Schema {
	op := b.Read
	if op == nil || b.Listed || b.Set != "" {
		return nil
	}
	schema := SuccessSchema(op)
	if w := op.Wrapper(); w != "" {
		return schema.At([]string{w}, nil)
	}
	return schema
}
