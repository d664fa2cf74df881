package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Texts that the contract calls references, AIGatewayPolicyReference, are Namings of
// the type that has them. Others are those that only the words of the contract tell:
// groups of access lists, and the sources of a listener.
func TestNamings(t *testing.T) {
	cat := load(t)
	for _, b := range cat.All() {
		var want, got []string
		for path, name := range referred(b.Write(), nil, nil) {
			for _, to := range cat.All() {
				if strings.EqualFold(strings.ReplaceAll(to.Kind, "_", ""), name) {
					want = append(want, path+" "+to.Kind)
				}
			}
		}
		for _, n := range b.Namings {
			if n.Inside != "" {
				continue // TestNamingsInside
			}
			if to := cat.Kind(n.Kind); to == nil || to.Parent != b.Parent || len(to.Identity) != 1 {
				t.Errorf("%s names %s, which is not a type with the same parent and a name", b.Kind, n.Kind)
			}
			for _, f := range n.Fields {
				s := b.Write().At(value.ParsePath(f), nil)
				if s != nil && s.Type == "array" {
					s = s.Items.Deref()
				}
				if s == nil || s.Type != "string" {
					t.Errorf("%s.%s is not a text", b.Kind, f)
				}
				if n.Open != strings.Contains(f, "acls.") { // groups may be those of claims
					t.Errorf("%s.%s: names may come from elsewhere is %v", b.Kind, f, n.Open)
				}
				if !strings.Contains(f, "acls.") && f != "sources" {
					got = append(got, f+" "+n.Kind)
				}
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-contract +catalog):\n%s", b.Kind, diff)
		}
	}
}

// referred has the texts of a schema that are called references, by path.
func referred(s *contract.Schema, at value.Path, in []*contract.Schema) map[string]string {
	out := map[string]string{}
	if s = s.Deref(); s == nil || slices.Contains(in, s) {
		return out
	}
	in = append(in[:len(in):len(in)], s)
	text := s
	if s.Type == "array" && s.Items != nil {
		text = s.Items.Deref()
	}
	for _, ending := range []string{"References", "Reference"} {
		if name, ok := strings.CutSuffix(s.Name, ending); ok && text != nil && text.Type == "string" {
			out[at.String()] = name
		}
	}
	below := func(x *contract.Schema, at value.Path) {
		for path, name := range referred(x, at, in) {
			out[path] = name
		}
	}
	for name, x := range s.Properties {
		below(x, at.Child(name))
	}
	for _, list := range [][]*contract.Schema{s.OneOf, s.AnyOf, s.AllOf, {s.Items}} {
		for _, x := range list {
			below(x, at)
		}
	}
	return out
}
