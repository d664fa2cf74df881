package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLiveInitFlags(t *testing.T) {
	none := groupFlags{file: "resourcegroup.yaml", dir: "."}
	for name, tt := range map[string]struct {
		args []string
		want liveInitOptions
	}{
		"nothing":         {nil, liveInitOptions{group: none, namespace: "default"}},
		"a folder":        {[]string{"pkg"}, liveInitOptions{group: groupFlags{file: "resourcegroup.yaml", dir: "pkg"}, namespace: "default"}},
		"a file":          {[]string{"--rg-file", "a/b.yaml"}, liveInitOptions{group: groupFlags{file: "a/b.yaml", named: true, dir: "."}, namespace: "default"}},
		"its other name":  {[]string{"--rg=a/b.yaml"}, liveInitOptions{group: groupFlags{file: "a/b.yaml", named: true, dir: "."}, namespace: "default"}},
		"what it is":      {[]string{"--name", "a", "--namespace", "b", "--inventory-id", "c"}, liveInitOptions{group: none, name: "a", namespace: "b", id: "c"}},
		"in short":        {[]string{"-n", "b", "-o", "json", "--force"}, liveInitOptions{group: none, namespace: "b", output: "json", force: true}},
		"a cluster, too":  {[]string{"--kubeconfig", "x", "--context", "y", "--cluster", "z", "--user", "u", "-s", "https://s"}, liveInitOptions{group: none, namespace: "default"}},
		"flags come last": {[]string{"pkg", "--rg", "a.yaml"}, liveInitOptions{group: groupFlags{file: "a.yaml", named: true, dir: "pkg"}, namespace: "default"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			var got *liveInitOptions
			root := newLiveCmd(c.factory)
			root.RemoveCommand(root.Commands()...)
			root.AddCommand(newLiveInitCmd(c.factory, func(_ context.Context, o *liveInitOptions) error { got = o; return nil }))
			root.SetArgs(append([]string{"init"}, tt.args...))
			if err := root.Execute(); err != nil {
				t.Fatal(err)
			}
			got.factory = nil
			if diff := cmp.Diff(&tt.want, got, unexported); diff != "" {
				t.Errorf("options (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLiveMigrateFlags(t *testing.T) {
	c := newConsole(t)
	var got *liveMigrateOptions
	root := newLiveCmd(c.factory)
	root.RemoveCommand(root.Commands()...)
	root.AddCommand(newLiveMigrateCmd(c.factory, func(_ context.Context, o *liveMigrateOptions) error { got = o; return nil }))
	root.SetArgs([]string{"migrate", "pkg", "--name", "a", "-n", "b", "--rg", "c", "--force", "--dry-run", "-o", "yaml", "--context", "x"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	got.factory = nil
	want := &liveMigrateOptions{group: groupFlags{file: "c", named: true, dir: "pkg"}, name: "a", namespace: "b", force: true, dryRun: true, output: "yaml"}
	if diff := cmp.Diff(want, got, unexported); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

func TestLiveUsage(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no folder but a stream": {[]string{"init", "-"}, "is not a folder"},
		"two folders":            {[]string{"migrate", "a", "b"}, `unexpected argument "b"`},
		"no file":                {[]string{"init", "--rg-file="}, "--rg-file"},
		"an empty name":          {[]string{"init", "--name", ""}, "--name: it is empty"},
		"an empty namespace":     {[]string{"migrate", "--namespace", ""}, "--namespace: it is empty"},
		"an empty id":            {[]string{"init", "--inventory-id", ""}, "--inventory-id: it is empty"},
		"a wrong name":           {[]string{"init", "--name", "a_b"}, `"a_b" for --name: it is not an RFC 1123 subdomain`},
		"a wrong namespace":      {[]string{"init", "--namespace", "A"}, `"A" for --namespace: it is not an RFC 1123 label`},
		"a wrong id":             {[]string{"init", "--inventory-id", "a b"}, "--inventory-id: it is not a label value"},
		"too long":               {[]string{"init", "--name", strings.Repeat("a", 56)}, "has 64 characters, and at most 63 are allowed"},
		"too long by itself":     {[]string{"init", "--namespace", strings.Repeat("a", 63)}, "--inventory-id"},
		"a form":                 {[]string{"init", "-o", "table"}, `"table" for --output`},
		"a verb":                 {[]string{"inti"}, "did you mean kongctl live init?"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.want(exitUsage, append([]string{"live"}, tt.args...)...)
			if !strings.Contains(c.err.String(), tt.want) {
				t.Errorf("want %q in\n%s", tt.want, c.err)
			}
			if found, err := os.ReadDir(c.dir); err != nil || len(found) > 0 {
				t.Errorf("something was written: %v %v", found, err)
			}
		})
	}
}

func TestLiveInitMakesAName(t *testing.T) {
	c := newConsole(t)
	c.want(exitDone, "live", "init", "-o", "json")
	want := `{
  "result": "written",
  "file": "resourcegroup.yaml",
  "name": "inventory-00000000",
  "namespace": "default",
  "inventory_id": "inventory-00000000-default"
}
`
	if diff := cmp.Diff(want, c.out.String()); diff != "" {
		t.Error(diff)
	}
	data, err := os.ReadFile(filepath.Join(c.dir, "resourcegroup.yaml"))
	if err != nil || strings.Contains(string(data), "labels") {
		t.Errorf("%s %v", data, err)
	}
	second := c.again()
	second.want(exitRefused, "live", "init", "-o", "json")
	if !strings.Contains(second.out.String(), `"exit_code": 7`) {
		t.Errorf("%s", second.out)
	}
}
