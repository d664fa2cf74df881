package build

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/value"
)

// checkIdentities reports two resources that get one identity in this plan,
// because one takes a field of it from what decK changes. What is the same
// before that was reported when it was read.
func checkIdentities(b *Draft) {
	type named struct {
		r     *resource.Resource
		later bool
	}
	seen := map[string]named{}
	for _, r := range b.Links.Sorted() {
		if !b.writes(r) || r.Type.Single {
			continue
		}
		key, later, known := identityAfter(b, r)
		if !known {
			continue
		}
		other, twice := seen[key]
		if twice && (later || other.later) {
			b.diags = append(b.diags, resource.Twice(r, other.r))
		}
		if !twice {
			seen[key] = named{r, later}
		}
	}
}

// identityAfter is what tells a resource from others after this plan, and
// whether decK has to run for it.
func identityAfter(b *Draft, r *resource.Resource) (key string, later, known bool) {
	parts := []string{r.Type.Kind}
	for _, above := range []*resource.Resource{r.Parent, r.Above} {
		switch {
		case above == nil:
		case b.object(above) != nil:
			parts = append(parts, b.object(above).ID)
		default:
			parts = append(parts, above.Address())
		}
	}
	desired := b.resolve(r)
	for _, f := range r.Type.Identity {
		p := value.ParsePath(f)
		v := expected(b, r, p)
		if _, unknown := v.(value.Unknown); unknown {
			return "", false, false
		}
		now, _ := value.Get(desired.Plain, p)
		_, unknown := now.(value.Unknown)
		later = later || unknown
		parts = append(parts, value.Blocks(fmt.Sprint(resource.Folded(r.Type, f, v))))
	}
	if r.Type.Variant != "" {
		parts = append(parts, value.Blocks(fmt.Sprint(expected(b, r, value.ParsePath(r.Type.Variant)))))
	}
	if r.Type.PerNamespace {
		parts = append(parts, value.Blocks(r.Namespace))
	}
	return strings.Join(parts, "\x00"), later, true
}
