package explain_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/source"
)

// Each form of what stands beside a resource is one that both the loader and the
// schema take, or neither.
func TestSchemaTakesWhatLoads(t *testing.T) {
	x, cat := explainer(t)
	s := schemaOf(t, x)
	const provider = `type: oidc, enabled: true, config: {issuer_url: https://id.example.com, client_id: mine}`
	beside := map[string]bool{
		`null`: true, `mine`: true, `[]`: true, `[mine, yours]`: true, `[mine, {groups: [yours]}]`: true, `{groups: [mine]}`: true, `{groups: []}`: true,
		`{ref: some, groups: [mine, yours]}`: true, `[{ref: some, groups: [mine]}, {ref: others, groups: []}]`: true, `!env GROUP`: true, `[!env GROUP]`: true,
		`{}`: false, `[{}]`: false, `{ref: some}`: false, `{groups: mine}`: false, `{groups: null}`: false, `[{group: mine}]`: false, `{ref: "no ref", groups: [mine]}`: false,
		`5`: false, `true`: false, `[5]`: false, `[[mine]]`: false, `[null]`: false, `{groups: [{name: mine}]}`: false,
	}
	flat := map[string]bool{
		`null`: true, `[]`: true, `[{team: us, groups: [mine]}]`: true, `[{ref: some, team_id: us, groups: [mine, yours]}]`: true, `[{team: us, groups: []}]`: true,
		`[{team: {ref: us}, groups: [mine]}]`: true,
		`[{groups: [mine]}]`:                  false, `[{team: us}]`: false, `{team: us, groups: [mine]}`: false, `[mine]`: false, `mine`: false, `[{team: us, groups: mine}]`: false,
		`[{team: us, group: mine}]`: false, `[{team: us, groups: [mine], kongctl: {protected: true}}]`: false,
	}
	portal := `portals: [{ref: dev, name: dev, identity_providers: [{ref: sso, ` + provider + `}], teams: [{ref: us, name: us%s}]}]` + "\n"
	organization := `organization_identity_providers: [{ref: sso, login_path: sso, ` + provider + `}]` + "\n" + `teams: [{ref: us, name: us%s}]` + "\n"
	docs := map[string]bool{}
	for form, fine := range beside {
		docs[fmt.Sprintf(portal, ", group_mappings: "+form)] = fine
		docs[fmt.Sprintf(organization, ", group_mappings: "+form)] = fine
	}
	for form, fine := range flat {
		docs[fmt.Sprintf(portal, "")+"portal_team_group_mappings: "+form] = fine
		docs[fmt.Sprintf(portal, "")+"portal_team_group_mappings: "+strings.ReplaceAll(form, "[{", "[{portal: dev, ")] = fine
		docs[fmt.Sprintf(organization, "")+"organization_team_group_mappings: "+form] = fine
	}
	env := func(string) (string, bool) { return "theirs", true }
	for text, fine := range docs {
		files, diags := source.Load(context.Background(), source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: t.TempDir()})
		_, more := language.Build(cat, files.Documents, language.Options{Env: env})
		if err := append(diags, more...).Err(); (err == nil) != fine {
			t.Errorf("the loader takes it: %v, want %v\n%s%v", err == nil, fine, text, err)
		}
		if err := s.Validate(seen(t, text)[0]); (err == nil) != fine {
			t.Errorf("the schema takes it: %v, want %v\n%s%v", err == nil, fine, text, err)
		}
	}
}

// A scaffold says what may stand beside a resource.
func TestScaffoldKnowsSides(t *testing.T) {
	x, cat := explainer(t)
	for _, b := range cat.All() {
		for _, s := range cat.Sides(b) {
			if text := x.Scaffold(x.Type(b)); !strings.Contains(text, s.Key+": [my-") {
				t.Errorf("the scaffold of %s lacks %s:\n%s", b.Kind, s.Key, text)
			}
		}
	}
}
