package build

import "github.com/kongctl/kongctl/internal/resource"

// objects are what was read, by type. What was read never changes, so each list and
// each index of it is made once.
type objects struct {
	state resource.State
	all   map[*resource.Type][]resource.Part
	ids   map[*resource.Type]map[string][]resource.Part
	named map[*resource.Type]*resource.Identities
}

func newObjects(s resource.State) *objects {
	return &objects{
		state: s, all: map[*resource.Type][]resource.Part{}, ids: map[*resource.Type]map[string][]resource.Part{},
		named: map[*resource.Type]*resource.Identities{},
	}
}

// of are the objects of a type.
func (o *objects) of(t *resource.Type) []resource.Part {
	if _, known := o.all[t]; !known {
		o.all[t] = o.state.Objects(t)
	}
	return o.all[t]
}

// withID are the objects of a type that have an id, each below other ancestors.
func (o *objects) withID(t *resource.Type, id string) []resource.Part {
	if o.ids[t] == nil {
		o.ids[t] = map[string][]resource.Part{}
		for _, x := range o.of(t) {
			o.ids[t][x.Object.ID] = append(o.ids[t][x.Object.ID], x)
		}
	}
	return o.ids[t][id]
}

// same are the objects of a type with an identity, wherever they are.
func (o *objects) same(t *resource.Type, want map[string]any) []*resource.Object {
	if o.named[t] == nil {
		var list []*resource.Object
		for _, x := range o.of(t) {
			list = append(list, x.Object)
		}
		o.named[t] = resource.NewIdentities(t, list)
	}
	return o.named[t].Same(want)
}
