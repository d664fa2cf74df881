package language_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// TestPlainRefsInNames: the ref of a resource where its name belongs is a reference to
// that name, for every field that holds names, as with !ref REF#name.
func TestPlainRefsInNames(t *testing.T) {
	cat, seen := load(t), 0
	for _, typ := range cat.All() {
		for _, naming := range typ.Namings {
			if naming.Inside != "" {
				continue // items of the parent have no refs
			}
			to := cat.Kind(naming.Kind)
			for _, field := range naming.Fields {
				for _, name := range []string{"its-name", "its-ref"} {
					seen++
					named := fmt.Sprintf("%s: [{ref: its-ref, %s: %s}], %s: [", to.Key, to.Identity[0], name, typ.Key)
					if to == typ {
						named = fmt.Sprintf("%s: [{ref: its-ref, %s: %s}, ", to.Key, to.Identity[0], name)
					}
					text := fmt.Sprintf("%s: [{ref: g, name: g, %s{ref: x, name: x, %s}]}]\n", typ.Parent.Root(), named, nesting(typ, strings.Split(field, "."), 0, "its-ref"))
					set, _ := language.Build(cat, read(t, text).Documents, language.Options{Extensions: []resource.Extension{gateway.Extension()}})
					var got []string
					find(t, set, "x").Fields.Walk(func(p value.Path, v value.Value) bool {
						if e := v.Expr(); e != nil && strings.Join(p.Generic(), ".") == field {
							got = append(got, tag(e))
						}
						return true
					})
					if want := "!ref its-ref#" + to.Identity[0]; strings.Join(got, " ") != want {
						t.Errorf("%s: %s: %v, want %s", typ.Kind, field, got, want)
					}
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d fields", seen)
	}
}

// TestMadeRefsInNames: the ref that a plan shows of a resource to which nobody gave one is
// its name where a name belongs, for every field that holds names. Where a name may also
// come from elsewhere it is sent as it stands, and a warning says what to write. What has
// the very name comes before it, and refs that several have are none.
func TestMadeRefsInNames(t *testing.T) {
	cat, seen := load(t), 0
	for _, typ := range cat.All() {
		for _, naming := range typ.Namings {
			if naming.Inside != "" {
				continue
			}
			to := cat.Kind(naming.Kind)
			for _, field := range naming.Fields {
				for others, want := range map[string]string{"": "rate limit", ", {ref: o, NAME: g-rate-limit}": "g-rate-limit", ", {NAME: rate.limit}, {NAME: rate-limit}": "g-rate-limit"} {
					seen++
					others = strings.ReplaceAll(others, "NAME", to.Identity[0])
					named := fmt.Sprintf("%s: [{%s: rate limit}%s], %s: [", to.Key, to.Identity[0], others, typ.Key)
					if to == typ {
						named = fmt.Sprintf("%s: [{%s: rate limit}%s, ", to.Key, to.Identity[0], others)
					}
					text := fmt.Sprintf("%s: [{ref: g, name: g, %s{ref: x, name: x, %s}]}]\n", typ.Parent.Root(), named, nesting(typ, strings.Split(field, "."), 0, "g-rate-limit"))
					set, diags := language.Build(cat, read(t, text).Documents, language.Options{Extensions: []resource.Extension{gateway.Extension()}})
					var got []string
					find(t, set, "x").Fields.Walk(func(p value.Path, v value.Value) bool {
						if name, isText := v.Text(); isText && strings.Join(p.Generic(), ".") == field {
							got = append(got, name)
						}
						return true
					})
					warned := ""
					for _, d := range diags {
						if d.Code == diag.RefUnknown && strings.Contains(d.Detail, `"g-rate-limit"`) {
							warned = d.Fix
						}
					}
					wantFix := ""
					if naming.Open && want == "rate limit" {
						want, wantFix = "g-rate-limit", "write rate limit if that one is meant."
					}
					if strings.Join(got, " ") != want || naming.Open && warned != wantFix {
						t.Errorf("%s: %s%s: %v, want %s; %q", typ.Kind, field, others, got, want, warned)
					}
				}
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d fields", seen)
	}
}

// Resources of one type may name each other: what is part of a circle holds the name
// itself, and all else a reference to it.
func TestNamesInCircles(t *testing.T) {
	cat := load(t)
	for _, row := range []struct{ name, a, b, c, want string }{
		{"a chain", "sources: [b]", "sources: [c]", "", "a !ref b#name, b !ref c#name"},
		{"a name in the place of a ref", "sources: [name-of-b]", "", "", "a name-of-b"},
		{"each other", "sources: [b]", "sources: [a]", "", "a name-of-b, b name-of-a"},
		{"each other, by references", "sources: [!ref b#name]", "sources: [!ref a]", "", "a name-of-b, b name-of-a"},
		{"a longer circle, and one that leads to it", "sources: [b]", "sources: [a]", "sources: [a, b]", "a name-of-b, b name-of-a, c !ref a#name, c !ref b#name"},
		{"itself", "sources: [a, b]", "", "", "a name-of-a, a !ref b#name"},
		{"a circle of another field", "sources: [b]", "display_name: !ref a#display_name", "", "a name-of-b"},
		{"a circle of another field, by its name", "sources: [b]", "display_name: !ref c#display_name", "display_name: !ref name-of-a#display_name", "a name-of-b"},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := "ai_gateways: [{ref: g, name: g, mcp_servers: ["
			for i, more := range []string{row.a, row.b, row.c} {
				ref := "abc"[i : i+1]
				text += fmt.Sprintf("{ref: %s, name: name-of-%s, %s}, ", ref, ref, more)
			}
			set, _ := language.Build(cat, read(t, strings.ReplaceAll(text, ", }", "}")+"]}]\n").Documents, language.Options{})
			var got []string
			for _, ref := range []string{"a", "b", "c"} {
				for _, v := range find(t, set, ref).Fields.Field("sources").Items() {
					name, isText := v.Text()
					if !isText {
						name = tag(v.Expr())
					}
					got = append(got, ref+" "+name)
				}
			}
			if strings.Join(got, ", ") != row.want {
				t.Errorf("%s, want %s", strings.Join(got, ", "), row.want)
			}
			if _, diags := resource.Link(set); diags.HasErrors() {
				t.Error(diags)
			}
		})
	}
}

// A list of names that has one twice is an error, however it is written; several items
// that each have a name may have the same.
func TestNamesTwice(t *testing.T) {
	cat := load(t)
	const policies = "policies: [{ref: pol, name: rate, display_name: R, type: cors, config: {}}, {ref: slow, name: !env POLICY, display_name: S, type: cors, config: {}}]"
	for list, twice := range map[string]bool{
		"[rate]": false, "[rate, rate]": true, "[pol, rate]": true, "[!ref pol, rate]": true, "[!ref pol#name, rate]": true,
		"[pol, pol]": true, "[slow, !env POLICY]": true, "[!ref slow#name, pol]": false, "[rate, !env POLICY]": false, "[rate, !env UNSET]": false,
		"[!ref g, rate]": false, "[!ref pol#display_name, R]": true, "[!ref pol#display_name, rate]": false, "[!ref nope, !ref nope]": false,
	} {
		text := fmt.Sprintf("ai_gateways: [{ref: g, name: g, %s, agents: [{ref: x, name: x, policies: %s}]}]\n", policies, list)
		_, diags := language.Build(cat, read(t, text).Documents, language.Options{Env: func(name string) (string, bool) { return "slow-one", name == "POLICY" }})
		found := false
		for _, d := range diags {
			found = found || d.Code == diag.ValItems && d.Pos.Line == 1 && strings.Contains(d.Detail, "items 1 and 2")
			if strings.Contains(d.Detail, "slow-one") {
				t.Errorf("%s shows the variable: %s", list, d)
			}
		}
		if found != twice {
			t.Errorf("%s: %v", list, diags)
		}
	}
}

// nesting writes a text at a path, in lists where the contract has some.
func nesting(t *catalog.Bound, path []string, at int, text string) string {
	inner := text
	if at < len(path)-1 {
		inner = "{" + nesting(t, path, at+1, text) + "}"
	}
	if s := t.Write().At(path[:at+1], nil); s != nil && s.Item() != nil {
		inner = "[" + inner + "]"
	}
	return path[at] + ": " + inner
}
