package model

import (
	"net/http"
	"strings"
	"sync"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// verb is what an operation does to resources of a type.
type verb uint8

const (
	verbCreate verb = iota
	verbRead
	verbList
	verbPatch
	verbReplace
	verbDelete
	verbMove
)

// writes reports whether an operation changes something.
func (v verb) writes() bool { return v != verbRead && v != verbList }

// action is an operation seen from the catalog.
type action struct {
	verb verb
	b    *catalog.Bound
	// upsert: a replace creates what is not there.
	upsert bool
	// via is set on paths below a resource that is not the parent.
	via *via
}

// actions are the operations of the contract, seen from the catalog.
type actions struct {
	cat    *catalog.Catalog
	own    map[*contract.Operation]*action
	nested func() map[*contract.Operation]*action // looked for when first asked for
	writes sync.Map                               // kind -> *contract.Schema, of core entities
}

func newActions(cat *catalog.Catalog) *actions {
	return &actions{cat: cat, own: ownActions(cat), nested: sync.OnceValue(func() map[*contract.Operation]*action { return nestedActions(cat) })}
}

// of is what an operation does; nil when no type of the catalog has it.
func (a *actions) of(op *contract.Operation) *action {
	if act := a.own[op]; act != nil || op == nil {
		return act
	}
	return a.nested()[op]
}

// as is what an operation does when it is asked for with a method.
func (a *actions) as(op *contract.Operation, method string) *action {
	act := a.of(op)
	if act == nil || method != http.MethodPatch || op.Method == method {
		return act
	}
	return &action{verb: verbPatch, b: act.b, via: act.via}
}

// written is the schema of what clients write, which says what is secret.
func (a *actions) written(b *catalog.Bound) *contract.Schema {
	if b.Writer == "" {
		return b.Write()
	}
	if known, ok := a.writes.Load(b.Kind); ok {
		return known.(*contract.Schema)
	}
	var schema *contract.Schema
	for _, op := range a.cat.Contract.Operations() {
		if act := a.of(op); act != nil && act.b == b && act.verb == verbReplace {
			schema = op.Body()
		}
	}
	a.writes.Store(b.Kind, schema)
	return schema
}

// ownActions finds out which operation does what: those that the catalog names,
// and others on the same paths.
func ownActions(cat *catalog.Catalog) map[*contract.Operation]*action {
	out := map[*contract.Operation]*action{}
	add := func(op *contract.Operation, v verb, b *catalog.Bound) {
		if op != nil && out[op] == nil {
			out[op] = newAction(op, v, b)
		}
	}
	for _, b := range cat.All() {
		c := cat.Contract
		if b.Create != nil && b.Create.Method == http.MethodPost {
			add(b.Create, verbCreate, b)
		}
		add(b.List, verbList, b)
		add(b.Read, verbRead, b)
		if b.Delete != nil && b.Delete.Method == http.MethodDelete {
			add(b.Delete, verbDelete, b)
		}
		item := b.ItemPath()
		add(c.Operation(http.MethodPatch, item), verbPatch, b)
		add(c.Operation(http.MethodPut, item), verbReplace, b)
		if catalog.InBody(b) {
			add(b.Update, verbReplace, b)
		}
		if b.Tree != nil {
			add(c.Operation(http.MethodPost, item+"/move"), verbMove, b)
		}
	}
	return out
}

func newAction(op *contract.Operation, v verb, b *catalog.Bound) *action {
	return &action{verb: v, b: b, upsert: op == b.Create && v != verbCreate || v == verbReplace && strings.HasPrefix(op.ID, "upsert-")}
}

// Patchable finds the replacement that a PATCH stands for where the contract has
// none and a rule has.
func (m *Model) Patchable(path string) (*contract.Operation, map[string]string) {
	op, params, _ := m.contract.Match(http.MethodPut, path)
	if act := m.actions.of(op); act == nil || !m.rule(act.b).patched(act.b) {
		return nil, nil
	}
	return op, params
}
