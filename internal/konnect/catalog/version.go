package catalog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
)

// Versions says how Konnect keeps several versions of one resource, all with the
// same identity. The newest one is the resource; the others belong to it.
type Versions struct {
	// Number and State are the fields with the number and the state of a version.
	Number, State string
	// Draft is the state in which a version can be changed, Held are those in which it
	// cannot be deleted.
	Draft string
	Held  []string
}

// Latest is the newest version of each resource among objects, and the older ones,
// the newest of them first. Without versions, all are the newest.
func Latest(t *Bound, objects []*resource.Object) (latest, older []*resource.Object) {
	if t.Versions == nil || len(objects) < 2 {
		return objects, nil
	}
	newest := map[string]*resource.Object{}
	for _, o := range objects {
		key := identityText(t, o)
		if was := newest[key]; was == nil || numberOf(t, o) > numberOf(t, was) {
			newest[key] = o
		}
	}
	for _, o := range objects {
		if newest[identityText(t, o)] == o {
			latest = append(latest, o)
		} else {
			older = append(older, o)
		}
	}
	slices.SortStableFunc(older, func(a, b *resource.Object) int { return cmp.Compare(numberOf(t, b), numberOf(t, a)) })
	return latest, older
}

func identityText(t *Bound, o *resource.Object) string {
	out := ""
	for _, f := range t.Identity {
		out += fmt.Sprintf("%v\x00", o.Fields[f])
	}
	return out
}

func numberOf(t *Bound, o *resource.Object) int64 {
	n, _ := o.Fields[t.Versions.Number].(json.Number)
	return cmp.Or(Whole(n), 1)
}

// Whole is a number without a fraction, 0 for others.
func Whole(n json.Number) int64 {
	i, err := n.Int64()
	if err != nil {
		return 0
	}
	return i
}
