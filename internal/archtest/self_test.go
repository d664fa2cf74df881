package archtest

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

const doc = "// Package p is a room. In: a. Out: b. It must never import c.\n"

// TestLawsCanFail feeds every law sources that break it, and sources that are
// near to breaking it.
func TestLawsCanFail(t *testing.T) {
	catalog := doc + "package catalog\n\nvar Portal = &Type{Kind: \"portal\", Key: \"portals\"}\n"
	kinds := kindsStayHome(vocabulary{"portal": "a kind", "portals": "a key"})
	tests := []struct {
		name  string
		check func(*tree) []finding
		files map[string]string
		want  []string // one part of each finding, in order
	}{
		{
			"import to the left", layerOrder(nil),
			map[string]string{"internal/plan/a.go": "package plan\nimport _ \"github.com/kongctl/kongctl/internal/resource\""},
			nil,
		},
		{
			"import to the right", layerOrder(nil),
			map[string]string{"internal/konnect/diff/a.go": "package diff\n\nimport _ \"github.com/kongctl/kongctl/internal/konnect/export\""},
			[]string{"internal/konnect/diff/a.go:3: internal/konnect/diff may not import internal/konnect/export"},
		},
		{
			"import to the right within a group", layerOrder(nil),
			map[string]string{"internal/value/a.go": "package value\nimport _ \"github.com/kongctl/kongctl/internal/diag\""},
			[]string{"value stands to the left of diag"},
		},
		{
			"a subpackage counts as its room", layerOrder(nil),
			map[string]string{
				"internal/konnect/client/deep/a.go": "package deep\nimport _ \"github.com/kongctl/kongctl/internal/konnect/client\"\nimport _ \"github.com/kongctl/kongctl/internal/konnect/live\"",
				"internal/konnect/client/a.go":      "package client\nimport _ \"github.com/kongctl/kongctl/internal/konnect/client/deep\"",
			},
			[]string{"internal/konnect/client/deep may not import internal/konnect/live"},
		},
		{
			"the core imports a target or the front", layerOrder(nil),
			map[string]string{
				"internal/execute/a.go": "package execute\nimport _ \"github.com/kongctl/kongctl/internal/gateway\"",
				"internal/plan/a.go":    "package plan\nimport _ \"github.com/kongctl/kongctl/internal/konnect/diff\"",
				"internal/value/a.go":   "package value\nimport _ \"github.com/kongctl/kongctl/internal/view\"",
			},
			[]string{"the core knows no target", "the core knows no target", "the core knows no target"},
		},
		{
			"a target imports another, or the front", layerOrder(nil),
			map[string]string{
				"internal/gateway/a.go":              "package gateway\nimport _ \"github.com/kongctl/kongctl/internal/konnect/client\"\nimport _ \"github.com/kongctl/kongctl/internal/konnect/live\"",
				"internal/konnect/live/a.go":         "package live\nimport _ \"github.com/kongctl/kongctl/internal/gateway/native\"",
				"internal/konnect/export/a.go":       "package export\nimport _ \"github.com/kongctl/kongctl/internal/cli\"",
				"internal/konnect/contract/gen/a.go": "package gen\nimport _ \"github.com/kongctl/kongctl/internal/plan\"",
			},
			[]string{"targets do not import each other", "nothing but the front", "targets do not import each other"},
		},
		{
			"the front imports a target", layerOrder(nil),
			map[string]string{"internal/view/a.go": "package view\nimport _ \"github.com/kongctl/kongctl/internal/gateway\""},
			[]string{"only engine/targets.go"},
		},
		{
			"the list of targets imports them, and the walk does not", layerOrder(nil),
			map[string]string{
				"internal/engine/targets.go": "package engine\nimport _ \"github.com/kongctl/kongctl/internal/gateway\"",
				"internal/engine/walk.go":    "package engine\nimport _ \"github.com/kongctl/kongctl/internal/konnect\"",
			},
			[]string{"internal/engine may not import internal/konnect"},
		},
		{
			"an exemption", layerOrder([]string{"view gateway"}),
			map[string]string{"internal/view/a.go": "package view\nimport _ \"github.com/kongctl/kongctl/internal/gateway\""},
			nil,
		},
		{
			"an exemption that nothing needs", layerOrder([]string{"view gateway", "plan gateway"}),
			map[string]string{"internal/view/a.go": "package view\nimport _ \"github.com/kongctl/kongctl/internal/gateway\""},
			[]string{"plan gateway is not needed"},
		},
		{
			"a test may look to the right", layerOrder(nil),
			map[string]string{"internal/value/a_test.go": "package value\nimport _ \"github.com/kongctl/kongctl/internal/cli\"\nimport _ \"github.com/kongctl/kongctl/internal/testkit\""},
			nil,
		},
		{
			"testkit outside a test", layerOrder(nil),
			map[string]string{"internal/cli/a.go": "package cli\nimport _ \"github.com/kongctl/kongctl/internal/testkit\""},
			[]string{"testkit is for tests"},
		},
		{
			"testkit may import anything", layerOrder(nil),
			map[string]string{"internal/testkit/a.go": "package testkit\nimport _ \"github.com/kongctl/kongctl/internal/cli\""},
			nil,
		},
		{
			"a room that is not in the list", layerOrder(nil),
			map[string]string{"internal/attic/a.go": "package attic"},
			[]string{"internal/attic: is a room that the list of layers does not have"},
		},
		{
			"main looks past cli", layerOrder(nil),
			map[string]string{"cmd/kongctl/main.go": "package main\nimport _ \"github.com/kongctl/kongctl/internal/cli\"\nimport _ \"github.com/kongctl/kongctl/internal/plan\""},
			[]string{"cmd/kongctl may not import internal/plan"},
		},
		{
			"a pure room reaches outside", layerOrder(nil),
			map[string]string{"internal/plan/a.go": "package plan\nimport _ \"net/http\"", "internal/konnect/live/a.go": "package live\nimport _ \"net/http\""},
			[]string{"plan is pure and may not import net/http"},
		},
		{
			"package comments", packageDocs,
			map[string]string{
				"internal/a/a.go":      doc + "package a",
				"internal/b/b.go":      "package b",
				"internal/c/c.go":      "// Package c is in, out and never.\npackage c",
				"internal/d/d.go":      "// Package d is a room. It is nice.\npackage d",
				"internal/e/e_test.go": doc + "package e",
				"internal/f/f.go":      "package f",
				"internal/f/f_test.go": doc + "package f",
				"cmd/x/main.go":        "// Command x does x.\npackage main",
			},
			[]string{"internal/b: has no", "internal/c: has a package comment of one", "internal/d: has a package comment that does not", "internal/f: has no"},
		},
		{
			"kinds and keys as literals", kinds,
			map[string]string{
				"internal/konnect/catalog/portal.go":        catalog,
				"internal/plan/a.go":                        "package plan\n\nvar a = []string{\"portal\", `portals`, \"portal_x\"}",
				"internal/plan/a_test.go":                   "package plan\n\nvar b = \"portal\"",
				"internal/testkit/a.go":                     "package testkit\n\nvar b = \"portal\"",
				"internal/konnect/catalog/bind.go":          doc + "package catalog\n",
				"internal/konnect/emulator/portal.go":       "package emulator\n\nvar b = \"portal\"",
				"internal/konnect/emulator/bind.go":         "package emulator\n\nvar c = \"portal\"",
				"internal/konnect/emulator/entity/a.go":     "package entity\n\nvar b = \"portal\"",
				"internal/konnect/emulator/model/portal.go": "package model\n\nvar c = \"portal\"",
				"internal/gateway/a.go":                     "package gateway\n\nvar b = \"portal\"",
				"internal/view/a.go":                        "package view\n\nimport _ \"portal\"\n\ntype t struct{ A int `portal` }",
			},
			[]string{"internal/konnect/emulator/bind.go:3: \"portal\" is a kind", "internal/konnect/emulator/model/portal.go:3: \"portal\" is a kind", "internal/plan/a.go:3: \"portal\" is a kind", "internal/plan/a.go:3: \"portals\" is a key"},
		},
		{
			"a type by its variable", kinds,
			map[string]string{
				"internal/konnect/catalog/portal.go": catalog,
				"internal/plan/a.go":                 "package plan\n\nimport \"github.com/kongctl/kongctl/internal/konnect/catalog\"\n\nvar a = catalog.Portal\nvar b = catalog.Types()",
			},
			[]string{"internal/plan/a.go:5: catalog.Portal is one type"},
		},
		{
			"a target by its name", targetsUnnamed([]string{"cli/flags*.go"}),
			map[string]string{
				"internal/plan/a.go":         "// Package plan has decK in a comment.\npackage plan\n\nvar deckFile = `decK`\n\ntype t struct{ A int `json:\"deck\"` }",
				"internal/plan/a_test.go":    "package plan\n\nvar b = \"deck\"",
				"internal/cli/a.go":          "package cli\n\nimport _ \"github.com/kongctl/kongctl/internal/gateway/deck\"",
				"internal/cli/flags_a.go":    "package cli\n\nvar b = \"deck\"",
				"internal/gateway/a.go":      "package gateway\n\nvar b = \"deck\"",
				"internal/konnect/live/a.go": "package live\n\nvar b = \"deck\"",
			},
			[]string{"internal/cli/a.go:3: ", "internal/plan/a.go:4: \"deckFile\"", "internal/plan/a.go:4: \"`decK`\"", "internal/plan/a.go:6: "},
		},
		{
			"a type by its kind", kindsInWords,
			map[string]string{
				"internal/plan/a.go":         "package plan\n\nvar a = f(\"The %s %q is gone\", c.ResourceType, c.Ref)\nvar b = f(\"%s %s: %s\", c.ResourceType, c.Ref, why)\nvar d = f(\"the %s %q\", words(c.ResourceType), c.Ref)\nvar e = f(\"%s %q\", c.Kind, c.Ref)",
				"internal/view/a.go":         "package view\n\nvar a = f(w, \"%d of the %s %s\", 1, x.Type, x.Ref)",
				"internal/konnect/live/a.go": "package live\n\nvar a = f(\"The %s %q is gone\", c.ResourceType, c.Ref)",
			},
			[]string{"internal/plan/a.go:3: \"The %s %q is gone\"", "internal/view/a.go:3: "},
		},
		{
			"init", noInit,
			map[string]string{"internal/a/a.go": "package a\n\nfunc init() {}\n\ntype t int\n\nfunc (t) init() {}"},
			[]string{"internal/a/a.go:3: init()"},
		},
		{
			"expressions compiled before main, and a wrong one", latePatterns,
			map[string]string{"internal/a/a.go": "package a\n\nvar (\n\tx = regexp.MustCompile(`a`)\n\ty = pattern.New(`(`)\n\tz = pattern.New(`a`)\n)\n\nvar f = func() any { return regexp.MustCompile(`a`) }\n"},
			[]string{"internal/a/a.go:4: every command compiles it", "internal/a/a.go:5: error parsing regexp"},
		},
		{
			"names that say nothing", tellingNames,
			map[string]string{"internal/utils/a.go": "package utils", "internal/x/types/a.go": "package types", "internal/y/a.go": "package y"},
			[]string{"internal/utils:", "internal/x/types:"},
		},
		{
			"a long file", shortFiles,
			map[string]string{
				"internal/a/long.go":  "package a" + strings.Repeat("\n", maxLines+1),
				"internal/a/short.go": "package a" + strings.Repeat("\n", maxLines),
				"internal/a/made.go":  "// Code generated by x; DO NOT EDIT.\n\npackage a" + strings.Repeat("\n", maxLines+1),
			},
			[]string{"internal/a/long.go: has 501 lines"},
		},
		{
			"a long verb", shortVerbs,
			map[string]string{
				"internal/cli/long.go":      "package cli" + strings.Repeat("\n", maxVerbLines+1),
				"internal/cli/short.go":     "package cli" + strings.Repeat("\n", maxVerbLines),
				"internal/cli/long_test.go": "package cli" + strings.Repeat("\n", maxVerbLines+1),
				"internal/engine/long.go":   "package engine" + strings.Repeat("\n", maxVerbLines+1),
			},
			[]string{"internal/cli/long.go: has 201 lines"},
		},
		{
			"a type with too many methods", fewMethods(map[string]string{"a.Known": "it is known", "a.Few": "none"}),
			map[string]string{
				"internal/a/a.go": "package a\n\ntype Few struct{}\n" + methods("Few", 20) + "type Many[T any] struct{}\n" + methods("*Many[T]", 41) + "type Known struct{ Many[int] }\n",
				"internal/b/b.go": "package b\n\nimport \"github.com/kongctl/kongctl/internal/a\"\n\ntype Both struct {\n\t*a.Few\n\tfield a.Many[int]\n}\n" + methods("*Both", 21) + "type Edge struct{ a.Few }\n" + methods("Edge", 20),
			},
			[]string{"Many has 41 methods", "Both has 41 methods", "a.Few is not needed"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, tt.check, tt.files, tt.want) })
	}
}

func TestStateLawCanFail(t *testing.T) {
	tests := []struct {
		name, body string
		want       string
	}{
		{"a table that is only read", "var v = map[string]int{}\nfunc f() int { return v[\"a\"] }", ""},
		{"a lazy value", "var v = sync.OnceValue(g)\nfunc f() int { return v() }", ""},
		{"a local of the same name", "var v int\nfunc f() { v := 1; v = 2; v++; _ = &v }", ""},
		{"a parameter of the same name", "var v map[string]int\nfunc f(v map[string]int) { v[\"a\"] = 1; delete(v, \"a\") }", ""},
		{"a field of a local", "var v int\nfunc f(x *T) { x.v = 1 }", ""},
		{"assigned", "var v int\nfunc f() { v = 1 }", "assigns to package-level v"},
		{"assigned together with a local", "var v int\nfunc f() { var a int; a, v = 1, 2; _ = a }", "assigns to package-level v"},
		{"an element assigned", "var v = map[string]int{}\nfunc f() { v[\"a\"] = 1 }", "assigns to package-level v"},
		{"a field of an element assigned", "var v []T\nfunc f() { v[0].x.y = 1 }", "assigns to package-level v"},
		{"through a pointer", "var v *int\nfunc f() { *v = 1 }", "assigns to package-level v"},
		{"counted up", "var v int\nfunc f() { v++ }", "counts in package-level v"},
		{"by range", "var v int\nfunc f() { for v = range 3 {} }", "assigns to package-level v"},
		{"deleted from", "var v map[string]int\nfunc f() { delete(v, \"a\") }", "deletes from package-level v"},
		{"address handed out", "var v int\nfunc f() { g(&v) }", "hands out the address of package-level v"},
		{"within a closure of an initialiser", "var v int\nvar w = func() { v = 1 }", "assigns to package-level v"},
		{"a lock", "var v sync.Mutex", "package-level sync.Mutex"},
		{"an atomic", "var v atomic.Pointer[int]", "package-level atomic.Pointer"},
		{"another package's variable", "func f() { http.DefaultClient.Timeout = 1 }", "assigns to a variable of package http"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			if tt.want != "" {
				want = []string{tt.want}
			}
			src := "package a\n\nimport (\n\"net/http\"\n\"sync\"\n)\n\n" + tt.body
			expect(t, noPackageState, map[string]string{"internal/a/a.go": src}, want)
		})
	}
	t.Run("declared in another file", func(t *testing.T) {
		expect(t, noPackageState, map[string]string{
			"internal/a/a.go":      "package a\n\nfunc f() { v = 1 }",
			"internal/a/b.go":      "package a\n\nvar v int",
			"internal/a/a_test.go": "package a\n\nfunc g() { v = 2 }",
			"internal/b/b.go":      "package b\n\nfunc f(v int) { v = 2 }",
		}, []string{"internal/a/a.go:3: assigns to package-level v"})
	})
}

func expect(t *testing.T, check func(*tree) []finding, files map[string]string, want []string) {
	t.Helper()
	root := fstest.MapFS{}
	for name, src := range files {
		root[name] = &fstest.MapFile{Data: []byte(src)}
	}
	tree, err := load(root, "internal", "cmd")
	if err != nil {
		t.Fatal(err)
	}
	got := check(tree)
	if len(got) != len(want) {
		t.Fatalf("%d findings, want %d: %v", len(got), len(want), got)
	}
	for i, w := range want {
		if !strings.Contains(got[i].String(), w) {
			t.Errorf("finding %d is %q, want it to hold %q", i, got[i], w)
		}
	}
}

// methods declares methods of a type.
func methods(of string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "func (x %s) m%d() {}\n", of, i)
	}
	return b.String()
}
