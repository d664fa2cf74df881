package resource

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// Identities finds objects of one type by their identity, without a comparison with each.
type Identities struct {
	t       *Type
	list    []*Object
	objects map[string][]*Object
	// but are the places of the objects in the list by a field and the rest of their
	// identity.
	but map[string]map[string][]int
}

// NewIdentities indexes a list. Objects that change their identity are not found in it.
func NewIdentities(t *Type, objects []*Object) *Identities {
	x := &Identities{t: t, list: objects, objects: make(map[string][]*Object, len(objects))}
	for _, o := range objects {
		key := identityKey(t, fieldsOf(o), "")
		x.objects[key] = append(x.objects[key], o)
	}
	return x
}

func fieldsOf(o *Object) func(field string) any {
	return func(f string) any {
		v, _ := value.Get(o.Fields, value.ParsePath(f))
		return v
	}
}

// Nearly are the objects that differ from an identity in a single field of it, in the
// order of the list.
func (x *Identities) Nearly(want map[string]any) []*Object {
	fields := append([]string{""}, identityFields(x.t)...)
	if x.but == nil {
		x.but = map[string]map[string][]int{}
		for _, f := range fields {
			x.but[f] = map[string][]int{}
			for i, o := range x.list {
				key := identityKey(x.t, fieldsOf(o), f)
				x.but[f][key] = append(x.but[f][key], i)
			}
		}
	}
	var places []int
	for _, f := range fields {
		places = append(places, x.but[f][identityKey(x.t, func(f string) any { return want[f] }, f)]...)
	}
	slices.Sort(places)
	var out []*Object
	for _, i := range slices.Compact(places) {
		if OnlyDifference(x.t, want, x.list[i]) != "" {
			out = append(out, x.list[i])
		}
	}
	return out
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
	return identityKey(t, func(f string) any { return want[f] }, "")
}

// identityKey leaves one field out, "" for none.
func identityKey(t *Type, of func(field string) any, but string) string {
	var b strings.Builder
	for _, f := range identityFields(t) {
		if f == but {
			continue
		}
		if text, ok := trimmed(Folded(t, f, of(f))).(string); ok {
			b.WriteString(text)
		}
		b.WriteByte(0)
	}
	return b.String()
}
