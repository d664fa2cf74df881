package emulator_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Every type of the catalog is created, read, listed, changed and deleted with
// the smallest body that the contract lets pass.
func TestEveryTypeWalksThroughItsLife(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range cat.All() {
		t.Run(b.Kind, func(t *testing.T) {
			m := &maker{w: newWorld(t), made: map[string][]string{}}
			m.life(b)
		})
	}
}

// maker creates resources of any type, with those that they need.
type maker struct {
	w    *world
	made map[string][]string // kind -> ids of the ancestors and its own
	last object              // the body of the last one
	n    int
	// nulls is the type whose bodies say null for all that they leave out.
	nulls *catalog.Bound
	// more are fields of what is made next.
	second bool // others than the first ones are made
	more   object
}

func (m *maker) life(b *catalog.Bound) {
	t := m.w.t
	if b.ReadOnly && b.Parent == nil && b.List.Unpublished { // nothing here makes one
		if list := m.w.must(http.StatusOK, http.MethodGet, b.Path, nil).data(); len(list) != 0 {
			t.Errorf("%s lists %v", b.List.Key(), list)
		}
		return
	}
	ids := m.make(b)
	own := ids[len(ids)-1]
	expand := func(op *contract.Operation) string {
		path, err := op.Expand(b.PathParams(op, ids[:len(ids)-1], own))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	if b.Read != nil && !b.Listed {
		m.w.must(http.StatusOK, http.MethodGet, expand(b.Read), nil)
	}
	if b.List != nil && !m.listed(b, expand(b.List), ids) {
		t.Errorf("%s does not list what was created", b.List.Key())
	}
	if b.Update != nil {
		body := object{}
		if variant := m.variant(b); variant != nil {
			body = variant
		} else if b.Update.Method == http.MethodPut || len(b.Update.Body().Deref().Required) > 0 {
			body = m.body(b, b.Update)
			if _, sent := body["name"]; sent && b.Top().Kind == "ai_gateway" {
				body["name"] = m.last["name"] // it is immutable
			}
		} else if f := m.changed(b); b.Example[f] != nil {
			body[f] = b.Example[f]
		} else if f != "" {
			body[f] = m.value(b.Update.Body().At([]string{f}, nil))
		}
		m.refusesUnknown(b.Update, expand(b.Update), body)
		m.w.must(succeeds(b.Update), b.Update.Method, expand(b.Update), body)
	}
	if b.Delete != nil {
		if b.Emptied != "" {
			m.w.must(http.StatusOK, b.Delete.Method, expand(b.Delete), catalog.Emptying(b, m.last))
		} else {
			m.w.must(http.StatusNoContent, http.MethodDelete, expand(b.Delete), nil)
			m.w.must(http.StatusNotFound, http.MethodDelete, expand(b.Delete), nil)
		}
		if b.Read != nil && !b.Listed {
			m.w.must(http.StatusNotFound, http.MethodGet, expand(b.Read), nil)
		}
		if b.List != nil && m.listed(b, expand(b.List), ids) {
			t.Errorf("%s lists what was deleted", b.List.Key())
		}
	}
}

// variant is the body of an update that is a union: what fits one of its branches,
// of the last body.
func (m *maker) variant(b *catalog.Bound) object {
	if b.Update.Method == http.MethodPut {
		return nil
	}
	for _, branch := range b.Update.Body().Branches() {
		if body := fitting(branch, m.last); len(body) > 0 && len(b.Update.ValidateBody(body, nil)) == 0 {
			return body
		}
	}
	return nil
}

// refusesUnknown sends a body with a field more than its schema has.
func (m *maker) refusesUnknown(op *contract.Operation, path string, body object) {
	if o := op.Body().Object(nil); o.Open || o.Values != nil {
		return
	}
	more := object{"no_such_field": "x"}
	maps.Copy(more, body)
	if r := m.w.send(op.Method, path, more); r.status != http.StatusBadRequest || !strings.Contains(r.raw, "no_such_field") {
		m.w.t.Errorf("%s with a field that does not exist: %d %s", op.Key(), r.status, r.raw)
	}
}

func (m *maker) listed(b *catalog.Bound, path string, ids []string) bool {
	r := m.w.must(http.StatusOK, http.MethodGet, path, nil)
	property, _, _ := b.List.Envelope()
	list, _ := r.body.([]any)
	if property != "" {
		list, _ = r.field(property).([]any)
	}
	own := ids[len(ids)-1]
	for _, e := range list {
		item, _ := e.(object)
		if item["id"] == own || (b.MapKey != "" && item[b.MapKey] == own && (b.ListParent == "" || item[b.ListParent] == ids[len(ids)-2])) ||
			b.IDField != "" && item[b.IDField] == own {
			return true
		}
	}
	return false
}

// changed is a field that a PATCH can carry: one of text, or of the example.
func (m *maker) changed(b *catalog.Bound) string {
	o := b.Update.Body().Object(nil)
	for n := range b.Example {
		if o.Field(n) != nil && o.Field(n).Schema.Type != "object" {
			return n
		}
	}
	for _, n := range o.Names() {
		f := o.Field(n)
		_, isRef := b.Reference([]string{n})
		if f.Schema.Type == "string" && len(f.Schema.Enum) == 0 && f.Schema.Format == "" && !f.Schema.ReadOnly && !isRef {
			return n
		}
	}
	return ""
}

// make creates one resource and returns the ids of its path.
func (m *maker) make(b *catalog.Bound) []string {
	var ids []string
	if b.Parent != nil {
		ids = append(ids, m.parent(b)...)
	}
	switch {
	case b.ReadOnly && b.Parent == nil && b.List.Unpublished: // any id is taken
		return append(ids, "5b8c2d1e-3f4a-4c6b-9d7e-8f9a0b1c2d3e")
	case b.ReadOnly && b.Parent == nil: // one that is there
		return append(ids, m.w.must(http.StatusOK, http.MethodGet, b.Path, nil).data()[0][cmp.Or(b.IDField, "id")].(string))
	case b.Create == nil && b.Shape == catalog.Singleton:
		return append(ids, "-")
	case brings(b):
		return m.brought(b, ids)
	case b.Shape == catalog.Singleton && b.Create.Method != http.MethodPost:
		op, path := m.creation(b, ids, "-")
		m.last = m.body(b, op)
		m.refusesUnknown(op, path, m.last)
		m.w.must(http.StatusOK, op.Method, path, m.last)
		return append(ids, "-")
	case b.Shape == catalog.Map:
		key := m.key(b)
		path, err := b.Create.Expand(b.PathParams(b.Create, ids, key))
		if err != nil {
			m.w.t.Fatal(err)
		}
		body, status := m.body(b, b.Create), writes(b.Create)
		if b.Link != "" {
			body, status = catalog.LinkBody(b, ids, key), http.StatusCreated
		}
		m.refusesUnknown(b.Create, path, body)
		m.w.must(status, b.Create.Method, path, body)
		m.last = body
		return append(ids, key)
	default:
		op, path := m.creation(b, ids, "")
		body := m.body(b, op)
		m.refusesUnknown(op, path, body)
		m.last = body
		if b.IDField != "" {
			m.w.must(http.StatusCreated, op.Method, path, body)
			id, _ := body[b.IDField].(string)
			return append(ids, id)
		}
		if op.Method == http.MethodPut {
			return append(ids, m.w.must(http.StatusOK, op.Method, path, body).text("id"))
		}
		id := m.w.create(path, body)
		return append(ids, id)
	}
}

// key is a key that a resource of a Map can have.
func (m *maker) key(b *catalog.Bound) string {
	if names := catalog.Keys(b); len(names) > 0 {
		return names[0]
	}
	ref, _ := b.Reference([]string{b.MapKey})
	return m.one(m.w.cat.Kind(ref.Kind))
}

func (m *maker) parent(b *catalog.Bound) []string {
	key := parentKey(b)
	if m.made[key] == nil {
		m.more = maps.Clone(b.Under)
		if another := m.another(b.Parent); another != nil {
			m.more = another
		}
		m.made[key] = m.make(b.Parent)
	}
	return m.made[key]
}

// another is what tells a second root from the first, where an example says what it is
// known by.
func (m *maker) another(b *catalog.Bound) object {
	if !m.second || b.Parent != nil || len(b.Identity) != 1 {
		return nil
	}
	if text, ok := b.Example[b.Identity[0]].(string); ok {
		return object{b.Identity[0]: text + "_2"}
	}
	return nil
}

// parentKey names the parent of a type: any, or one that can have such resources.
func parentKey(b *catalog.Bound) string {
	if len(b.Under) > 0 {
		return b.Parent.Kind + " of " + b.Kind
	}
	return b.Parent.Kind
}

func (m *maker) one(b *catalog.Bound) string {
	if m.made[b.Kind] == nil {
		m.made[b.Kind] = m.make(b)
	}
	ids := m.made[b.Kind]
	return ids[len(ids)-1]
}

// body is what the contract requires, the identity and the example.
func (m *maker) body(b *catalog.Bound, op *contract.Operation) object {
	body := m.required(op.Body())
	if b.Set != "" {
		kind, field := catalog.Members(b)
		body[b.Set] = []any{object{field: m.one(m.w.cat.Kind(kind))}}
	}
	for _, f := range b.Identity {
		schema := op.Body().At(strings.Split(f, "."), nil)
		if schema != nil && !strings.Contains(f, ".") && body[f] == nil {
			body[f] = m.value(schema)
		}
		if f == "id" && body[f] != nil {
			body[f] = uuid.NewString()
		}
	}
	if branches := op.Body().Branches(); len(branches) > 0 && len(body) == 0 {
		o := branches[0].Object(nil)
		for _, n := range o.Names() {
			if !o.Field(n).Schema.ReadOnly {
				body[n] = m.value(o.Field(n).Schema)
			}
		}
	}
	example := maps.Clone(b.Example)
	maps.DeleteFunc(example, func(f string, _ any) bool { return op == b.Update && op.Body().At([]string{f}, nil) == nil })
	overlay(body, example)
	for _, f := range b.Formats {
		p := value.ParsePath(f.Field)
		if _, generated := value.Get(body, p); generated && f.Is == catalog.PrivateKey {
			value.Set(body, p, b.StandIn(p, "example"))
		}
	}
	for k, v := range m.gatewayExample(b) {
		body[k] = v
	}
	for _, ref := range b.References {
		m.refer(b, body, ref)
	}
	m.nameInside(b, body)
	maps.Copy(body, m.more)
	m.more = nil
	if m.nulls == b {
		body = nulled(op.Body(), b.Write(), op.Body(), body).(object)
	}
	return body
}

// nameInside names the first item of the parent in the fields that name one.
func (m *maker) nameInside(b *catalog.Bound, body object) {
	for _, n := range b.Namings {
		if n.Inside == "" {
			m.nameBeside(body, n)
			continue
		}
		ids := m.parent(b)
		path, err := b.Parent.Read.Expand(b.Parent.PathParams(b.Parent.Read, ids[:len(ids)-1], ids[len(ids)-1]))
		if err != nil {
			m.w.t.Fatal(err)
		}
		parent, _ := m.w.must(http.StatusOK, http.MethodGet, path, nil).body.(object)
		for _, field := range n.Fields {
			value.Set(body, value.ParsePath(field), value.TextsAt(parent, value.ParsePath(n.Inside))[0])
		}
	}
}

// nameBeside names a resource with the same parent in the fields that a body has.
func (m *maker) nameBeside(body object, n catalog.Naming) {
	for _, field := range n.Fields {
		for _, at := range value.Places(body, value.ParsePath(field)) {
			if v, _ := value.Get(body, at); n.Open || !isText(v) {
				continue
			}
			target := m.w.cat.Kind(n.Kind)
			m.one(target)
			made := m.w.must(http.StatusOK, http.MethodGet, m.itemPath(target, m.made[n.Kind]), nil)
			value.Set(body, at, made.text(target.Identity[0]))
		}
	}
}

func isText(v any) bool { _, ok := v.(string); return ok }

// overlay lays an example over what was generated: nested parts only where a
// value was generated for them.
func overlay(body, example object) {
	for k, v := range example {
		part, isMap := v.(object)
		if !isMap {
			body[k] = v
			continue
		}
		below, ok := body[k].(object)
		for name := range part {
			if _, has := below[name]; ok && has {
				overlay(below, object{name: part[name]})
			}
		}
	}
}

// refer replaces generated ids by those of resources.
func (m *maker) refer(b *catalog.Bound, body object, ref catalog.Reference) {
	target := m.w.cat.Kind(ref.Kind)
	segs := strings.Split(ref.Field, ".")
	at := body
	for _, s := range segs[:len(segs)-1] {
		next, ok := at[s].(object)
		if !ok {
			return
		}
		at = next
	}
	last := segs[len(segs)-1]
	if _, isText := at[last].(string); isText && ref.All != "" {
		at[last] = uuid.NewString() // of a resource of any kind
		return
	}
	if _, ok := at[last]; !ok || target == nil || ref.Field == b.MapKey {
		return
	}
	if _, isList := at[last].([]any); isList {
		at[last] = []any{m.one(target)}
		return
	}
	at[last] = m.one(target)
}

func (m *maker) required(schema *contract.Schema) object {
	out := object{}
	if property, branches := schema.Selector(); property != "" {
		first := contract.SelectorValues(branches)[0]
		out = m.required(branches[first])
		out[property] = first
		return out
	}
	if branches := schema.Branches(); len(branches) > 0 {
		maps.Copy(out, m.required(branches[0]))
		schema = &contract.Schema{Properties: schema.Deref().Properties, Required: schema.Deref().Required}
	}
	o := schema.Object(nil)
	for _, n := range o.Names() {
		if f := o.Field(n); f.Required && !f.Schema.ReadOnly {
			out[n] = m.value(f.Schema)
		}
	}
	return out
}

func (m *maker) value(schema *contract.Schema) any {
	schema = schema.Deref()
	m.n++
	switch {
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Const != nil:
		return schema.Const
	case schema.Type == "array":
		return []any{m.value(schema.Items)}
	case schema.Type == "boolean":
		return true
	case schema.Type == "integer" || schema.Type == "number":
		return json.Number("1")
	case schema.Type == "string" && schema.Format == "uuid":
		return fmt.Sprintf("00000000-0000-4000-8000-%012d", m.n)
	case len(schema.Branches()) > 0 && schema.Branches()[0].Type == "array":
		return m.value(schema.Branches()[0])
	case strings.HasPrefix(schema.Pattern, "^arn:"):
		return fmt.Sprintf("arn:aws:kms:eu-west-1:1:key/%d", m.n)
	case schema.Type == "string" && schema.Format == "date-time":
		return "2026-01-01T00:00:00Z"
	case schema.Type == "string" && schema.Format == "uri":
		return fmt.Sprintf("https://value-%d.example.com", m.n)
	case schema.Type == "string":
		for _, form := range []string{"value-%d", "value_%d", "%d", "01JZ4Q8Y6MHB3T0W9X%08d"} {
			if text := fmt.Sprintf(form, m.n); schema.Pattern != "" && regexp.MustCompile(schema.Pattern).MatchString(text) {
				return text
			}
		}
		return fmt.Sprintf("value-%d", m.n)
	default:
		return m.required(schema)
	}
}
