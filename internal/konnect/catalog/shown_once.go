package catalog

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// ShownOnce are the secrets of a type that people may leave out, that Konnect generates
// then, and that only the answer to the create has: nobody can read them later.
func ShownOnce(b *Bound) []value.Path {
	if b.ReadOnly || b.Create == nil {
		return nil
	}
	_, answer := b.Create.Success()
	if w := b.Create.Wrapper(); answer != nil && w != "" {
		answer = answer.At([]string{w}, nil)
	}
	return shownOnce(b, answer, b.write, nil)
}

func shownOnce(b *Bound, answer, write *contract.Schema, at value.Path) []value.Path {
	var out []value.Path
	fields, returned := write.Object(nil), answer.Object(nil)
	for _, name := range fields.Names() {
		f, p := fields.Field(name), append(slices.Clone(at), name)
		in := returned.Field(name)
		s := f.Schema.Deref()
		switch {
		case in == nil || s.ReadOnly:
		case s.Secret && !f.Required && !returns(b, p).OK:
			out = append(out, p)
		case s.Type == "object" && len(p) < maxNesting:
			out = append(out, shownOnce(b, in.Schema, s, p)...)
		}
	}
	return out
}

// maxNesting bounds schemas that contain themselves.
const maxNesting = 5
