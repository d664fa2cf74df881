package model

import (
	"maps"
	"net/http"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// items are the changes that one request asks for: a JSON Patch of a collection.
type items struct {
	op   *contract.Operation // what one item does, as an operation of its own
	list []any
}

// itemsOf is what an operation that takes a list of changes does; nil for others.
func (m *Model) itemsOf(op *contract.Operation) *items {
	if op.Method != http.MethodPatch {
		return nil
	}
	if one := op.Carried(); one != nil && m.actions.of(one) != nil {
		return &items{op: one}
	}
	return nil
}

// Several reports whether a call takes a list in place of an object.
func (c *Call) Several() bool { return c.items != nil }

// AcceptList takes the body of a call that asks for several changes, and validates it.
func (m *Model) AcceptList(c *Call, list []any) error {
	c.items.list = list
	if vs := c.Op.ValidateBody(list, nil); len(vs) > 0 {
		return Violations("body", "", vs)
	}
	return nil
}

// runItems carries out all changes of a call, or none.
func (t task) runItems() (Answer, error) {
	for _, x := range t.c.items.list {
		item, _ := x.(map[string]any)
		if err := t.runItem(item); err != nil {
			return Answer{}, err
		}
	}
	return Answer{Status: successStatus(t.c.Op)}, nil
}

func (t task) runItem(item map[string]any) error {
	m, op := t.sc.m, t.c.items.op
	one := &Call{Op: op, Params: maps.Clone(t.c.Params), Path: t.c.Path, Region: t.c.Region, NoUnique: t.c.NoUnique, Raw: t.c.Raw}
	path, _ := item["path"].(string)
	names := op.PathParams()
	one.Params[names[len(names)-1]] = path[strings.LastIndexByte(path, '/')+1:]
	act := *m.actions.of(op)
	one.act = &act
	if item["op"] == "remove" {
		one.act.verb = verbDelete
		_, err := task{t.sc, one}.run()
		return err
	}
	one.act.upsert = item["op"] == "add"
	value, _ := item["value"].(map[string]any)
	if value == nil {
		value = map[string]any{}
	}
	if err := m.Accept(one, value); err != nil {
		return err
	}
	_, err := task{t.sc, one}.run()
	return err
}
