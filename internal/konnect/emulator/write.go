package emulator

import (
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/emulator/store"
)

// write carries out a call that changes something, in one transaction.
func (s *Server) write(c *call) (answer, error) {
	var a answer
	err := s.o.Store.Update(func(tx store.Tx) error {
		sc := s.scene(tx, c.region)
		sc.noUnique = s.noUnique(c.key())
		err := sc.attach(c)
		if err != nil {
			return err
		}
		switch c.act.verb {
		case verbCreate:
			a, err = sc.create(c)
		case verbPatch, verbReplace:
			a, err = sc.change(c)
		case verbMove:
			a, err = sc.move(c)
		default:
			a, err = sc.remove(c)
		}
		return err
	})
	return a, err
}

func (sc scene) create(c *call) (answer, error) {
	b := c.act.b
	ancestors, own := c.ids()
	owner, err := sc.owner(b, ancestors)
	if err != nil {
		return answer{}, err
	}
	rec, err := sc.fresh(b, owner, own, c)
	if err != nil {
		return answer{}, err
	}
	if old := sc.tx.Get(b.Kind, rec.ID); old != nil {
		return answer{}, refuse(http.StatusConflict, "%s exists already", spaced(b.Kind))
	}
	if b.Listed && sc.any(b.Kind, owner) {
		return answer{}, refuse(http.StatusConflict, "%s %s has one already", spaced(b.Parent.Kind), owner)
	}
	return sc.save(c, rec)
}

func (sc scene) any(kind, owner string) bool {
	found := false
	sc.tx.Range(kind, owner, func(*store.Record) bool { found = true; return false })
	return found
}

// fresh makes a record from the body of a create, or of a replace at a path that
// has none yet.
func (sc scene) fresh(b *catalog.Bound, owner, key string, c *call) (*store.Record, error) {
	now := sc.s.o.Clock().UTC()
	rec := &store.Record{Kind: b.Kind, Parent: owner, Created: now, Updated: now, Made: map[string]any{}}
	id := key
	if b.Shape == catalog.Map {
		if err := sc.keyed(b, key); err != nil {
			return nil, err
		}
		rec.Made[b.MapKey] = key
	} else {
		id = sc.newID(b, key, c.body)
	}
	if b.External && uuid.Validate(id) != nil {
		return nil, bad("body", "id", "is_uuid", "expected a valid UUID")
	}
	rec.ID = recordID(b, owner, id)
	if b.Tree != nil {
		rec.Order = sc.lastPlace(b, owner, c.body[b.Tree.Parent])
	}
	rec.Fields = sc.whole(c)
	for _, f := range sc.s.conduct(b).makes {
		if err := f(sc, rec); err != nil {
			return nil, err
		}
	}
	return rec, nil
}

// newID is the id in the path or in the body where the contract lets clients
// choose, and else a new one.
func (sc scene) newID(b *catalog.Bound, key string, body map[string]any) string {
	if key != "" && sc.s.conduct(b).byName && uuid.Validate(key) != nil {
		if identity := sc.s.conduct(b).identity(b); len(identity) == 1 {
			body[identity[0]] = key
		}
		key = ""
	}
	if key == "" {
		key, _ = body["id"].(string)
	}
	if key == "" {
		key = sc.s.o.NewID()
	}
	return key
}

// keyed checks that the key of a Map names a resource where the catalog says so.
func (sc scene) keyed(b *catalog.Bound, key string) error {
	ref, ok := b.Reference([]string{b.MapKey})
	if ok && sc.s.cat.Kind(ref.Kind) != nil && sc.tx.Get(ref.Kind, key) == nil {
		return notFound(ref.Kind, key)
	}
	return nil
}

// whole is the body of a create or a replace with all defaults.
func (sc scene) whole(c *call) map[string]any {
	schema := c.schema
	fields := cloneMap(c.body)
	if c.act.b.External {
		fields = withoutNulls(fields) // null stands for the default there
	}
	o := schema.Object(fields)
	for k, v := range fields {
		m, isMap := v.(map[string]any)
		if f := o.Field(k); isMap && f != nil {
			if free := f.Schema.Object(nil); len(free.Names()) == 0 && free.Values != nil {
				fields[k] = withoutNulls(m)
			}
		}
	}
	fill(schema, fields)
	sc.s.conduct(c.act.b).defaults(fields)
	for _, own := range []string{"id", "created_at", "updated_at"} {
		delete(fields, own)
	}
	return fields
}

// change patches or replaces.
func (sc scene) change(c *call) (answer, error) {
	b := c.act.b
	ancestors, own := c.ids()
	owner, err := sc.owner(b, ancestors)
	if err != nil {
		return answer{}, err
	}
	old, err := sc.lookup(c, owner, own)
	switch {
	case err != nil:
		return answer{}, err
	case old == nil && c.act.upsert && sc.elsewhere(c, owner, own):
		return answer{}, missing(b, owner, own)
	case old == nil && c.act.upsert:
		rec, err := sc.fresh(b, owner, own, c)
		if err != nil {
			return answer{}, err
		}
		return sc.save(c, rec)
	case old == nil && alwaysThere(b):
		old = sc.unwritten(b, owner)
	case old == nil:
		return answer{}, missing(b, owner, own)
	}
	if err := ours(b, old); err != nil {
		return answer{}, err
	}
	rec := *old
	rec.Made = cloneMap(old.Made)
	rec.Updated = sc.s.o.Clock().UTC()
	if c.partial() {
		if err := sc.complete(c, old); err != nil {
			return answer{}, err
		}
	}
	if c.act.verb == verbReplace {
		rec.Fields = sc.whole(c)
	} else {
		rec.Fields = merge(c.schema, old.Fields, c.body)
		if err := sc.acceptable(b, rec.Fields); err != nil {
			return answer{}, err
		}
	}
	if b.Tree != nil && rec.Fields[b.Tree.Parent] != old.Fields[b.Tree.Parent] {
		rec.Order = sc.lastPlace(b, owner, rec.Fields[b.Tree.Parent])
	}
	return sc.save(c, &rec)
}

// acceptable holds what a PATCH leaves against the schema of a create: only so
// are rules seen that join what is stored with what is new.
func (sc scene) acceptable(b *catalog.Bound, fields map[string]any) error {
	if b.Create == nil || b.Shape == catalog.Map || b.External {
		return nil
	}
	schema := b.Create.Body()
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
	if vs := b.Create.ValidateBody(known, secret); len(vs) > 0 {
		return violations("body", "", vs)
	}
	if p := checkLabels(fields); p != nil {
		return p
	}
	return nil
}

// ours refuses to change what Konnect made by itself.
func ours(b *catalog.Bound, rec *store.Record) error {
	if b.SystemFlag != "" && rec.Made[b.SystemFlag] == true {
		return refuse(http.StatusForbidden, "%s %s is managed by Konnect and cannot be changed", spaced(b.Kind), rec.ID)
	}
	return nil
}

// save works out what was left out, checks what no schema can, and stores.
func (sc scene) save(c *call, rec *store.Record) (answer, error) {
	if err := sc.put(c.act.b, rec); err != nil {
		return answer{}, err
	}
	return sc.single(c, rec), nil
}

func (sc scene) put(b *catalog.Bound, rec *store.Record) error {
	con := sc.s.conduct(b)
	if err := sc.resolve(b, rec); err != nil {
		return err
	}
	for _, f := range slices.Concat(con.fills, con.checks) {
		if err := f(sc, rec); err != nil {
			return err
		}
	}
	if vs := b.Misfits(rec.Fields, nil); len(vs) > 0 {
		return violations("body", "", vs)
	}
	if err := sc.references(b, rec); err != nil {
		return err
	}
	if err := sc.placed(b, rec); err != nil {
		return err
	}
	return sc.store(b, rec)
}

// store keeps a record whose key is free.
func (sc scene) store(b *catalog.Bound, rec *store.Record) error {
	rec.Unique, rec.Also = sc.s.unique(b, rec), sc.s.also(b, rec)
	for _, key := range rec.Keys() {
		if sc.noUnique && !b.External {
			break
		}
		if other := sc.tx.Taken(b.Kind, key); other != nil && other.ID != rec.ID {
			return sc.s.taken(b, rec, key)
		}
	}
	rec.Refs = sc.s.refs(b, rec)
	dropSecrets(b, rec.Fields)
	sc.tx.Put(rec)
	return nil
}

// taken refuses a record for a key that another has.
func (s *Server) taken(b *catalog.Bound, rec *store.Record, key string) *problem {
	fields := s.conduct(b).identity(b)
	if key != rec.Unique {
		fields = slices.DeleteFunc(s.alsoFields(b), func(f string) bool { return alsoKey(b, rec, f) != key })
	}
	return refuse(http.StatusConflict, "%s with this %s exists already", spaced(b.Kind), strings.ReplaceAll(strings.Join(fields, " and "), "+", " and "))
}

// references checks that what fields newly refer to is there.
func (sc scene) references(b *catalog.Bound, rec *store.Record) error {
	loose := sc.s.conduct(b).loose
	var before map[string]any
	if old := sc.tx.Get(b.Kind, rec.ID); old != nil {
		before = old.Fields
	}
	for _, ref := range sc.s.conduct(b).references(b) {
		target := sc.s.cat.Kind(ref.Kind)
		if target == nil || ref.Field == b.MapKey || loose[ref.Field] {
			continue
		}
		for _, id := range texts(at(rec.Fields, ref.Field)) {
			if sc.referred(target, rec, id) == nil && !slices.Contains(texts(at(before, ref.Field)), id) {
				return bad("body", ref.Field, "missing_reference", spaced(ref.Kind)+" "+id+" does not exist")
			}
		}
	}
	return nil
}

// referred finds what a field of a record refers to. Core entities refer to
// those of the same control plane.
func (sc scene) referred(target *catalog.Bound, rec *store.Record, id string) *store.Record {
	if target.External {
		id = recordID(target, rec.Parent, id)
	}
	return sc.tx.Get(target.Kind, id)
}

// unique is the key that must be free: the identity within the owner.
func (s *Server) unique(b *catalog.Bound, rec *store.Record) string {
	if b.Shape == catalog.Map || b.Shape == catalog.Singleton {
		return ""
	}
	var parts []string
	given := false
	for _, f := range s.conduct(b).identity(b) {
		text := strings.Join(texts(at(rec.Fields, f)), ",")
		given = given || text != ""
		if alike := s.conduct(b).alike; alike != nil {
			text = alike(text)
		}
		parts = append(parts, text)
	}
	if !given {
		return ""
	}
	if b.Tree != nil {
		parent, _ := rec.Fields[b.Tree.Parent].(string)
		parts = append(parts, parent)
	}
	return uniqueKey(rec.Parent, parts...)
}

// also are the keys beside the identity that must be free.
func (s *Server) also(b *catalog.Bound, rec *store.Record) []string {
	var out []string
	for _, f := range s.alsoFields(b) {
		if key := alsoKey(b, rec, f); key != "" {
			out = append(out, key)
		}
	}
	return out
}

// alsoFields are the fields beside the identity that no two may share: below one
// owner, or, where the catalog says so, in the organization.
func (s *Server) alsoFields(b *catalog.Bound) []string {
	return append(slices.Clone(s.conduct(b).also), b.Unique...)
}

func alsoKey(b *catalog.Bound, rec *store.Record, field string) string {
	parts := []string{field + "="}
	for _, f := range strings.Split(field, "+") {
		parts = append(parts, b.UniqueText(strings.Split(f, "."), strings.Join(texts(at(rec.Fields, f)), ",")))
	}
	if parts[1] == "" {
		return ""
	}
	if slices.Contains(b.Unique, field) {
		return uniqueKey("", parts...)
	}
	return uniqueKey(rec.Parent, parts...)
}

func uniqueKey(owner string, parts ...string) string {
	return owner + "\x00" + strings.Join(parts, "\x00")
}

// dropSecrets forgets what no answer shows: a secret that is not stored cannot
// leak. Core entities are shown with all that they have.
func dropSecrets(b *catalog.Bound, fields map[string]any) {
	op := b.Create
	if op == nil {
		op = b.Update
	}
	if op != nil && op.Body() != nil && !b.External {
		drop(op.Body(), responseSchema(b), fields)
	}
}

func drop(schema, shown *contract.Schema, fields map[string]any) {
	o := schema.Object(fields)
	for k, v := range fields {
		f := o.Field(k)
		if f == nil || !f.Schema.Secret && plainValue(v) {
			continue
		}
		var visible *contract.Schema
		if shown != nil {
			visible = shown.At([]string{k}, nil)
		}
		if f.Schema.Secret && visible == nil {
			delete(fields, k)
			continue
		}
		dropBelow(f.Schema, visible, v)
	}
}

func dropBelow(schema, shown *contract.Schema, v any) {
	schema, shown = schema.Deref(), shown.Deref()
	switch x := v.(type) {
	case map[string]any:
		drop(schema, shown, x)
	case []any:
		if schema.Items == nil {
			return
		}
		if shown != nil {
			shown = shown.Items
		}
		for _, e := range x {
			dropBelow(schema.Items, shown, e)
		}
	}
}

// plainValue tells what has nothing below it.
func plainValue(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	default:
		return true
	}
}

// at follows a dotted path through mappings.
func at(fields map[string]any, path string) any {
	var v any = fields
	for _, seg := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[seg]
	}
	return v
}
