package model

import (
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

func (t task) create() (Answer, error) {
	b := t.c.act.b
	ancestors, own := t.c.ids()
	owner, err := t.sc.owner(b, ancestors)
	if err != nil {
		return Answer{}, err
	}
	rec, err := t.fresh(owner, t.linkKey(owner, own))
	if err != nil {
		return Answer{}, err
	}
	if old := t.sc.Tx.Get(b.Kind, rec.ID); old != nil {
		return Answer{}, Refuse(http.StatusConflict, "%s exists already", catalog.Words(b.Kind))
	}
	if b.Listed && t.any(owner) {
		return Answer{}, Refuse(http.StatusConflict, "%s %s has one already", catalog.Words(b.Parent.Kind), owner)
	}
	a, err := t.save(rec)
	t.issue(a.Body)
	return a, err
}

// issue puts a secret that is made up into the answer to a create.
func (t task) issue(body any) {
	field := t.sc.Rule(t.c.act.b).Issues
	if answer, ok := body.(map[string]any); ok && field != "" && t.c.Body[field] == nil {
		answer[field] = strings.ReplaceAll(t.sc.NewID()+t.sc.NewID(), "-", "")
	}
}

func (t task) any(owner string) bool {
	found := false
	t.sc.Tx.Range(t.c.act.b.Kind, owner, func(*store.Record) bool { found = true; return false })
	return found
}

// fresh makes a record from the body of a create, or of a replace at a path that
// has none yet.
func (t task) fresh(owner, key string) (*store.Record, error) {
	b := t.c.act.b
	now := t.sc.m.o.Clock().UTC()
	rec := &store.Record{Kind: b.Kind, Parent: owner, Created: now, Updated: now, Made: map[string]any{}}
	id := key
	if b.Shape == catalog.Map {
		if err := t.keyed(owner, key); err != nil {
			return nil, err
		}
		rec.Made[b.MapKey] = key
	} else {
		id = t.chosenID(key)
	}
	if err := CheckID(b, id); err != nil {
		return nil, err
	}
	rec.ID = recordID(b, owner, id)
	if b.Tree != nil {
		rec.Order = t.lastPlace(owner, t.c.Body[b.Tree.Parent])
	}
	if rec.Fields = t.whole(); b.Link != "" {
		rec.Fields = map[string]any{}
	}
	if err := t.enter(rec); err != nil {
		return nil, err
	}
	return rec, t.sc.Rule(b).Makes.Run(t.sc, rec)
}

// CheckID refuses an id that is no UUID where gateways have them.
func CheckID(b *catalog.Bound, id string) error {
	if b.Writer != "" && uuid.Validate(id) != nil {
		return Bad("body", "id", "is_uuid", "expected a valid UUID")
	}
	return nil
}

// chosenID is the id in the path or in the body where the contract lets clients
// choose, and else a new one.
func (t task) chosenID(key string) string {
	b := t.c.act.b
	if b.IDField != "" && key == "" {
		key, _ = t.c.Body[b.IDField].(string)
	}
	if rule := t.sc.Rule(b); key != "" && rule.ByName && uuid.Validate(key) != nil {
		if identity := rule.identity(b); len(identity) == 1 {
			t.c.Body[identity[0]] = key
		}
		key = ""
	}
	if key == "" {
		key, _ = t.c.Body["id"].(string)
	}
	if key == "" {
		key = idOf(b, t.sc.NewID())
	}
	return key
}

// keyed checks that the key of a Map names a resource where the catalog says so.
func (t task) keyed(owner, key string) error {
	b := t.c.act.b
	ref, ok := b.Reference([]string{b.MapKey})
	at := draft{sc: t.sc, b: b, rec: &store.Record{Kind: b.Kind, Parent: owner}}
	if target := t.sc.Kind(ref.Kind); ok && target != nil && at.referred(target, key) == nil {
		return NotFound(ref.Kind, key)
	}
	return nil
}

// whole is the body of a create or a replace with all defaults.
func (t task) whole() map[string]any {
	schema := t.c.schema
	fields := CloneMap(blank{}.in(t.c.views(), t.c.Body))
	if t.c.act.b.Writer != "" {
		fields = WithoutNulls(fields) // null stands for the default there
	}
	o := schema.Object(fields)
	for k, v := range fields {
		m, isMap := v.(map[string]any)
		if f := o.Field(k); isMap && f != nil {
			if free := f.Schema.Object(nil); len(free.Names()) == 0 && free.Values != nil {
				fields[k] = WithoutNulls(m)
			}
		}
	}
	given := CloneMap(fields)
	Fill(schema, fields)
	rule := t.sc.Rule(t.c.act.b)
	if rule.Bare != nil {
		for _, f := range rule.Bare(fields) {
			if given[f] == nil {
				fields[f] = nil
			}
		}
	}
	rule.defaults(fields)
	for _, own := range []string{"id", "created_at", "updated_at"} {
		delete(fields, own)
	}
	return fields
}

// change patches or replaces.
func (t task) change() (Answer, error) {
	b := t.c.act.b
	ancestors, own := t.c.ids()
	owner, err := t.sc.owner(b, ancestors)
	if err != nil {
		return Answer{}, err
	}
	old, err := t.lookup(owner, own)
	if catalog.InBody(b) {
		old = t.sc.Tx.Taken(b.Kind, t.sc.Rule(b).keyOf(b, &store.Record{Parent: owner, Fields: t.c.Body}))
	}
	switch {
	case err != nil:
		return Answer{}, err
	case old == nil && t.c.act.upsert && t.elsewhere(owner, own):
		return Answer{}, missing(b, owner, own)
	case old == nil && t.c.act.upsert:
		if err := t.c.checkStored(nil); err != nil {
			return Answer{}, err
		}
		rec, err := t.fresh(owner, own)
		if err != nil {
			return Answer{}, err
		}
		return t.save(rec)
	case old == nil && alwaysThere(b):
		old = t.unwritten(owner)
	case old == nil:
		return Answer{}, missing(b, owner, own)
	}
	if err := t.c.checkStored(old.Fields); err != nil {
		return Answer{}, err
	}
	if err := ours(b, old); err != nil {
		return Answer{}, err
	}
	rec := *old
	rec.Made = CloneMap(old.Made)
	rec.Updated = t.sc.m.o.Clock().UTC()
	if t.c.partial() {
		if err := t.complete(old); err != nil {
			return Answer{}, err
		}
	}
	if t.c.act.verb == verbReplace {
		rec.Fields = t.whole()
		keepRequired(b, t.c.Body, rec.Fields, old.Fields)
		keepFixed(t.c.schema, b, rec.Fields, old.Fields)
	} else {
		rec.Fields = merge(t.c.schema, old.Fields, t.c.Body)
		restore(b.Write(), rec.Fields, t.c.Body)
		if err := t.sc.acceptable(b, rec.Fields); err != nil {
			return Answer{}, err
		}
	}
	if b.Tree != nil && rec.Fields[b.Tree.Parent] != old.Fields[b.Tree.Parent] {
		rec.Order = t.lastPlace(owner, rec.Fields[b.Tree.Parent])
	}
	return t.save(&rec)
}

// keepFixed keeps what a create sets and no replacement can: where no form of the
// other body has such a field.
func keepFixed(schema *contract.Schema, b *catalog.Bound, fields, old map[string]any) {
	if b.Create == nil || b.Writer != "" {
		return
	}
	o, written := schema.Object(nil), b.Create.Body().Object(old)
	for name, v := range old {
		if o.Field(name) == nil && written.Field(name) != nil && !o.Open {
			fields[name] = v
		}
	}
}

// keepRequired keeps what a create must have and a replacement may leave out.
// What it sets to null has no value any more.
func keepRequired(b *catalog.Bound, sent, fields, old map[string]any) {
	if b.Create == nil || b.Writer != "" {
		return
	}
	o := b.Create.Body().Object(fields)
	for _, name := range o.Names() {
		if _, unset := sent[name]; unset {
			continue
		}
		if f := o.Field(name); f.Required && !f.Schema.Secret && fields[name] == nil && old[name] != nil {
			fields[name] = old[name]
		}
	}
}

// acceptable holds what a PATCH leaves against the schema of a create, or of a PUT at
// the same path: only so are rules seen that join what is stored with what is new.
func (sc Scene) acceptable(b *catalog.Bound, fields map[string]any) error {
	whole := b.Create
	if whole == nil && b.Update != nil {
		whole = sc.m.contract.Operation(http.MethodPut, b.Update.Path)
	}
	if whole == nil || b.Shape == catalog.Map || b.Writer != "" {
		return nil
	}
	schema := whole.Body()
	known := map[string]any{}
	o := schema.Object(nil)
	for k, v := range fields {
		if o.Field(k) != nil {
			known[k] = v
		}
	}
	secret := func(path []string) bool {
		at := schema.At(path, known)
		return at != nil && at.Secret
	}
	if vs := whole.ValidateBody(known, secret); len(vs) > 0 {
		return Violations("body", "", vs)
	}
	if p := checkLabels(fields); p != nil {
		return p
	}
	return nil
}

// ours refuses to change what Konnect made by itself.
func ours(b *catalog.Bound, rec *store.Record) error {
	if b.SystemFlag != "" && rec.Made[b.SystemFlag] == true {
		return Refuse(http.StatusForbidden, "%s %s is managed by Konnect and cannot be changed", catalog.Words(b.Kind), rec.ID)
	}
	return nil
}

// save works out what was left out, checks what no schema can, and stores.
func (t task) save(rec *store.Record) (Answer, error) {
	if err := t.sc.Put(rec); err != nil {
		return Answer{}, err
	}
	if b := t.c.act.b; catalog.Absent(b, rec.Fields) {
		t.sc.Tx.Delete(b.Kind, rec.ID)
	}
	return t.single(rec), nil
}

// draft is a record that is to be stored.
type draft struct {
	sc   Scene
	b    *catalog.Bound
	rule *Rule
	rec  *store.Record
}

// Put works out what a record leaves out, checks it and stores it.
func (sc Scene) Put(rec *store.Record) error {
	b := sc.Kind(rec.Kind)
	d := draft{sc, b, sc.Rule(b), rec}
	if err := d.resolve(); err != nil {
		return err
	}
	d.inherit()
	if err := d.rule.Fill.Then(d.rule.Check).Run(sc, rec); err != nil {
		return err
	}
	if vs := b.Misfits(rec.Fields, nil); len(vs) > 0 {
		return Violations("body", "", vs)
	}
	if err := d.references(); err != nil {
		return err
	}
	if err := d.names(); err != nil {
		return err
	}
	if err := d.placed(); err != nil {
		return err
	}
	return sc.Store(rec)
}

// Store keeps a record whose key is free.
func (sc Scene) Store(rec *store.Record) error {
	b := sc.Kind(rec.Kind)
	rule := sc.Rule(b)
	rec.Unique, rec.Also = rule.keyOf(b, rec), rule.alsoKeys(b, rec)
	for _, key := range rec.Keys() {
		if sc.noUnique && b.Writer == "" {
			break
		}
		if other := sc.Tx.Taken(b.Kind, key); other != nil && other.ID != rec.ID {
			return rule.taken(b, rec, key)
		}
	}
	dropSecrets(b, rec.Fields)
	sc.Keep(rec)
	return nil
}

// Keep puts a record where it can be found by what it refers to.
func (sc Scene) Keep(rec *store.Record) {
	b := sc.Kind(rec.Kind)
	rec.Refs = sc.Rule(b).refs(b, rec)
	sc.Tx.Put(rec)
}

// complete makes a replacement of a partial call: the stored entity with what
// the call changes.
func (t task) complete(old *store.Record) error {
	t.c.Body = merge(t.c.schema, old.Fields, t.c.Body)
	if expand := t.sc.Rule(t.c.act.b).Expand; expand != nil {
		expand(t.c.Body)
	}
	t.c.act = t.sc.m.actions.of(t.c.Op)
	return t.sc.m.checkBody(t.c)
}
