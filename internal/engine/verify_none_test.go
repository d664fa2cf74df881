package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/plan"
)

// A saved plan is made once more from files that are what they were, within the folders
// that it may read from, whatever it names.
func TestPlansAreRepeatedFromTheirFiles(t *testing.T) {
	dir := disk.Real(t.TempDir())
	inner := filepath.Join(dir, "plans")
	if err := os.Mkdir(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	input := func(file, base string) plan.Input {
		if err := os.WriteFile(filepath.Join(inner, file), []byte("portals: []\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte("portals: []\n"))
		return plan.Input{File: file, SHA256: hex.EncodeToString(sum[:]), Base: base}
	}
	changed := input("changed.yaml", ".")
	changed.SHA256 = strings.Repeat("0", 64)
	for name, tt := range map[string]struct {
		inputs []plan.Input
		change func(m *plan.Metadata)
		bases  []string
		want   string // why not; "" is a request
		files  int
	}{
		"files":                        {inputs: []plan.Input{input("a.yaml", "."), input("b.yaml", "."), input("text.md", "")}, files: 2},
		"another file has changed":     {inputs: []plan.Input{input("a.yaml", "."), changed}, want: "changed.yaml has changed"},
		"no documents":                 {inputs: []plan.Input{input("text.md", "")}, want: "which files"},
		"gone":                         {inputs: []plan.Input{{File: "gone.yaml", Base: "."}}, want: "gone.yaml cannot be read"},
		"outside":                      {inputs: []plan.Input{input("../out.yaml", ".")}, want: "../out.yaml is outside the folder"},
		"a base outside":               {inputs: []plan.Input{input("a.yaml", "..")}, want: ".. is outside the folder"},
		"outside, and may be read":     {inputs: []plan.Input{input("../out.yaml", "..")}, bases: []string{inner, dir}, files: 1},
		"several bases":                {inputs: []plan.Input{input("a.yaml", "."), input("b.yaml", "..")}, bases: []string{dir}, want: "several base folders"},
		"an inverse plan":              {inputs: []plan.Input{input("a.yaml", ".")}, change: func(m *plan.Metadata) { m.Inverse = true }, want: "undoes"},
		"a plan for delete":            {inputs: []plan.Input{input("a.yaml", ".")}, change: func(m *plan.Metadata) { m.Mode = plan.ModeDelete }, want: "sync or apply"},
		"a plan of Kubernetes as well": {inputs: []plan.Input{input("a.yaml", ".")}, change: func(m *plan.Metadata) { m.Cluster = &plan.Cluster{} }, want: "Kubernetes"},
	} {
		m := plan.Metadata{Mode: plan.ModeSync, SyncScope: plan.Scope{Prune: PruneFull}, Inputs: tt.inputs}
		if tt.change != nil {
			tt.change(&m)
		}
		if tt.bases == nil {
			tt.bases = []string{inner}
		}
		r, err := repeated(&Planned{Plan: &plan.Plan{Metadata: m}, Dir: inner, Bases: tt.bases})
		why := ""
		if err != nil {
			why = err.Error()
		}
		if (tt.want == "") != (why == "") || !strings.Contains(why, tt.want) || len(r.Sources.Files) != tt.files {
			t.Errorf("%s: %q, %d files", name, why, len(r.Sources.Files))
		}
		if err == nil && (r.Prune != PruneFull || r.Sources.BaseDir == "") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
