package view_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/derive"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/view"
)

// What is printed into the folder of a configuration is left out of it. With one key more
// it may declare something.
func TestFoldersLeaveOutWhatIsPrinted(t *testing.T) {
	p := &plan.Plan{Metadata: plan.Metadata{Organization: plan.Organization{ID: "x", BaseURL: "https://x"}}, Pending: []plan.Pending{{}}, Warnings: []plan.Warning{{}}}
	report := view.NewReport(p, &execute.Report{})
	report.Error, report.Diagnostics = &view.Error{}, []view.Diagnostic{}
	for name, doc := range map[string]any{
		"plan": p, "report": report, "drift": view.Drift{Place: view.PlaceOf(p.Metadata), Drift: &plan.Drift{}}, "failure": view.Failure{Error: &view.Error{}},
		"valid": view.Valid{}, "findings": view.Lint{Error: &view.Error{}}, "status": view.LocalStatus{PID: 1}, "profiles": view.Profiles{}, "settings": view.ProfileSettings{},
		"comparison": derive.Comparison{},
	} {
		for ext, write := range map[string]func(io.Writer, any) error{".yaml": view.WriteYAML, ".json": view.WriteJSON} {
			t.Run(name+ext, func(t *testing.T) {
				keys := keysOf(t, doc)
				if why := leftOut(t, ext, write, doc); why != "" {
					t.Error(why)
				}
				_, declares := keys["organization"]
				keys["_more"] = 1
				if why := leftOut(t, ext, write, keys); why == "" && (declares || ext == ".yaml") {
					t.Error("it is left out whatever else it holds")
				}
			})
		}
	}
}

func keysOf(t *testing.T, doc any) map[string]any {
	t.Helper()
	var out map[string]any
	raw, err := json.Marshal(doc)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// leftOut writes a document beside a configuration, and says why it is not simply left out;
// "" where it is.
func leftOut(t *testing.T, ext string, write func(io.Writer, any) error, doc any) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, doc); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for file, text := range map[string]string{"a.yaml": "apis: []\n", "b" + ext: b.String()} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read, list := source.Load(context.Background(), source.Options{
		WorkDir: dir, Printed: view.Printed(), Declares: func(key string) bool { return key == "apis" || key == "organization" },
	})
	for _, s := range read.Skipped {
		if len(s.Keys) > 0 || s.Unknown {
			return fmt.Sprintf("it is skipped: %+v", s)
		}
	}
	if len(list) > 0 || len(read.Documents) != 1 {
		return fmt.Sprintf("%d documents, %v\n%s", len(read.Documents), list, b.String())
	}
	return ""
}
