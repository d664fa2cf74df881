package gateway_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// TestInvalidFiles reads testdata/invalid: decK files that a gateway would refuse,
// with the text that people get to read. A file schema-NAME.json is what Konnect
// serves for a plugin; without any there is no control plane yet.
func TestInvalidFiles(t *testing.T) {
	rows, err := filepath.Glob("testdata/invalid/*.txtar")
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows (%v)", len(rows), err)
	}
	takes, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range rows {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			q, served := invalid(t, a)
			diags, err := gateway.Validate(t.Context(), q, gateway.Facts{Contract: takes, Served: served})
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := diags.Write(&b); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(b.String(), "hunter2") {
				t.Error("a secret is told")
			}
			i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
			if *update {
				if i < 0 {
					i = len(a.Files)
					a.Files = append(a.Files, txtar.File{Name: "want"})
				}
				a.Files[i].Data = []byte(b.String())
				if err := os.WriteFile(path, txtar.Format(a), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if i < 0 {
				t.Fatal("nothing is wanted")
			}
			if diff := cmp.Diff(string(a.Files[i].Data), b.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func invalid(t *testing.T, a *txtar.Archive) (gateway.Request, gateway.Schemas) {
	t.Helper()
	q := gateway.Request{Mode: gateway.Sync}
	schemas := map[string]map[string]any{}
	for _, f := range a.Files {
		name, ofPlugin := strings.CutPrefix(strings.TrimSuffix(f.Name, ".json"), "schema-")
		switch {
		case ofPlugin:
			var schema map[string]any
			if err := json.Unmarshal(f.Data, &schema); err != nil {
				t.Fatal(err)
			}
			schemas[name] = schema
		case f.Name != "want":
			d, diags := gateway.Read(f.Name, f.Data, func(string) (string, bool) { return "hunter2-hunter2", true })
			if len(diags) > 0 {
				t.Fatal(diags.Err())
			}
			q.Files = append(q.Files, d.File())
			q.Secrets = append(q.Secrets, d.Secrets...)
		}
	}
	if len(schemas) == 0 {
		return q, nil
	}
	return q, func(_ context.Context, _ gateway.SchemasOf, name string) (map[string]any, error) {
		return schemas[name], nil
	}
}
