package witness

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"go.yaml.in/yaml/v3"
)

// The module whose folder holds the document.
const sdk = "github.com/Kong/sdk-konnect-go"

// document loads Konnect's document once for all tests of a program.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	path, err := documentPath()
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return load(raw)
})

// repository is the folder above the tests that has tools/go.mod, found before
// any test changes the working folder. A build may leave out the paths of sources.
var repository = func() string {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "tools", "go.mod")); missing == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return ""
}()

// documentPath finds the document in the version that tools/go.mod pins.
func documentPath() (string, error) {
	if repository == "" {
		return "", errors.New("the tests do not run inside of the repository: no folder above them has tools/go.mod")
	}
	cmd := exec.Command("go", "mod", "download", "-modfile=tools/go.mod", "-json", sdk)
	cmd.Dir = repository
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &module); module.Dir == "" {
		return "", fmt.Errorf("go mod download %s: %s: %w", sdk, module.Error, errors.Join(err, jsonErr))
	}
	return filepath.Join(module.Dir, "openapi.yaml"), nil
}

// load reads the document. It calls itself 3.1 and says nullable, which only 3.0
// knows; so it is read as 3.0, with what only 3.1 knows put in words of 3.0.
func load(raw []byte) (*openapi3.T, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	doc["openapi"] = "3.0.3"
	normalize(doc)
	takeNull(doc, doc)
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	t, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	// Any host will do.
	t.Servers = nil
	for _, item := range t.Paths.Map() {
		item.Servers = nil
		for _, op := range item.Operations() {
			op.Servers = nil
		}
	}
	return t, nil
}

// normalize puts const as an enum of one, a list of types as anyOf, and a
// reference with keywords beside it as allOf, in all of a document.
func normalize(v any) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			normalize(e)
		}
	case map[string]any:
		if c, ok := x["const"].(string); ok {
			x["enum"] = []any{c}
			delete(x, "const")
		}
		if types, ok := x["type"].([]any); ok {
			var branches []any
			for _, t := range types {
				branches = append(branches, map[string]any{"type": t})
			}
			x["anyOf"] = branches
			delete(x, "type")
		}
		if ref, ok := x["$ref"].(string); ok && strings.Contains(ref, "/schemas/") && len(x) > 1 {
			delete(x, "$ref")
			x["allOf"] = []any{map[string]any{"$ref": ref}}
		}
		for _, e := range x {
			normalize(e)
		}
	}
}

// takeNull lets a oneOf take null where several variants do: by its letter null
// fits more than one of them, which oneOf refuses, and no variant is meant so.
func takeNull(doc map[string]any, v any) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			takeNull(doc, e)
		}
	case map[string]any:
		n := 0
		variants, _ := x["oneOf"].([]any)
		for _, variant := range variants {
			if followed(doc, variant)["nullable"] == true {
				n++
			}
		}
		if n > 1 {
			x["nullable"] = true
		}
		for _, e := range x {
			takeNull(doc, e)
		}
	}
}

// followed is a schema, or the one that it refers to.
func followed(doc map[string]any, v any) map[string]any {
	m, _ := v.(map[string]any)
	ref, _ := m["$ref"].(string)
	name, ok := strings.CutPrefix(ref, "#/components/schemas/")
	if !ok {
		return m
	}
	components, _ := doc["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	return followed(doc, schemas[name])
}

// router finds the operation of a request in the document.
var router = sync.OnceValues(func() (routers.Router, error) {
	doc, err := document()
	if err != nil {
		return nil, err
	}
	all, err := gorillamux.NewRouter(doc)
	return &remembering{Router: all}, err
})

var uuidFormat = sync.OnceValue(func() openapi3.StringFormatValidator {
	return openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForUUIDOfRFC9562)
})
