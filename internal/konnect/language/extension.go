package language

import (
	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// extensions are what other targets add to the language.
type extensions []resource.Extension

// find finds what another target adds under a key; nil where none does.
func (x extensions) find(key string) *resource.Extension {
	for i := range x {
		if x[i].Key == key {
			return &x[i]
		}
	}
	return nil
}

// keys are the keys that other targets add to a type.
func (x extensions) keys(t *catalog.Bound) []string {
	var out []string
	for _, e := range x {
		if e.Fits(t.Neutral()) {
			out = append(out, e.Key)
		}
	}
	return out
}

// providers are the ways to say that another target makes a resource.
func (x extensions) providers() []string {
	var out []string
	for _, e := range x {
		out = append(out, e.Provider)
	}
	return out
}

// provider is the target that makes resources of a type; nil where none does.
func (x extensions) provider(t *catalog.Bound) *resource.Extension {
	for i := range x {
		if x[i].Provides(t.Neutral()) {
			return &x[i]
		}
	}
	return nil
}

// extend reads what another target adds to a resource.
func extend(b *state, r *resource.Resource, e value.Entry) {
	if !unread(e.Value) {
		extensions(b.opts.Extensions).find(e.Key).Read(reading(b), r, e)
	}
}

// provide reads which resource another target makes.
func provide(b *state, r *resource.Resource, key string, v value.Value) *resource.Made {
	for _, x := range b.opts.Extensions {
		if x.Provider == key {
			return x.Provide(reading(b), r, v)
		}
	}
	return nil
}

// reading is the document at hand.
func reading(b *state) *resource.Reading {
	return &resource.Reading{
		Types: b.cat.Types(), Env: b.opts.Env,
		Files: func(at value.Pos) (source.Named, bool) {
			named, ok := b.doc.Files[at]
			return named, ok
		},
		Report: func(d diag.Diagnostic) { b.diags = append(b.diags, d) },
	}
}

// writtenWith says with what people write resources of a type.
func (x extensions) writtenWith(t *catalog.Bound) string {
	for _, e := range x {
		if t.Parent != nil && e.Fits(t.Parent.Neutral()) {
			return e.WrittenWith
		}
	}
	return t.Writer
}
