package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
)

// besides loads a folder with a configuration and other files, and returns what is left
// out of it and what is said of that.
func besides(t *testing.T, work string, o Options) (skipped, said []string) {
	t.Helper()
	o.WorkDir, o.Claims = work, []Claim{{Name: "kube", Own: []string{"apiVersion", "kind"}}}
	o.Printed = printedForms()
	o.Declares = func(key string) bool { return key == "apis" || key == "teams" || key == "organization" }
	r, diags := load(context.Background(), o)
	for _, s := range r.Skipped {
		why := map[bool]string{true: "may declare", false: "has " + strings.Join(s.Keys, " ")}[s.Unknown]
		skipped = append(skipped, s.File+" "+why)
	}
	for _, d := range diags {
		if d.Code != diag.SrcNotASource || d.Severity != diag.Warning {
			t.Errorf("not a warning: %v", d)
		}
		said = append(said, fmt.Sprintf("%s: %s", d.Pos, d.Detail))
	}
	return skipped, said
}

func TestJSONIsNotLostInAFolder(t *testing.T) {
	const (
		has     = "b.json has teams"
		may     = "b.json may declare"
		broken  = "The file is not valid JSON from here on, so it is skipped, and it may declare teams."
		objects = "The file has apiVersion and kind, but it is skipped, because it is a JSON file, and folders are read for .yaml and .yml."
	)
	for _, tc := range []struct {
		name, text string
		skipped    []string
		said       string
	}{
		{"plain", `{"teams": [{"name": "b"}]}`, []string{has}, ""},
		{"two halves of a letter", `{"teams": [{"name": "b", "description": "hi \ud83d\ude00"}]}`, []string{has}, ""},
		{"an escaped slash", `{"teams": [{"name": "a\/b"}]}`, []string{has}, ""},
		{"tabs", "{\n\t\"teams\": [\n\t\t{\"name\": \"b\"}\n\t]\n}\n", []string{has}, ""},
		{"a control character", "{\"teams\": [{\"name\": \"\x7f\"}]}", []string{has}, ""},
		{"a byte order mark", "\ufeff{\"teams\": []}", []string{has}, ""},
		{"an escaped key", `{"te\u0061ms": []}`, []string{has}, ""},
		{"a key twice", `{"teams": [], "x": 1, "teams": []}`, []string{"b.json has teams x"}, ""},
		{"several values", `{"x": 1}` + "\n" + `{"teams": []}`, []string{"b.json has x teams"}, ""},
		{"what was printed, and more", `{"remote_only": [], "organization": {"id": "x", "base_url": "x", "teams": []}}`, []string{"b.json has remote_only organization"}, ""},
		{"organization in two places", `{"organization": {"id": "x", "base_url": "x"}, "organization": {"teams": []}, "remote_only": []}`, []string{"b.json has organization remote_only"}, ""},
		{"decK's", `{"_format_version": "3.0", "teams": []}`, []string{"b.json has _format_version teams"}, ""},

		{"cut short", `{"teams": [`, []string{"b.json has ", may}, "b.json:1:12: " + broken},
		{"a comma too many", "{\n  \"teams\": [],\n}\n", []string{"b.json has ", may}, "b.json:3:1: " + broken},
		{"a comment", "// the teams\n{}\n", []string{"b.json has ", may}, "b.json:1:1: " + broken},
		{"an escaped key, cut short", `{"te\u0061ms": [`, []string{"b.json has ", may}, "b.json:1:17: " + broken},
		{"more behind it", `{"x": 1} teams: []`, []string{"b.json has ", may}, "b.json:1:11: " + broken},
		{"YAML", "teams: []\n", []string{"b.json has ", may}, "b.json:1:2: " + broken},
		{"UTF-16", "\xff\xfe{\x00\"\x00t\x00e\x00a\x00m\x00s\x00\"\x00:\x00", []string{"b.json has ", may}, "b.json:1:1: " + broken},
		{"an object of Kubernetes", `{"apiVersion": "v1", "kind": "Pod"}`, []string{"b.json has apiVersion kind", may}, "b.json: " + objects},
		{"a broken object of Kubernetes", `{"apiVersion": "v1", "kind": "Pod"`, []string{"b.json has ", may}, "b.json:1:35: The file is not valid JSON from here on, so it is skipped, and it may declare apiVersion and kind."},
		{"too large", `{"x": "` + strings.Repeat("x", maxFileSize) + `"}`, []string{"b.json has ", may}, "b.json: The JSON file cannot be read, so it is skipped, and it may declare something. The file has more than 10 MiB."},

		{"another tool's", `{"name": "x", "scripts": {"teams": "x"}}`, nil, ""},
		{"another tool's, with a comment", "{\n  // for the editor\n  \"compilerOptions\": {},\n}\n", nil, ""},
		{"a list", `[{"teams": []}]`, nil, ""},
		{"nothing", "\n", nil, ""},
		{"what was printed", `{"remote_only": [], "organization": {"id": "x", "base_url": "x"}}`, nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			work := folder(t, "-- a.yaml --\napis: []\n")
			write(t, filepath.Join(work, "b.json"), tc.text)
			skipped, said := besides(t, work, Options{})
			if diff := cmp.Diff(tc.skipped, skipped); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.said, strings.Join(said, "\n")); diff != "" {
				t.Errorf("said (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhereJSONIsFound(t *testing.T) {
	for _, tc := range []struct {
		name, archive string
		o             Options
		skipped, said []string
	}{
		{name: "behind a link", archive: "-- a.yaml --\napis: []\n-- b.json -> b.txt --\n-- b.txt --\n{\"teams\": []}\n", skipped: []string{"b.json has teams"}},
		{name: "once", archive: "-- a.yaml --\napis: []\n-- b.json --\n{\"teams\": []}\n-- c.json -> b.json --\n", o: Options{Dirs: []string{".", "."}}, skipped: []string{"b.json has teams"}},
		{
			name: "behind a link that leads away", archive: "-- in/a.yaml --\napis: []\n-- in/b.json -> ../b.json --\n-- b.json --\n{}\n", o: Options{Dirs: []string{"in"}},
			skipped: []string{"in/b.json has ", "in/b.json may declare"},
			said:    []string{`in/b.json: The JSON file cannot be read, so it is skipped, and it may declare something. "in/b.json": path escapes from parent.`},
		},
		{name: "behind a link that leads nowhere", archive: "-- a.yaml --\napis: []\n-- b.json -> gone.json --\n"},
		{name: "named itself", archive: "-- a.yaml --\napis: []\n-- b.json --\n{\"teams\": []}\n", o: Options{Files: []string{".", "b.json"}}},
		{name: "left out", archive: "-- a.yaml --\napis: []\n-- b.json --\n{\"teams\": [\n", o: Options{Exclude: []string{"b.json"}}},
		{name: "the content of a value", archive: "-- a.yaml --\napis: [{x: !file b.json, y: !file c.json}]\n-- b.json --\n{\"teams\": [\n-- c.json --\n{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}\n", skipped: []string{"b.json has ", "c.json has apiVersion kind"}},
		{name: "the content of a value, and with a key that declares something", archive: "-- a.yaml --\napis: [{x: !file b.json}]\n-- b.json --\n{\"teams\": []}\n", skipped: []string{"b.json has teams"}},
		{name: "below a folder that is not read", archive: "-- a.yaml --\napis: []\n-- sub/b.json --\n{\"teams\": []}\n", o: Options{Files: []string{"."}}, skipped: []string{"sub/ may declare"}},
		{name: "another tool's below a folder that is not read", archive: "-- a.yaml --\napis: []\n-- sub/b.json --\n{}\n", o: Options{Files: []string{"."}}},
		{name: "one that is no file", archive: "-- a.yaml --\napis: []\n-- b.json/c.txt --\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			skipped, said := besides(t, folder(t, tc.archive), tc.o)
			if diff := cmp.Diff(tc.skipped, skipped); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.said, said); diff != "" {
				t.Errorf("said (-want +got):\n%s", diff)
			}
		})
	}
}

// Root may read everything: for root the same file declares nothing and is passed over.
func TestAJSONFileThatMayNotBeRead(t *testing.T) {
	work := folder(t, "-- a.yaml --\napis: []\n-- b.json --\n{}\n")
	if err := os.Chmod(filepath.Join(work, "b.json"), 0); err != nil {
		t.Fatal(err)
	}
	skipped, said := besides(t, work, Options{})
	if os.Geteuid() == 0 {
		if len(skipped) != 0 || len(said) != 0 {
			t.Errorf("root skipped %v, said %v", skipped, said)
		}
		return
	}
	if len(skipped) != 2 || len(said) != 1 || !strings.Contains(said[0], "permission denied") {
		t.Errorf("skipped %v, said %v", skipped, said)
	}
}
