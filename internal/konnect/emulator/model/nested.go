package model

import (
	"net/http"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// via is a second way to resources: below another that a field of theirs refers
// to, as the routes below a service.
type via struct {
	b     *catalog.Bound
	field string
}

// nestedActions finds the operations on resources below others that they refer
// to. The contract shows which: what such a path answers with is the same schema as
// that of the type's own list.
func nestedActions(cat *catalog.Catalog) map[*contract.Operation]*action {
	out := map[*contract.Operation]*action{}
	for _, list := range cat.Contract.Operations() {
		if list.Method != http.MethodGet {
			continue
		}
		up, ok := owningType(cat, list.Path)
		if !ok {
			continue
		}
		b, field := listedType(cat, list, up)
		if b == nil {
			continue
		}
		item := itemBelow(cat.Contract, list.Path)
		for op, v := range map[*contract.Operation]verb{
			list: verbList,
			cat.Contract.Operation(http.MethodPost, list.Path): verbCreate,
			cat.Contract.Operation(http.MethodGet, item):       verbRead,
			cat.Contract.Operation(http.MethodPatch, item):     verbPatch,
			cat.Contract.Operation(http.MethodPut, item):       verbReplace,
			cat.Contract.Operation(http.MethodDelete, item):    verbDelete,
		} {
			if op != nil {
				out[op] = newAction(op, v, b)
				out[op].via = &via{up, field}
			}
		}
	}
	return out
}

// owningType is the type whose resource a path lies below.
func owningType(cat *catalog.Catalog, path string) (*catalog.Bound, bool) {
	for _, b := range cat.All() {
		rest, ok := strings.CutPrefix(path, b.Path+"/{")
		if !ok {
			continue
		}
		if _, rest, _ = strings.Cut(rest, "/"); rest != "" && !strings.Contains(rest, "{") {
			return b, true
		}
	}
	return nil, false
}

// listedType is the type that a list shows, and its field that refers to the
// type above.
func listedType(cat *catalog.Catalog, list *contract.Operation, up *catalog.Bound) (*catalog.Bound, string) {
	_, item, ok := list.Envelope()
	if !ok || item == nil || item.Deref().Name == "" {
		return nil, ""
	}
	for _, b := range cat.All() {
		if b.Parent != up.Parent || b.Returned().Deref().Name != item.Deref().Name {
			continue
		}
		for _, ref := range b.References {
			if ref.Kind == up.Kind {
				return b, ref.Field
			}
		}
	}
	return nil, ""
}

func itemBelow(c *contract.Contract, path string) string {
	for _, op := range c.Operations() {
		rest, ok := strings.CutPrefix(op.Path, path+"/{")
		if ok && strings.HasSuffix(rest, "}") && !strings.Contains(rest, "/") {
			return op.Path
		}
	}
	return ""
}

// above is the resource that a nested path goes through; nil for other paths.
func (t task) above() (*store.Record, error) {
	v := t.c.act.via
	if v == nil {
		return nil, nil
	}
	ancestors, _ := t.c.ids()
	owner, err := t.sc.owner(v.b, ancestors)
	if err != nil {
		return nil, err
	}
	return t.sc.Find(v.b.Kind, owner, t.c.through())
}

// attach lets the body of a nested write refer to what the path goes through.
func (t task) attach() error {
	up, err := t.above()
	if err != nil || up == nil || t.c.Body == nil {
		return err
	}
	Set(t.c.Body, t.c.act.via.field, up.Public())
	return nil
}
