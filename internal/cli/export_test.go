package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/profile"
)

func TestExportFlags(t *testing.T) {
	for _, row := range []struct {
		name, line string
		want       exportOptions
	}{
		{"nothing is everything", "", exportOptions{read: export.Options{Children: true}}},
		{
			"what to read", "--resources a,b --resources c --include-child-resources=false --filter name=x --filter namespace=y,type=z",
			exportOptions{read: export.Options{
				Resources: []string{"a", "b", "c"},
				Filters:   []export.Filter{{Name: "x", Labels: map[string]string{}}, {Namespace: "y", Type: "z", Labels: map[string]string{}}},
			}},
		},
		{"a name alone", "--filter-name x", exportOptions{read: export.Options{Children: true, Filters: []export.Filter{{Name: "x"}}}}},
		{
			"an id narrows the filters", "--filter-id x --filter label.k=v",
			exportOptions{read: export.Options{Children: true, Filters: []export.Filter{{ID: "x", Labels: map[string]string{"k": "v"}}}}},
		},
		{
			"what to write", "--default-namespace a --skip-defaults --split-dir d",
			exportOptions{read: export.Options{Children: true}, splitDir: "d", write: export.WriteOptions{DefaultNamespace: "a", SkipDefaults: true, Split: true}},
		},
		{
			"several regions", "--region us,eu --region EU --output-file f --overwrite",
			exportOptions{read: export.Options{Children: true}, outputFile: "f", overwrite: true, regions: regionList{"us", "eu"}},
		},
		{
			"all regions", "--region all --split-dir d",
			exportOptions{read: export.Options{Children: true}, splitDir: "d", write: export.WriteOptions{Split: true}, regions: profile.Regions()},
		},
		{"a state", "--state --output-file f", exportOptions{read: export.Options{Children: true}, outputFile: "f", write: export.WriteOptions{State: true}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := newConsole(t)
			var got *exportOptions
			cmd := newExportCmd(c.factory, func(_ context.Context, o *exportOptions) error { got = o; return nil })
			cmd.SetArgs(strings.Fields(row.line))
			if err := cmd.ExecuteContext(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, flag := range []string{"split-dir", "resources", "filter", "default-namespace", "include-child-resources"} {
				if !slices.Contains(got.write.Flags, flag) {
					t.Errorf("fixes cannot name --%s", flag)
				}
			}
			got.factory, got.connect.regions, got.write.Flags = nil, nil, nil
			if diff := cmp.Diff(row.want, *got, cmp.AllowUnexported(exportOptions{}, connectFlags{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

const twoPortals = `
portals:
- {name: dev, snippets: [{name: help, content: Ask us}]}
- {name: ops, kongctl: {namespace: ops}}
`

// later keeps runs apart that the still clock of a console gives the same time.
func (m *machine) later(t *testing.T) { m.console.env["XDG_STATE_HOME"] = t.TempDir() }

// A state takes the way to another data folder: what is managed is managed
// there, what is not is not, and a plan says what it said.
func TestLocalExportAndSeed(t *testing.T) {
	m := newMachine(t)
	m.console.write("portals.yaml", twoPortals)
	m.console.write("wild.yaml", "portals: [{name: wild}]")
	m.console.write("seed.yaml", "_state: {labels: {wild: {}}}\n---\nportals: [{ref: wild, name: wild}]\n")
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "one", "--seed", "seed.yaml")
	m.later(t)
	m.command().want(exitDone, "sync", "-f", "portals.yaml", "--local", "--data", "one", "--auto-approve")

	c := m.command()
	c.want(exitDone, "local", "export", "--data", "one")
	served := c.out.String()
	m.command().want(exitDone, "local", "stop", "--data", "one")
	c = m.command()
	c.want(exitDone, "local", "export", "--data", "one", "--output-file", "state.yaml")
	contains(t, "standard error", c.err, "resources written to state.yaml.")
	if diff := cmp.Diff(served, c.read("state.yaml")); diff != "" {
		t.Errorf("the server and its folder export different states:\n%s", diff)
	}

	m.later(t)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "two", "--seed", "state.yaml")
	for _, data := range []string{"one", "two"} {
		c = m.command()
		c.want(exitDone, "sync", "-f", "portals.yaml", "--local", "--data", data, "--dry-run", "--auto-approve")
		contains(t, data, c.out, "No changes")
		c = m.command()
		c.want(exitInvalid, "diff", "-f", "wild.yaml", "--local", "--data", data)
		contains(t, data, c.err, "LIVE001")
	}
	c = m.command()
	c.want(exitDone, "local", "export", "--data", "two")
	if diff := cmp.Diff(served, c.out.String()); diff != "" {
		t.Errorf("the state (-was +is):\n%s", diff)
	}
	m.command().want(exitDone, "local", "stop", "--data", "two")
}

// Where nothing is, the state of a new embedded Konnect is written, and asking
// makes no folder.
func TestLocalExportOfNothing(t *testing.T) {
	c := newConsole(t).real()
	c.want(exitDone, "local", "export", "--data", "none")
	contains(t, "standard output", c.out, "_state:", "---\n{}\n")
	if _, err := os.Stat(filepath.Join(c.dir, "none")); err == nil {
		t.Error("asking made a folder")
	}
}

// A state is for --seed alone.
func TestStateIsNoConfiguration(t *testing.T) {
	c := newConsole(t).real()
	c.write("state.yaml", "_state: {labels: {}}\n---\nportals: []\n")
	c.want(exitInvalid, "plan", "-f", "state.yaml", "--local")
	contains(t, "standard error", c.err, "_state")
}
