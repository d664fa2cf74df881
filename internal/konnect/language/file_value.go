package language

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// fromFiles reads the files whose content is the value of a field that takes a
// mapping or a list. What holds neither stays text, to be reported.
func (b *reader) fromFiles(r *resource.Resource) value.Value {
	if len(b.contents) == 0 {
		return r.Fields
	}
	t := catalog.Of(r)
	plain, _ := r.Fields.Plain(placeholder).(map[string]any)
	return r.Fields.Map(func(p value.Path, v value.Value) value.Value {
		text, isText := v.Text()
		name := b.contents[v.Pos()]
		if !isText || name == "" {
			return v
		}
		takes := catalog.Kinds(catalog.SchemaAt(t.Write(), p, plain))
		if takes == 0 || takes&^(resource.Mappings|resource.Lists) != 0 {
			return v
		}
		data, ok := source.Parsed(name, text)
		if !ok {
			return v
		}
		return value.From(v.Pos(), data)
	})
}
