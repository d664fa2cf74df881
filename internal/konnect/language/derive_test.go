package language_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/language"
)

// TestIdentityOfOtherFields: where a resource is found by a field that is made of
// others, null for it says as little as no key, and what it is made of may come from
// a variable.
func TestIdentityOfOtherFields(t *testing.T) {
	const page = "---\nslug: hello\n---\nText"
	vars := map[string]string{"TITLE": "Hello", "PAGE": page}
	env := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	// %s is the field, variable what takes its place where what it is made of is one.
	rows := map[string]struct{ text, variable, want string }{
		"api_document slug": {
			"apis: [{ref: a, name: a, documents: [{ref: x, %s title: Hello, content: c}]}]", "title: !env TITLE, content: c", `"slug":"hello"`,
		},
		"api_package_document slug": {
			"api_packages: [{ref: a, name: a, documents: [{ref: x, %s title: Hello, content: c}]}]", "title: !env TITLE, content: c", `"slug":"hello"`,
		},
		"portal_page slug": {
			"portals: [{ref: a, name: a, pages: [{ref: x, %s content: \"---\\nslug: hello\\n---\\nText\"}]}]", "content: !env PAGE", `"slug":"hello"`,
		},
		"api_version version": {
			"apis: [{ref: a, name: a, versions: [{ref: x, %s spec: {openapi: 3.0.3, info: {title: A, version: 2.0.0}, paths: {}}}]}]", "", `"version":"2.0.0"`,
		},
		"api_package_operation operation_id": {
			"apis: [{ref: b, name: b}]\napi_packages: [{ref: a, name: a, operations: [{ref: x, %s api: b, method: GET, path: /x}]}]", "", `"operation_id"`,
		},
	}
	seen := 0
	for _, typ := range load(t).All() {
		for _, l := range typ.Loads {
			if len(l.From) == 0 || !slices.Contains(typ.Identity, l.Field) {
				continue
			}
			seen++
			name := typ.Kind + " " + l.Field
			row, ok := rows[name]
			if !ok {
				t.Errorf("no row for %s", name)
				continue
			}
			texts := []string{strings.ReplaceAll(row.text, "%s", l.Field+": null, ")}
			if row.variable != "" {
				begin, end := strings.Index(row.text, "%s"), strings.LastIndex(row.text, "}]}]")
				texts = append(texts, row.text[:begin]+row.variable+row.text[end:])
			}
			for _, text := range texts {
				set := buildSet(t, text+"\n", language.Options{Env: env})
				if got := fields(find(t, set, "x")); !strings.Contains(got, row.want) {
					t.Errorf("%s\n%s, want %s", text, got, row.want)
				}
			}
		}
	}
	if seen != len(rows) {
		t.Errorf("%d of %d rows were tried", seen, len(rows))
	}
	_, diags := language.Build(load(t), read(t, "apis: [{ref: a, name: a, documents: [{ref: x, title: !env NONE, content: c}]}]\n").Documents, language.Options{Env: env})
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, "NONE, which is not set") {
		t.Errorf("%v", diags)
	}
}
