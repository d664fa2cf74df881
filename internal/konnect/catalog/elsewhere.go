package catalog

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Fields brings a response into the form of the request: what it has elsewhere goes
// to its place. What no request has stays.
func (b *Bound) Fields(response map[string]any) map[string]any {
	if len(b.Elsewhere) == 0 || response == nil {
		return response
	}
	out := maps.Clone(response)
	for _, e := range b.Elsewhere {
		drop(out, value.ParsePath(e.At))
	}
	for _, e := range b.Elsewhere {
		if v, ok := value.Get(response, value.ParsePath(e.At)); ok {
			put(out, value.ParsePath(e.Field), v)
		}
	}
	return out
}

// drop removes what stands at a path, and mappings that have nothing left. Mappings
// below the first are copied before they change.
func drop(m map[string]any, p value.Path) {
	if len(p) == 1 {
		delete(m, p[0])
		return
	}
	old, _ := m[p[0]].(map[string]any)
	below := maps.Clone(old)
	if drop(below, p[1:]); len(below) > 0 {
		m[p[0]] = below
	} else {
		delete(m, p[0])
	}
}

// put sets a value at a path. Mappings below the first are copied before they change.
func put(m map[string]any, p value.Path, v any) {
	if len(p) > 1 {
		old, _ := m[p[0]].(map[string]any)
		below := maps.Clone(old)
		if below == nil {
			below = map[string]any{}
		}
		put(below, p[1:], v)
		v = below
	}
	m[p[0]] = v
}

// FieldPath is where Fields puts what a response has at a path.
func (b *Bound) FieldPath(p []string) []string {
	for _, e := range b.Elsewhere {
		if at := value.ParsePath(e.At); value.Path(p).HasPrefix(at) {
			return append(slices.Clone(value.ParsePath(e.Field)), p[len(at):]...)
		}
	}
	return p
}

// AnswerPath is where a response has what the request has at a path.
func AnswerPath(b *Bound, p []string) []string {
	for _, e := range b.Elsewhere {
		if field := value.ParsePath(e.Field); value.Path(p).HasPrefix(field) {
			return append(slices.Clone(value.ParsePath(e.At)), p[len(field):]...)
		}
	}
	return p
}

// InBody reports whether the body of a PUT at the path of the collection names the
// resource that it creates or replaces.
func InBody(b *Bound) bool {
	return b.Shape == Collection && b.Create != nil && b.Create == b.Update
}

// bindInBody binds a Collection without POST whose own path takes a PUT.
func bindInBody(b *Bound, c *contract.Contract) {
	change := c.Operation("PUT", b.Path)
	if b.Create != nil || change == nil {
		return
	}
	b.Create, b.Update = change, change
	if b.Emptied != "" && b.Delete == nil {
		b.Delete = change
	}
}

// Absent reports whether the fields of a resource stand for one that is not there.
func Absent(b *Bound, fields map[string]any) bool {
	if b.Emptied == "" {
		return false
	}
	list, _ := fields[b.Emptied].([]any)
	return len(list) == 0
}

// Emptying is what is sent to remove a resource that has no DELETE: all that it has,
// without what is in its list.
func Emptying(b *Bound, fields map[string]any) map[string]any {
	out, _ := b.write.Filter(fields, unimportant).(map[string]any)
	out[b.Emptied] = []any{}
	return out
}
