package explain_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/explain"
)

func TestFind(t *testing.T) {
	x, cat := explainer(t)
	for path, want := range map[string]string{
		"portal": "portal", "portals": "portal", "portal.pages": "portal_page", "portals[].pages[]": "portal_page", "portal-page": "portal_page",
		"portal.page": "portal_page", "portal.pages.children": "portal_page", "portal.teams.roles": "portal_team_role", "organization.teams": "organization_team",
		"organization.teams.roles": "organization_team_role", "auth-strategies": "application_auth_strategy", "ce_service": "gateway_service", "control-plane.services": "gateway_service",
		"portal.pages.slug": "portal_page slug", "portal.labels.team": "portal labels.team", "portal.customization.menu.main.title": "portal_customization menu.main.title",
		"api_publication.portal": "api_publication portal_id", "application_auth_strategy.configs.key-auth.ttl": "application_auth_strategy configs.key-auth.ttl",
		"portal.id": "portal id", "application_auth_strategy.configs.key_auth": "application_auth_strategy configs.key-auth", "api.version": "api version", "api.versions": "api_version", "api.version.spec": "api_version spec",
	} {
		found, err := x.Find(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		got := found.Type.Kind
		if found.Field != nil {
			got += " " + strings.Join(found.Path, ".")
		}
		if got != want {
			t.Errorf("%s leads to %s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"portal.assets": "portal assets", "portal.assets.logo": "portal_asset_logo", "portals[].assets.favicon": "portal_asset_favicon",
		"portal.ref": "portal ref", "portal.kongctl": "portal kongctl", "portal.kongctl.namespace": "portal kongctl.namespace",
		"control_plane._deck": "control_plane _deck", "api_publication.api": "api_publication api",
	} {
		found, err := x.Find(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if got := strings.TrimSpace(found.Type.Kind + " " + strings.Join(found.Path, ".")); got != want {
			t.Errorf("%s leads to %s, want %s", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"potral":              `unknown resource type "potral"; did you mean "portal"?`,
		"system_account":      `unknown resource type "system_account"; did you mean "organization_system_account"?`,
		"portal.pagse":        `portal has no field "pagse"; did you mean "pages"?`,
		"portal.pages.slgu":   `portal_page has no field "slgu"; did you mean "slug"?`,
		"portal.name.x":       `portal.name has no field "x"`,
		"":                    `unknown resource type ""`,
		"portal.labels.a.b":   `portal.labels.a has no field "b"`,
		"portal.description.": "", // a dot too many is forgiven
	} {
		_, err := x.Find(path)
		var unknown *explain.UnknownError
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", path, err)
		case want == "":
		case !errors.As(err, &unknown):
			t.Errorf("%q: %v, want an error", path, err)
		case unknown.Message != want:
			t.Errorf("%q: %s, want %s", path, unknown.Message, want)
		case unknown.Hint == "":
			t.Errorf("%q: no hint", path)
		}
	}
	for _, b := range cat.All() {
		if _, err := x.Find(b.Kind); err != nil {
			t.Error(err)
		}
	}
}

// Every field that the contract has is explained, and every field that is
// explained is found by its path.
// TestNext asserts that every path that completes another leads somewhere, and that
// none comes twice.
func TestNext(t *testing.T) {
	x, cat := explainer(t)
	for _, b := range cat.All() {
		paths := x.Next(b.Kind+".", true)
		if len(paths) == 0 {
			t.Errorf("%s: no paths", b.Kind)
		}
		if !slices.Equal(slices.Compact(slices.Clone(paths)), paths) {
			t.Errorf("%s: a path comes twice: %v", b.Kind, paths)
		}
		for _, path := range paths {
			if _, err := x.Find(path); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		for _, path := range x.Next(b.Kind+".", false) {
			if found, err := x.Find(path); err != nil || found.Field != nil {
				t.Errorf("%s is not a type", path)
			}
		}
	}
	for typed, want := range map[string]string{"portal_pa": "portal_page", "portal.pages.sl": "portal.pages.slug", "organization.te": "organization.teams", "nothing.x": ""} {
		if got := strings.Join(x.Next(typed, true), " "); got != want {
			t.Errorf("%s is completed by %q, want %q", typed, got, want)
		}
	}
}

func TestEveryFieldIsExplained(t *testing.T) {
	x, cat := explainer(t)
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		text := x.Text(found, explain.TextOptions{Extended: true})
		s := b.Returned()
		if !b.ReadOnly {
			s = b.Write()
		}
		o := s.Object(nil)
		for _, name := range o.Names() {
			f := o.Field(name)
			if f.Schema.ReadOnly && !b.ReadOnly {
				continue
			}
			at, err := x.Find(b.Kind + "." + name)
			if err != nil && b.Child(name) == nil {
				t.Errorf("%s.%s: %v", b.Kind, name, err)
				continue
			}
			if at.Field == nil && at.Key == nil && !slices.ContainsFunc(b.Children, func(c *catalog.Bound) bool { return c.Key == name }) {
				t.Errorf("%s.%s leads to the type %s, want the field", b.Kind, name, at.Type.Kind)
			}
			if !strings.Contains(text, name) {
				t.Errorf("%s: the text lacks %s", b.Kind, name)
			}
			if at.Field != nil && at.Field.Secret != (f.Schema.Secret || b.ReadOnly && b.ReturnedAt([]string{name}).Secret) {
				t.Errorf("%s.%s: secret is %v", b.Kind, name, at.Field.Secret)
			}
			if at.Field != nil && !b.ReadOnly && at.Field.Immutable != b.Immutable([]string{name}) {
				t.Errorf("%s.%s: immutable is %v", b.Kind, name, at.Field.Immutable)
			}
		}
		for _, r := range b.References {
			if at, err := x.Find(b.Kind + "." + r.Field); !b.ReadOnly && (err != nil || at.Field.Refers == "") {
				t.Errorf("%s.%s is a reference and is not explained as one: %v", b.Kind, r.Field, err)
			}
		}
	}
}

// Every path that explain prints can be asked for, and the answer has what was
// printed below the path, in all variants.
func TestEveryPrintedPathIsFound(t *testing.T) {
	x, cat := explainer(t)
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		_, table, _ := strings.Cut(x.Text(found, explain.TextOptions{}), "\nFields")
		table, _, _ = strings.Cut(table, "\n\nExample")
		var path []string
		texts := map[string]string{}
		for _, line := range strings.Split(table, "\n")[1:] {
			depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
			words := strings.Fields(line)
			if depth == 0 || line == "  none" {
				continue
			}
			name := words[0]
			if strings.Contains(line, "<any key>") {
				name = "x"
			}
			path = append(path[:depth-1], name)
			at := b.Kind + "." + strings.Join(path, ".")
			if depth == 1 && b.Child(name) != nil {
				continue
			}
			field, err := found.Type.At(path)
			if err != nil {
				t.Errorf("%s is printed: %v", at, err)
				continue
			}
			texts[at] = x.Text(field, explain.TextOptions{})
			above := b.Kind + "." + strings.Join(path[:depth-1], ".")
			if depth > 1 && name != "x" && texts[above] != "" && !strings.Contains(texts[above], "\n  "+name) {
				t.Errorf("explain %s lacks %s:\n%s", above, name, texts[above])
			}
			if _, values, ok := strings.Cut(line, "one of "); ok {
				values, _, _ = strings.Cut(values, ";")
				for _, v := range strings.Split(values, ", ") {
					if !strings.Contains(texts[at], v) {
						t.Errorf("explain %s lacks the value %s:\n%s", at, v, texts[at])
					}
				}
			}
		}
	}
}

// Sync cannot tell whose a root without labels is, and explain says so.
func TestRootsWithoutLabelsSayThatTheyStay(t *testing.T) {
	x, cat := explainer(t)
	n := 0
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		text := x.Text(found, explain.TextOptions{})
		unmarked := b.Parent == nil && !b.ReadOnly && !b.HasLabels()
		if unmarked {
			n++
		}
		if strings.Contains(text, "never deletes undeclared ones") != unmarked {
			t.Errorf("%s:\n%s", b.Kind, text)
		}
		if found.Type.Replaced && strings.Contains(text, "creates it again") != changeable(b) {
			t.Errorf("%s: only a field that is no identity can be changed:\n%s", b.Kind, text)
		}
		if strings.Contains(text, "a change replaces the resource") && !strings.Contains(text, "creates it again") && b.Update == nil {
			t.Errorf("%s: a field is said to replace it:\n%s", b.Kind, text)
		}
		if b.Shape == catalog.Singleton && strings.Contains(text, "where the list is written") {
			t.Errorf("%s has no list", b.Kind)
		}
	}
	if n == 0 {
		t.Error("no type was tried")
	}
}

func TestListNamesEveryType(t *testing.T) {
	x, cat := explainer(t)
	text := x.List(explain.TextOptions{})
	n := 0
	for _, f := range x.Overview() {
		n += len(f.Types)
	}
	for _, b := range cat.All() {
		if !strings.Contains(text, b.Kind) {
			t.Errorf("%s is not listed", b.Kind)
		}
	}
	if n != len(cat.All()) {
		t.Errorf("the families have %d types, the catalog %d", n, len(cat.All()))
	}
}

// What explain prints fits into a terminal: only examples, and words that are longer
// than a line, are as wide as they are.
func TestNarrowTexts(t *testing.T) {
	x, cat := explainer(t)
	check := func(what, text string, width int) {
		t.Helper()
		text, _, _ = strings.Cut(text, "\nExample\n")
		for _, line := range strings.Split(text, "\n") {
			if len(line) > width && strings.Contains(strings.TrimSpace(line), " ") && !strings.HasPrefix(line, "!") {
				t.Errorf("%s: %d columns at a width of %d: %s", what, len(line), width, line)
			}
		}
	}
	for _, width := range []int{60, 80} {
		o := explain.TextOptions{Extended: true, Width: width}
		check("the list", x.List(o), width)
		check("the tags", explain.TagsText(o), width)
		for _, b := range cat.All() {
			found, err := x.Find(b.Kind)
			if err != nil {
				t.Fatal(err)
			}
			wide := explain.TextOptions{Extended: true}
			if got, want := strings.Fields(x.Text(found, o)), strings.Fields(x.Text(found, wide)); !slices.Equal(got, want) {
				t.Errorf("%s: words are lost at a width of %d", b.Kind, width)
			}
			check(b.Kind, x.Text(found, o), width)
		}
	}
}

// Keys under which others are written are explained like fields.
func TestSidesAreExplained(t *testing.T) {
	x, _ := explainer(t)
	for _, path := range []string{"portal.teams.group_mappings", "portal_team.group_mappings.groups"} {
		if found, err := x.Find(path); err != nil || found.Field == nil || found.Field.Type != "array" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// changeable reports whether a type has a field that is neither in its identity nor
// made of fields that are.
func changeable(b *catalog.Bound) bool {
	var some func(path []string) bool
	some = func(path []string) bool {
		s := b.Write().At(path, nil)
		if b.IsIdentity(path) || s == nil || s.ReadOnly {
			return false
		}
		o := s.Object(nil)
		within := slices.ContainsFunc(b.Identity, func(f string) bool { return strings.HasPrefix(f, strings.Join(path, ".")+".") })
		if !within {
			return true
		}
		return slices.ContainsFunc(o.Names(), func(name string) bool { return some(append(slices.Clone(path), name)) })
	}
	o := b.Write().Object(nil)
	return slices.ContainsFunc(o.Names(), func(name string) bool { return some([]string{name}) })
}

// Every key that the schema of a type allows can be explained, as text and as schema.
func TestEveryKeyIsExplained(t *testing.T) {
	x, cat := explainer(t)
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		properties, _ := x.Schema(found)["properties"].(map[string]any)
		for key := range properties {
			one, err := x.Find(b.Kind + "." + key)
			if err != nil {
				t.Errorf("%s.%s: %v", b.Kind, key, err)
				continue
			}
			if text := x.Text(one, explain.TextOptions{}); !strings.Contains(text, "root key") && !strings.Contains(text, "written at") {
				t.Errorf("%s.%s: %s", b.Kind, key, text)
			}
			if s := x.Schema(one); s["x-kongctl-resource"] == nil {
				t.Errorf("%s.%s: no resource in %v", b.Kind, key, s)
			}
		}
	}
}

// The text of every type has its class, and of every field the tag that it is best
// written with.
func TestTextHasClassAndTags(t *testing.T) {
	x, cat := explainer(t)
	tags := map[string]int{}
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		text := x.Text(found, explain.TextOptions{})
		if !strings.Contains(text, "\n  class     "+string(found.Type.Class)+"\n") {
			t.Errorf("%s: no class", b.Kind)
		}
		for _, f := range found.Type.Object.Fields {
			tag := f.PreferredTag()
			if tag == "" || found.Type.Class == explain.External {
				continue
			}
			tags[tag]++
			i := strings.Index(text, "\n  "+f.Name)
			if line, _, _ := strings.Cut(text[max(i, 0)+1:], "\n"); !strings.Contains(line, tag) {
				t.Errorf("%s.%s: no %s in %q", b.Kind, f.Name, tag, line)
			}
		}
	}
	if len(tags) != 3 {
		t.Errorf("tags that were tried: %v", tags)
	}
}

// A boolean is no secret, and what nobody writes here is not to be written with a tag.
func TestSecretsOfWhatOthersOwn(t *testing.T) {
	x, cat := explainer(t)
	secrets := 0
	for _, b := range cat.All() {
		o := b.Returned().Object(nil)
		for _, name := range o.Names() {
			found, err := x.Find(b.Kind + "." + name)
			if err != nil || found.Field == nil {
				continue
			}
			if found.Field.Secret && o.Field(name).Schema.Type == "boolean" {
				t.Errorf("%s.%s is a boolean and secret", b.Kind, name)
			}
			if found.Field.Secret && b.ReadOnly {
				secrets++
				if text := x.Text(found, explain.TextOptions{}); strings.Contains(text, "!secret") || !strings.Contains(text, "secret\n") {
					t.Errorf("%s.%s: nobody writes it:\n%s", b.Kind, name, text)
				}
			}
		}
	}
	if secrets < 5 {
		t.Errorf("only %d secrets were found", secrets)
	}
}
