package gateway

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// nestings calls f with every list of decK's format: the lists that it stands
// in, from the top.
func nestings(list []shape, above []shape, f func(path []shape)) {
	for _, s := range list {
		path := append(above[:len(above):len(above)], s)
		f(path)
		nestings(s.nested, path, f)
	}
}

// stateWith is a state with one item in the last list of a path, and sound
// entities above it.
func stateWith(path []shape, item string) (text string, line int) {
	var b strings.Builder
	for i, s := range path {
		indent := strings.Repeat("    ", i)
		fmt.Fprintf(&b, "%s%s:\n", indent, s.key)
		line += 2
		if i == len(path)-1 {
			fmt.Fprintf(&b, "%s  - %s\n", indent, item)
			continue
		}
		fmt.Fprintf(&b, "%s  - name: above\n%s    id: 7a1d0f9e-0000-4000-8000-000000000001\n%s    username: above\n", indent, indent, indent)
		line += 2
	}
	return b.String(), line
}

// An entity of any list that is empty or no mapping is a diagnostic at its
// place, in a file and in a state.
func TestItemsThatAreNoEntities(t *testing.T) {
	count := 0
	nestings(shapes, nil, func(path []shape) {
		for _, item := range []string{"{}", "null", "~", "text", "7", "[]", "[{}]"} {
			count++
			text, line := stateWith(path, item)
			column := 4*(len(path)-1) + 5
			_, diags := Read("kong.yaml", []byte("_format_version: '3.0'\n"+text), nil)
			expectOne(t, text, diags, value.Pos{File: "kong.yaml", Line: line + 1, Column: column})
			expectOne(t, text, checkInline(parseState(t, text)), value.Pos{File: "state.yaml", Line: line + 1, Column: column + 2})
		}
	})
	if count < 100 {
		t.Errorf("%d items were tried", count)
	}
}

// So is one that says nothing that decK could know it by.
func TestItemsWithoutAName(t *testing.T) {
	count := 0
	nestings(shapes, nil, func(path []shape) {
		by := knownBy[path[len(path)-1].key]
		if len(by) == 0 {
			return
		}
		for _, item := range []string{"{tags: [a]}", fmt.Sprintf("{%s: ''}", by[0])} {
			count++
			text, line := stateWith(path, item)
			_, diags := Read("kong.yaml", []byte(text), nil)
			expectOne(t, text, diags, value.Pos{File: "kong.yaml", Line: line, Column: 4*(len(path)-1) + 5})
		}
		for _, field := range by {
			text, _ := stateWith(path, fmt.Sprintf("{%s: something}", field))
			if _, diags := Read("kong.yaml", []byte(text), nil); len(diags) > 0 {
				t.Errorf("%s: %v", text, diags)
			}
		}
	})
	if count < 10 {
		t.Errorf("%d items were tried", count)
	}
}

// What a variable holds is not reported, and a name that comes from one is a name.
func TestItemsWithVariables(t *testing.T) {
	state := parseState(t, "services: [{name: !env NAME}]\nconsumer_groups: [{name: !env NAME, plugins: [{name: !env NAME}]}]\n")
	if diags := checkInline(state); len(diags) > 0 {
		t.Error(diags)
	}
	_, diags := Read("kong.yaml", []byte("services: ['${{ env \"DECK_X\" }}']\n"), func(string) (string, bool) { return "hunter2", true })
	expectOne(t, "a variable", diags, value.Pos{File: "kong.yaml", Line: 1, Column: 12})
	if strings.Contains(diags.Err().Error(), "hunter2") {
		t.Error(diags)
	}
}

func expectOne(t *testing.T, text string, diags diag.List, at value.Pos) {
	t.Helper()
	if len(diags) != 1 || diags[0].Code != diag.DeckEntity || diags[0].Pos != at {
		t.Errorf("%s\nwant one %s at %s, got %v", text, diag.DeckEntity, at, diags)
	}
}

// parseState reads a state as it stands in a configuration, one level down.
func parseState(t *testing.T, text string) value.Value {
	t.Helper()
	dir := t.TempDir()
	text = "state:\n  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "state.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	read, diags := source.Load(t.Context(), source.Options{WorkDir: dir, Files: []string{"state.yaml"}, Claims: []source.Claim{Claim()}})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return read.Documents[0].Root.Field("state")
}
