package object_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/kube/object"
)

func data(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func mutated(annotation string) map[string]any {
	return map[string]any{"metadata": map[string]any{"annotations": map[string]any{object.Mutation: annotation}}}
}

func TestSubstitutions(t *testing.T) {
	list, err := object.Substitutions(mutated(`
- sourceRef: {group: apps, kind: Deployment, name: web, namespace: prod}
  sourcePath: $.status.replicas
  targetPath: $.data.text
  token: ${n}
- sourceRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  sourcePath: $.a
  targetPath: $.b
- sourceRef: {apiVersion: v1, kind: Service, name: web}
  sourcePath: $.a
  targetPath: $.b
- sourceRef: {kind: Service, name: web}
  sourcePath: $.a
  targetPath: $.b
`))
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Source               object.ID
		Version, From, Token string
	}
	var got []row
	for _, s := range list {
		got = append(got, row{s.Source, s.Version, s.From.String(), s.Token})
	}
	want := []row{
		{object.ID{Group: "apps", Kind: "Deployment", Namespace: "prod", Name: "web"}, "", "$.status.replicas", "${n}"},
		{object.ID{Group: "apps", Kind: "Deployment", Name: "web"}, "v1", "$.a", ""},
		{object.ID{Kind: "Service", Name: "web"}, "v1", "$.a", ""},
		{object.ID{Kind: "Service", Name: "web"}, "", "$.a", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if list, err := object.Substitutions(map[string]any{}); list != nil || err != nil {
		t.Errorf("an object without the annotation has %v, %v", list, err)
	}
}

func TestSubstitutionsAreRefused(t *testing.T) {
	const rest = ", sourcePath: $.a, targetPath: $.b}"
	for _, test := range []struct{ name, annotation, want string }{
		{"no list", "a: b", "not a list"},
		{"no kind", "- {sourceRef: {name: a}" + rest, "item 1: sourceRef.kind is missing"},
		{"no name", "- {sourceRef: {kind: Service}" + rest, "item 1: sourceRef.name is missing"},
		{"no version", "- {sourceRef: {apiVersion: a/b/c, kind: A, name: a}" + rest, "GROUP/VERSION"},
		{"no path", "- {sourceRef: {kind: A, name: a}, sourcePath: $.a}", "targetPath: the path is missing"},
		{"a path without $", "- {sourceRef: {kind: A, name: a}, sourcePath: a, targetPath: $.b}", "sourcePath: the path \"a\" does not start with $"},
		{"a script", "- {sourceRef: {kind: A, name: a}, sourcePath: '$.a[(@.length-1)]', targetPath: $.b}", "is not supported"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := object.Substitutions(mutated(test.annotation))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestFieldPath(t *testing.T) {
	const text = `{a: {b-c: 1, "d.e": two}, list: [{name: x, v: 1, on: true}, {name: "y", v: 2, deep: {k: z}}], n: 3}`
	for _, test := range []struct {
		path string
		want any
		err  string
	}{
		{path: "$.a.b-c", want: 1},
		{path: `$.a["d.e"]`, want: "two"},
		{path: "$['a']['d.e']", want: "two"},
		{path: "$.list[0].name", want: "x"},
		{path: "$.list[-1].name", want: "y"},
		{path: `$.list[?(@.name=="y")].v`, want: 2},
		{path: `$.list[?(@.name == 'x')].v`, want: 1},
		{path: `$.list[?(@.deep.k=="z")].v`, want: 2},
		{path: `$.list[?(@.v==2)].name`, want: "y"},
		{path: `$.list[?(@.on==true)].name`, want: "x"},
		{path: `$.list[?(@.v=="2")].name`, err: "no such field"},
		{path: "$.list[*].name", err: "leads to 2 fields"},
		{path: "$.list[*].deep", want: map[string]any{"k": "z"}},
		{path: "$.list.name", err: "no such field"},
		{path: "$.list[7]", err: "no such field"},
		{path: "$.n.m", err: "no such field"},
	} {
		t.Run(test.path, func(t *testing.T) {
			p, err := object.ParseFieldPath(test.path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.One(data(t, text))
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("got %v, %v, want the error %q", got, err, test.err)
				}
				return
			}
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
	for _, bad := range []string{"", "$", "a.b", "$..a", "$.a b", "$[", "$.a[?(@.b>1)]", "$.a[0:2]"} {
		if _, err := object.ParseFieldPath(bad); err == nil {
			t.Errorf("the path %q is taken", bad)
		}
	}
}

func TestPut(t *testing.T) {
	const source = `{status: {n: 3, host: example.com, list: [1, 2], on: true}}`
	for _, test := range []struct{ name, from, to, token, into, want, err string }{
		{name: "a whole field", from: "$.status.host", to: "$.a", into: "{a: x, b: y}", want: "{a: example.com, b: y}"},
		{name: "a number stays one", from: "$.status.n", to: "$.a", into: "{a: x}", want: "{a: 3}"},
		{name: "a list", from: "$.status.list", to: "$.a.b", into: "{a: {b: []}}", want: "{a: {b: [1, 2]}}"},
		{name: "a token, everywhere", from: "$.status.host", to: "$.a", token: "${h}", into: "{a: 'http://${h}/${h}'}", want: "{a: http://example.com/example.com}"},
		{name: "a number in a text", from: "$.status.n", to: "$.a", token: "N", into: "{a: xN}", want: "{a: x3}"},
		{name: "a list in a text", from: "$.status.list", to: "$.a", token: "L", into: "{a: L}", want: "{a: '[1,2]'}"},
		{name: "a token that is not there", from: "$.status.on", to: "$.a", token: "T", into: "{a: x}", want: "{a: x}"},
		{name: "an item of a list", from: "$.status.n", to: "$.env[?(@.name==\"n\")].value", token: "N", into: "{env: [{name: m, value: N}, {name: n, value: N}]}", want: "{env: [{name: m, value: N}, {name: n, value: '3'}]}"},
		{name: "no source field", from: "$.status.gone", to: "$.a", into: "{a: x}", err: "$.status.gone of Service prod/web: no such field"},
		{name: "no target field", from: "$.status.n", to: "$.b", into: "{a: x}", err: "$.b: no such field"},
		{name: "a token in a number", from: "$.status.n", to: "$.a", token: "T", into: "{a: 1}", err: "only be replaced in a text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			list, err := object.Substitutions(mutated("- sourceRef: {kind: Service, name: web, namespace: prod}\n  sourcePath: '" + test.from + "'\n  targetPath: '" + test.to + "'\n  token: '" + test.token + "'"))
			if err != nil {
				t.Fatal(err)
			}
			into := data(t, test.into)
			_, err = list[0].Put(into, data(t, source))
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %q", err, test.err)
				}
				return
			}
			if diff := cmp.Diff(data(t, test.want), into); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
}
