package archtest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "write the import graph into the documentation")

const (
	graphFile  = "../../docs/architecture.md"
	graphBegin = "<!-- import graph: begin; make docs writes it -->\n"
	graphEnd   = "<!-- import graph: end -->\n"
	graphWidth = 110
)

// TestImportGraph compares the import graph of the documentation with the
// sources; -update writes it.
func TestImportGraph(t *testing.T) {
	tree, err := load(os.DirFS("../.."), "internal", "cmd")
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(graphFile)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := replaceGraph(string(old), importGraph(tree))
	if err != nil {
		t.Fatalf("%s: %v", graphFile, err)
	}
	switch {
	case fresh == string(old):
	case *update:
		if err := os.WriteFile(graphFile, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("docs/architecture.md: the import graph is out of date; run make docs")
	}
}

// replaceGraph puts a graph between the markers of a document.
func replaceGraph(document, graph string) (string, error) {
	before, rest, begins := strings.Cut(document, graphBegin)
	_, after, ends := strings.Cut(rest, graphEnd)
	if !begins || !ends {
		return "", fmt.Errorf("the markers %q and %q are missing", strings.TrimSpace(graphBegin), strings.TrimSpace(graphEnd))
	}
	return before + graphBegin + graph + graphEnd + after, nil
}

// importGraph lists every package with the packages of this module that it
// imports, by group and in the order of the layers. Tests are left out.
func importGraph(t *tree) string {
	imports := map[string]map[string]bool{}
	t.code(func(p *pkg, f *file) {
		if imports[p.dir] == nil {
			imports[p.dir] = map[string]bool{}
		}
		for _, spec := range f.ast.Imports {
			if dir, ours := strings.CutPrefix(importPath(spec), module); ours {
				imports[p.dir][dir] = true
			}
		}
	})
	var out strings.Builder
	out.WriteString("```text\n")
	for _, g := range []string{"front", "core", "konnect", "gateway", "kube"} {
		dirs := slices.DeleteFunc(slices.Collect(maps.Keys(imports)), func(dir string) bool { return groupOf(dir) != g })
		if len(dirs) == 0 {
			continue
		}
		sortByLayer(dirs)
		fmt.Fprintf(&out, "%s\n", g)
		for _, dir := range dirs {
			to := slices.Collect(maps.Keys(imports[dir]))
			sortByLayer(to)
			writeImports(&out, short(dir), to)
		}
	}
	out.WriteString("```\n")
	return out.String()
}

// groupOf is the group of a folder; programs belong to the front.
func groupOf(dir string) string {
	if room(dir) == "" {
		return "front"
	}
	return group(room(dir))
}

func sortByLayer(dirs []string) {
	at := func(dir string) int {
		if room(dir) == "" {
			return len(layers)
		}
		return rank(room(dir))
	}
	sort.Slice(dirs, func(i, j int) bool {
		if at(dirs[i]) != at(dirs[j]) {
			return at(dirs[i]) < at(dirs[j])
		}
		return dirs[i] < dirs[j]
	})
}

func short(dir string) string { return strings.TrimPrefix(dir, "internal/") }

// writeImports writes one package and what it imports, in lines of bounded
// width.
func writeImports(out *strings.Builder, name string, to []string) {
	const indent = 28
	line := fmt.Sprintf("  %-*s", indent-2, name)
	if len(to) == 0 {
		line += " -"
	}
	for _, dir := range to {
		word := " " + short(dir)
		if len(line)+len(word) > graphWidth {
			fmt.Fprintln(out, line)
			line = strings.Repeat(" ", indent)
		}
		line += word
	}
	fmt.Fprintln(out, line)
}

// TestImportGraphOf asserts the form of the graph.
func TestImportGraphOf(t *testing.T) {
	root := fstest.MapFS{
		"cmd/kongctl/main.go":        {Data: []byte("package main\nimport _ \"github.com/kongctl/kongctl/internal/cli\"")},
		"internal/cli/cli.go":        {Data: []byte("package cli\nimport (\n_ \"os\"\n_ \"github.com/kongctl/kongctl/internal/plan\"\n_ \"github.com/kongctl/kongctl/internal/value\"\n)")},
		"internal/plan/plan.go":      {Data: []byte("package plan")},
		"internal/plan/plan_test.go": {Data: []byte("package plan\nimport _ \"github.com/kongctl/kongctl/internal/cli\"")},
	}
	tree, err := load(root, "internal", "cmd")
	if err != nil {
		t.Fatal(err)
	}
	document, err := replaceGraph("a\n"+graphBegin+"old\n"+graphEnd+"b\n", importGraph(tree))
	want := "a\n" + graphBegin + "```text\nfront\n  cli                        value plan\n  cmd/kongctl                cli\ncore\n  plan                       -\n```\n" + graphEnd + "b\n"
	if err != nil || document != want {
		t.Errorf("the document is\n%s\nwant\n%s\n%v", document, want, err)
	}
	if _, err := replaceGraph("no markers", ""); err == nil {
		t.Error("a document without markers was taken")
	}
}
