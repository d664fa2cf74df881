package catalog

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// ListLacksFields reports whether items of the list miss fields that people may
// declare and that reading one resource gives.
func (b *Bound) ListLacksFields() bool {
	if b.Read == nil || b.List == nil || b.Listed {
		return false
	}
	_, _, known := b.List.Envelope()
	return !known || len(b.Unlisted()) > 0
}

// Unlisted names the fields that people may declare and that only reading one
// resource gives, not its list.
func (b *Bound) Unlisted() [][]string {
	if b.Listed {
		return nil
	}
	return alone(b)
}

// ListedInPart reports whether the list that a singleton is found in leaves out
// fields that people may declare.
func ListedInPart(b *Bound) bool { return b.Listed && len(alone(b)) > 0 }

// alone are the fields that only reading one resource gives.
func alone(b *Bound) [][]string {
	if b.Read == nil || b.List == nil {
		return nil
	}
	_, item, ok := b.List.Envelope()
	_, single := b.Read.Success()
	if !ok || single == nil {
		return nil
	}
	if w := b.Read.Wrapper(); w != "" {
		single = single.At([]string{w}, nil)
	}
	return unlisted(b.write, single, item, nil)
}

// unlisted are the fields of what is written at a path that only single has.
func unlisted(write, single, item *contract.Schema, path []string) [][]string {
	var out [][]string
	o := write.Deref().Object(nil)
	for _, name := range o.Names() {
		at, f := append(slices.Clone(path), name), o.Field(name).Schema
		switch {
		case f.ReadOnly || single.At(at, nil) == nil:
		case item.At(at, nil) == nil:
			out = append(out, at)
		case f.Type == "object" && len(at) < 4:
			out = append(out, unlisted(f, single, item, at)...)
		}
	}
	return out
}
