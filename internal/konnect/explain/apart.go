package explain

import "slices"

// tell finds the field further down that has another value in each variant, where
// none of the mapping itself chooses.
func (o *Object) tell() {
	for _, f := range o.Variants[0].Fields {
		for _, g := range f.Object.all() {
			var apart []string
			for _, v := range o.Variants {
				if is := fixed(v, f.Name, g.Name); v.Property == "" && len(is) > 0 {
					apart = append(apart, only(f.Name+"."+g.Name, is))
				}
			}
			if len(apart) < len(o.Variants) || len(slices.Compact(slices.Sorted(slices.Values(apart)))) == 1 {
				continue
			}
			for i, v := range o.Variants {
				v.apart = apart[i]
			}
			return
		}
	}
}

// fixed are the values that a field inside a field of a variant can have.
func fixed(v *Variant, field, inner string) []string {
	var out []string
	for _, f := range v.Fields {
		if f.Name != field {
			continue
		}
		for _, g := range f.Object.all() {
			if g.Name == inner && (g.Required || g.Only) {
				for _, x := range g.Enum {
					out = append(out, text(x))
				}
			}
		}
	}
	return out
}
