package resource

import (
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// Identities finds objects of one type by their identity, without a comparison with each.
type Identities struct {
	t       *Type
	objects map[string][]*Object
}

// NewIdentities indexes a list. Objects that change their identity are not found in it.
func NewIdentities(t *Type, objects []*Object) *Identities {
	x := &Identities{t: t, objects: make(map[string][]*Object, len(objects))}
	for _, o := range objects {
		key := identityKey(t, func(f string) any {
			v, _ := value.Get(o.Fields, value.ParsePath(f))
			return v
		})
		x.objects[key] = append(x.objects[key], o)
	}
	return x
}

// Same are the objects for which SameIdentity holds, in the order of the list.
func (x *Identities) Same(want map[string]any) []*Object {
	var out []*Object
	for _, o := range x.objects[IdentityKey(x.t, want)] {
		if SameIdentity(x.t, want, o) {
			out = append(out, o)
		}
	}
	return out
}

// IdentityKey is one text for all identities that SameIdentity holds to be the same. The
// field of a variant is not in it: it does not always count. Nor are values that are no text.
func IdentityKey(t *Type, want map[string]any) string {
	return identityKey(t, func(f string) any { return want[f] })
}

func identityKey(t *Type, of func(field string) any) string {
	var b strings.Builder
	for _, f := range identityFields(t) {
		if text, ok := trimmed(Folded(t, f, of(f))).(string); ok {
			b.WriteString(text)
		}
		b.WriteByte(0)
	}
	return b.String()
}
