package client

import (
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// lacking returns a field that an item of a list is known by and does not have;
// "" when it has all. Where Konnect always has the field, the item would count as
// another resource, and the resource that it is would count as missing.
func lacking(t *catalog.Bound, item map[string]any, o *resource.Object) string {
	_, schema, _ := t.List.Envelope()
	fields := schema.Object(nil)
	if o.ID == "" && fields.Field("id") != nil {
		return "id"
	}
	if t.Tree != nil && required(fields, t.Tree.Parent) {
		if _, ok := item[t.Tree.Parent]; !ok { // null is the top
			return t.Tree.Parent
		}
	}
	forms, found := 0, 0
	for _, name := range t.Identity {
		at := catalog.AnswerPath(t, value.ParsePath(name))
		nested := len(at) > 1
		if schema.At(at, nil) == nil || name == t.MapKey {
			continue // the list never has it, or it is the id
		}
		if nested {
			forms++
			if item[at[0]] == nil && !required(fields, at[0]) {
				continue // another form may be there
			}
		} else if t.Writer != "" && !required(fields, name) {
			continue
		}
		x, ok := value.Get(item, at)
		if !ok || x == nil && (nested || len(t.Identity) == 1 || required(fields, name) || catalog.MayLack(t, name)) {
			return name
		}
		if nested {
			found++
		}
	}
	if forms > 0 && found == 0 {
		return strings.Join(t.Identity, ", ")
	}
	return ""
}

func required(o *contract.Object, name string) bool {
	f := o.Field(name)
	return f != nil && f.Required
}
