package gateway

import (
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// partial reports fields of a partial's configuration that its type does not have.
// Where the contract knows less, what Konnect itself says of the type decides: it may
// be newer.
func (v *validation) partial(it *item) {
	if v.contract == nil {
		return
	}
	kind := text(it.fields, "type")
	_, types := v.contract.Schema("Partial").Selector()
	if types[kind] == nil {
		return
	}
	config := types[kind].At([]string{"config"}, nil)
	places := config.Undeclared(it.fields["config"])
	if len(places) == 0 {
		return
	}
	if v.served != nil {
		schema, err := v.schema(SchemasOfPartials, kind)
		if err != nil {
			v.err = err
			return
		}
		if served, err := plugin.Served(schema); err == nil {
			places = slices.DeleteFunc(places, func(p value.Path) bool { at, open := served.At(p); return at != nil || open })
		}
	}
	for _, place := range places {
		record := slices.DeleteFunc(slices.Clone(place[:len(place)-1]), func(seg string) bool { _, isPlace := value.Place(seg); return isPlace })
		known := config.Object(nil).Names()
		if len(record) > 0 {
			known = config.At(record, nil).Object(nil).Names()
		}
		v.addAt(true, diag.DeckField, it, append(value.Path{"config"}, place...), "unknown field", resource.Suggest(place[len(place)-1], known))
	}
}
