package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// goreleaser returns the folder with the sources of goreleaser.
func goreleaser(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/goreleaser/goreleaser/v2").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.TrimSpace(string(out))
}

func document(t *testing.T) map[string]any {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, ".goreleaser.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := yaml.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSchema asserts that goreleaser's schema takes .goreleaser.yaml, and that it is not
// one that takes everything.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(goreleaser(t), "www/docs/static/schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	file := document(t)
	if err := schema.Validate(file); err != nil {
		t.Error(err)
	}
	file["archives"].([]any)[0].(map[string]any)["unknown"] = true
	if schema.Validate(file) == nil {
		t.Error("the schema takes an unknown key")
	}
}

// TestDeprecated asserts that .goreleaser.yaml has no key that goreleaser warns about.
func TestDeprecated(t *testing.T) {
	notice := regexp.MustCompile(`\n\s*deprecate\.Notice\(ctx, "([a-z_.]+)"\)`)
	file, seen := document(t), 0
	err := filepath.WalkDir(filepath.Join(goreleaser(t), "internal/pipe"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		raw, err := os.ReadFile(name)
		for _, m := range notice.FindAllStringSubmatch(string(raw), -1) {
			seen++
			if has(file, strings.Split(m[1], ".")) {
				t.Errorf(".goreleaser.yaml has %s, which is deprecated", m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Error("no deprecated key was found: has the form of notices changed?")
	}
	if !has(file, []string{"archives", "format_overrides", "goos"}) || has(file, []string{"archives", "format"}) {
		t.Error("keys are not found where they are")
	}
}

// has reports whether a document has a key, in any item of lists.
func has(v any, path []string) bool {
	if len(path) == 0 {
		return true
	}
	switch x := v.(type) {
	case map[string]any:
		below, ok := x[path[0]]
		return ok && has(below, path[1:])
	case []any:
		for _, item := range x {
			if has(item, path) {
				return true
			}
		}
	}
	return false
}
