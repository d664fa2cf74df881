package archtest

import (
	"os"
	"testing"
)

// laws are the rules of the house, each over the whole tree.
var laws = []struct {
	name  string
	check func(*tree) []finding
}{
	{"a room imports only rooms to its left, and no other target's", layerOrder(exempt)},
	{"a package says what comes in, what goes out and what it never imports", packageDocs},
	{"only the catalog names kinds and keys", kindsStayHome(catalogVocabulary())},
	{"the core and the front name no target", targetsUnnamed(mayName)},
	{"sentences name types in words", kindsInWords},
	{"nothing runs before main", noInit},
	{"regular expressions are compiled when they are used", latePatterns},
	{"package names tell", tellingNames},
	{"packages keep no state that changes", noPackageState},
	{"a file is one idea", shortFiles},
	{"a verb is flags in, one call and a view out", shortVerbs},
	{"a type is not a namespace", fewMethods(manyMethods)},
}

func TestArchitecture(t *testing.T) {
	tree, err := load(os.DirFS("../.."), "internal", "cmd", "bench", "test")
	if err != nil {
		t.Fatal(err)
	}
	for _, law := range laws {
		t.Run(law.name, func(t *testing.T) {
			for _, f := range law.check(tree) {
				t.Error(f)
			}
		})
	}
	t.Run("the laws see the tree", func(t *testing.T) { seesTree(t, tree) })
}

// seesTree guards against laws that pass because they looked at nothing.
func seesTree(t *testing.T, tree *tree) {
	seen := map[string]bool{}
	for _, p := range tree.pkgs {
		seen[room(p.dir)] = true
	}
	for _, want := range []string{"konnect/contract", "value", "diag", "konnect/catalog"} {
		if !seen[want] {
			t.Errorf("internal/%s was not found", want)
		}
	}
	if names, families := typeVariables(tree); len(names) < 5 || len(families) < 5 {
		t.Errorf("the catalog has %d variables that hold a type, in %d files: has the form of its entries changed?", len(names), len(families))
	}
}
