package query_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/resource"
)

func TestParse(t *testing.T) {
	for words, want := range map[string]string{
		"portals": "portal", "portal": "portal", "konnect portal dev": "portal dev", "portal pages": "portal_page", "portal page home": "portal_page home",
		"portal team roles": "portal_team_role", "portal teams partners": "portal_team partners", "portal-pages": "portal_page", "portal_team_role": "portal_team_role",
		"api versions 1.0.0": "api_version 1.0.0", "api documents": "api_document", "auth-strategies": "application_auth_strategy", "auth-strategy a": "application_auth_strategy a",
		"gateway control-planes": "control_plane", "gw cps": "control_plane", "gw cp prod": "control_plane prod", "control-planes": "control_plane",
		"gateway control-plane services": "gateway_service", "gw cp ca-certificates": "gateway_ca_certificate", "gateway services": "gateway_service",
		"gateway control-plane data-plane-certs": "control_plane_data_plane_certificate", "gw cp data-plane-certificate": "control_plane_data_plane_certificate",
		"organization teams": "organization_team", "org team crew": "organization_team crew", "org team roles": "organization_team_role", "teams": "organization_team", "team": "organization_team", "team-role": "organization_team_role",
		"catalog services": "catalog_service", "catalog service s": "catalog_service s", "catalog-services": "catalog_service", "Portals": "portal",
		"portal auth-settings": "portal_auth_settings", "portal -": "portal -",
		"portal email-domains": "portal_email_domain", "portal email-domain example.com": "portal_email_domain example.com",
		"ai-gateway credentials": "ai_gateway_consumer_credential", "aigw consumer credentials": "ai_gateway_consumer_credential", "event-gateway policies": "event_gateway policies", "event-gateway listener-policies": "event_gateway_listener_policy",
		"portal assets logo": "portal_asset_logo", "portal asset favicon": "portal_asset_favicon",
		"me": "/v3/users/me", "organization": "/v3/organizations/me", "konnect org": "/v3/organizations/me",
	} {
		asked, err := query.Parse(strings.Fields(words))
		if err != nil {
			t.Errorf("%s: %v", words, err)
			continue
		}
		got := asked.Path
		if asked.Type != nil {
			got = strings.TrimSpace(asked.Type.Kind + " " + asked.Name)
		}
		if got != want {
			t.Errorf("%s asks for %s, want %s", words, got, want)
		}
	}
	for words, want := range map[string]string{
		"":                  "no resource type is named",
		"konnect":           "no resource type is named",
		"potrals":           `did you mean "portals"`,
		"gateway":           "gateway: no resource type is named",
		"gw control-plan":   `did you mean "gw control-planes"`,
		"portal pagse home": `did you mean "pages"`,
		"portal assets x":   `did you mean "assets logo" or "assets favicon"`,
		"portal dev home":   `unexpected argument "home"`,
		"portal dev pages":  `unexpected argument "pages"`,
		"org teams a b":     `unexpected argument "b"`,
		"me too":            "unknown resource type",
		"system-accounts":   `did you mean "organization-system-accounts"`,
	} {
		_, err := query.Parse(strings.Fields(words))
		var wrong *query.WordError
		if !errors.As(err, &wrong) || !strings.Contains(wrong.Message, want) {
			t.Errorf("%q: %v, want %s", words, err, want)
		}
	}
	if _, err := query.Parse([]string{"portal", ""}); err == nil {
		t.Error("an empty name was taken")
	}
}

// Every type is asked for by its kind, and below its parents by its key, one and
// many.
func TestEveryTypeHasWords(t *testing.T) {
	for _, typ := range catalog.Types() {
		for _, kind := range []string{typ.Kind, strings.ReplaceAll(typ.Kind, "_", "-"), typ.Root()} {
			if asked, err := query.Parse([]string{kind}); err != nil || asked.Type != typ {
				t.Errorf("%s: %v, %v", kind, asked, err)
			}
		}
		var words []string
		for p := typ; p != nil; p = p.ChildOf {
			word := catalog.ChildWords(p)[0]
			if p.ChildOf == nil {
				word = p.Kind
			}
			words = append([]string{word}, words...)
		}
		if asked, err := query.Parse(words); err != nil || asked.Type != typ || asked.Name != "" {
			t.Errorf("%v: %v, %v", words, asked, err)
		}
	}
}

// Below every type, one and many mean the same: page and pages, attribute and
// attributes.
func TestOneAndManyAlike(t *testing.T) {
	tried := 0
	for _, above := range catalog.Types() {
		for _, word := range query.Next([]string{above.Kind}) {
			many, err := query.Parse([]string{above.Kind, word})
			if err != nil || many.Name != "" {
				t.Errorf("%s %s: %+v, %v", above.Kind, word, many, err)
				continue
			}
			one, err := query.Parse([]string{above.Kind, catalog.Singular(word)})
			if err != nil || one.Type != many.Type || one.Part != many.Part || one.Name != "" {
				t.Errorf("%s %s: %+v, %v, want what %s gives", above.Kind, catalog.Singular(word), one, err, word)
			}
			named, err := query.Parse([]string{above.Kind, catalog.Singular(word), "x"})
			if err != nil || named.Type != many.Type || named.Part != many.Part || named.Name+named.Key != "x" {
				t.Errorf("%s %s x: %+v, %v", above.Kind, catalog.Singular(word), named, err)
			}
			tried++
		}
	}
	if tried < 50 {
		t.Errorf("%d words were tried", tried)
	}
}

// Certificates of data planes have a short word wherever there are some.
func TestDataPlaneCerts(t *testing.T) {
	tried := 0
	for _, typ := range catalog.Types() {
		if !strings.HasSuffix(typ.Kind, "data_plane_certificate") {
			continue
		}
		for _, word := range []string{"data-plane-cert", "data-plane-certs"} {
			if asked, err := query.Parse([]string{typ.ChildOf.Kind, word}); err != nil || asked.Type != typ || asked.Name != "" {
				t.Errorf("%s %s: %+v, %v", typ.ChildOf.Kind, word, asked, err)
			}
			tried++
		}
	}
	if tried < 4 {
		t.Errorf("%d words were tried", tried)
	}
}

// What a shell offers below a parent does not repeat the parent, and leads to a type.
func TestNextIsShort(t *testing.T) {
	for _, x := range catalog.Types() {
		above := strings.ReplaceAll(x.Kind, "_", "-")
		for _, word := range query.Next([]string{above}) {
			full, err := query.Parse([]string{above, word})
			if err != nil {
				t.Errorf("%s: %q leads to no type: %v", x.Kind, word, err)
				continue
			}
			short, repeats := strings.CutPrefix(word, above+"-")
			if asked, err := query.Parse([]string{above, short}); repeats && err == nil && asked.Name == "" && asked.Type == full.Type {
				t.Errorf("%s: %q is offered, and %q is enough", x.Kind, word, short)
			}
		}
	}
	if got := query.Next([]string{"portal"}); !slices.Contains(got, "developers") || !slices.Contains(got, "application-registrations") {
		t.Errorf("after portal: %v", got)
	}
}

// What people write in a group is asked for by the same word, one and many, and no other
// word asks for several types.
func TestGroups(t *testing.T) {
	tried := 0
	for _, b := range load(t).All() {
		groups := catalog.Groups(b)
		for key := range groups {
			for _, word := range []string{key, catalog.Singular(key)} {
				if asked, err := query.Parse([]string{b.Kind, word}); err != nil || asked.Type != b.Type || asked.Group != word || asked.Name != "" {
					t.Errorf("%s %s: %+v, %v", b.Kind, word, asked, err)
				}
				tried++
			}
		}
		for _, c := range b.Children {
			first, _, _ := strings.Cut(c.Key, "_")
			if asked, err := query.Parse([]string{b.Kind, first}); err == nil && asked.Group != "" && groups[first] == nil && groups[first+"s"] == nil {
				t.Errorf("%s %s is a group, and no configuration has it", b.Kind, first)
			}
		}
	}
	if tried == 0 {
		t.Error("there are no groups")
	}
}

// A group lists those of its children that exist.
func TestGroupListsWhatExists(t *testing.T) {
	cat := load(t)
	portal := object(map[string]any{"id": "1", "name": "p"})
	for _, row := range []struct {
		single *resource.Object
		want   int
	}{{nil, 0}, {object(map[string]any{"data": "x"}), 2}} {
		r := query.Request{Asked: query.Asked{Type: cat.Kind("portal").Type, Group: "assets"}, Parents: map[string]query.Selection{"portal": {Name: "p"}}}
		a, err := query.Run(context.Background(), memory{objects: []*resource.Object{portal}, single: row.single}, cat, r)
		if err != nil || len(a.Bodies) != row.want || a.One {
			t.Errorf("%+v, %v; want %d", a, err, row.want)
		}
	}
}
