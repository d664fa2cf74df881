package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// severalArchive has decK files in folders, with configuration and other things
// beside them.
const severalArchive = `-- in/a.yaml --
apis: [{_deck: {files: %s}}]
-- in/other.yaml --
apis: []
-- in/gw/b.yml --
services: []
-- in/gw/a.yaml --
_format_version: "3.0"
-- in/gw/c.JSON --
{"routes": []}
-- in/gw/d.txt --
d
-- in/gw/.hidden.yaml --
hidden
-- in/gw/config.yaml --
apis: []
-- in/gw/below/e.yaml --
e
-- in/gw/.dot/f.yaml --
f
-- in/[x]/g.yaml --
g
-- in/link -> gw --
-- in/twice/a.yaml -> ../gw/a.yaml --
-- in/twice/same.yaml -> a.yaml --
-- in/empty/README.md --
-- in/mine/config.yaml --
apis: []
-- in/far -> ../out --
-- in/bad/out.yaml -> ../../out/out.yaml --
-- out/out.yaml --
out
`

func severalFolder(t *testing.T, names string) string {
	t.Helper()
	return folder(t, strings.Replace(severalArchive, "%s", names, 1))
}

func TestDeckFilesOfFoldersAndPatterns(t *testing.T) {
	for _, tc := range []struct{ name, files, want, listings string }{
		{"a folder, with those below it", "gw", "in/gw/a.yaml in/gw/b.yml in/gw/below/e.yaml in/gw/c.JSON", "in/gw"},
		{"a folder in a list", "[gw/]", "in/gw/a.yaml in/gw/b.yml in/gw/below/e.yaml in/gw/c.JSON", "in/gw"},
		{"a folder through a link", "link", "in/gw/a.yaml in/gw/b.yml in/gw/below/e.yaml in/gw/c.JSON", "in/link"},
		{"links to one file", "twice", "in/gw/a.yaml", "in/twice"},
		{"a pattern", "gw/*.y*ml", "in/gw/a.yaml in/gw/b.yml", "in/gw/*.y*ml"},
		{"a pattern with names of no decK file, and a folder", "'gw/*'", "in/gw/a.yaml in/gw/b.yml in/gw/below/e.yaml in/gw/c.JSON", "in/gw/*"},
		{"all below", "gw/**", "in/gw/a.yaml in/gw/b.yml in/gw/below/e.yaml in/gw/c.JSON", "in/gw/**"},
		{"braces", "'gw/{b,a}.{yaml,yml}'", "in/gw/a.yaml in/gw/b.yml", "in/gw/{b,a}.{yaml,yml}"},
		{"braces around folders", "'{gw,none}/a.yaml'", "in/gw/a.yaml", "in/{gw,none}/a.yaml"},
		{"back and forth", "'./gw/../gw/a*'", "in/gw/a.yaml", "in/gw/a*"},
		{"a folder whose name looks like a pattern", "'[x]'", "in/[x]/g.yaml", "in/[x]"},
		{"a file in such a folder", "'[x]/g.yaml'", "in/[x]/g.yaml", ""},
		{"one file", "gw/d.txt", "in/gw/d.txt", ""},
		{"a file with resources that is named itself", "gw/config.yaml", "in/gw/config.yaml", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, diags := load(context.Background(), Options{
				WorkDir: severalFolder(t, tc.files), Files: []string{"in/a.yaml"}, BaseDir: "in", Declares: func(key string) bool { return key == "apis" },
			})
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			var names, listings, inputs []string
			for _, named := range r.Documents[0].Files {
				for _, f := range named.Files {
					names = append(names, f.Name)
				}
				listings = append(listings, named.Listing)
			}
			for _, in := range r.Inputs {
				inputs = append(inputs, in.File)
			}
			if diff := cmp.Diff(tc.want, strings.Join(names, " ")); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.listings, strings.Join(listings, " ")); diff != "" {
				t.Errorf("listings (-want +got):\n%s", diff)
			}
			want := append([]string{"in/a.yaml"}, names...)
			slices.Sort(want)
			if diff := cmp.Diff(want, inputs); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFoldersAndPatternsThatCannotBeRead(t *testing.T) {
	for _, tc := range []struct{ name, files, want string }{
		{"an empty folder", "empty", `SRC009 No decK file is in the folder "empty".`},
		{"a folder of configuration", "mine", `SRC009 No decK file is in the folder "mine".`},
		{"no match", "gw/*.toml", `SRC009 No decK file matches the pattern "gw/*.toml".`},
		{"a match that is no decK file", "gw/*.txt", `SRC009 No decK file matches the pattern "gw/*.txt".`},
		{"no folder", "none/*.yaml", `SRC009 No decK file matches the pattern "none/*.yaml".`},
		{"hidden ones", "gw/.dot/../*hidden*", `SRC009 No decK file matches the pattern "gw/.dot/../*hidden*".`},
		{"not a pattern", "'gw/[a'", `SRC009 "gw/[a" is neither a file nor a valid pattern.`},
		{"a folder outside", "../out", `SRC006 "../out" is outside the base folder, "in".`},
		{"a pattern outside", "'../out/*'", `SRC006 "../out/*" is outside the base folder, "in".`},
		{"a pattern outside that matches nothing", "'../none/*'", `SRC006 "../none/*" is outside the base folder, "in".`},
		{"a folder that is a link outside", "far", `SRC006 "far" is outside the base folder, "in".`},
		{"a pattern through a link outside", "'far/*.yaml'", `SRC006 "far" is outside the base folder, "in".`},
		{"a pattern that meets a link outside", "'f*/*.yaml'", `SRC006 A link that the pattern "f*/*.yaml" meets leads outside the base folder, "in".`},
		{"a pattern that meets a link outside, without a match", "'f*/*.none'", `SRC006 A link that the pattern "f*/*.none" meets leads outside the base folder, "in".`},
		{"a link outside in a folder", "bad", `SRC006 "bad/out.yaml" is outside the base folder, "in".`},
		{"a link outside that a pattern matches", "'bad/*'", `SRC006 "bad/out.yaml" is outside the base folder, "in".`},
		{"a link outside below", "'bad/**'", `SRC006 A link that the pattern "bad/**" meets leads outside the base folder, "in".`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, diags := load(context.Background(), Options{
				WorkDir: severalFolder(t, tc.files), Files: []string{"in/a.yaml"}, BaseDir: "in", Declares: func(key string) bool { return key == "apis" },
			})
			var got []string
			for _, d := range diags {
				got = append(got, fmt.Sprintf("%s %s", d.Code, d.Detail))
				if d.Pos.File != "in/a.yaml" || d.Pos.Line != 1 {
					t.Errorf("it is reported at %s", d.Pos)
				}
			}
			if diff := cmp.Diff([]string{tc.want}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFilesOfAFolderAreNoSources: a walk reads only what declares resources.
func TestFilesOfAFolderAreNoSources(t *testing.T) {
	const archive = "-- a.yaml --\napis: [{_deck: {files: [gw, 'other/*.yaml']}}]\n-- gw/one.yaml --\nservices: []\n-- gw/config.yaml --\napis: []\n-- other/two.yaml --\nservices: []\n-- third.yaml --\nservices: []\n"
	r, diags := load(context.Background(), Options{WorkDir: folder(t, archive), Declares: func(key string) bool { return key == "apis" }})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	var sources, skipped []string
	for _, d := range r.Documents {
		sources = append(sources, d.File)
	}
	for _, s := range r.Skipped {
		skipped = append(skipped, s.File+" "+s.Why)
	}
	if diff := cmp.Diff([]string{"a.yaml", "gw/config.yaml", "third.yaml"}, sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"gw/one.yaml named by a.yaml", "other/two.yaml named by a.yaml"}, skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

// TestBeyond: what a plan does not name is found, and nothing outside is read.
func TestBeyond(t *testing.T) {
	dir := folder(t, "-- plan/gw/a.yaml --\na\n-- plan/gw/b.yaml --\nb\n-- plan/gw/x.txt --\nx\n-- out/c.yaml --\nc\n-- wide/d.yaml --\nd\n")
	f := Folders{Dir: filepath.Join(dir, "plan"), Bases: []string{filepath.Join(dir, "plan"), filepath.Join(dir, "wide")}}
	for _, tc := range []struct {
		name, listing string
		files         []string
		want          string
	}{
		{"all are known", "gw", []string{"gw/a.yaml", "gw/b.yaml"}, ""},
		{"one is not", "gw", []string{"gw/a.yaml"}, "gw/b.yaml=b"},
		{"of a pattern", "gw/*", []string{"gw/b.yaml"}, "gw/a.yaml=a"},
		{"the folder is gone", "none", nil, ""},
		{"the pattern matches nothing", "none/*", nil, ""},
		{"in another base folder", "../wide", nil, "../wide/d.yaml=d"},
		{"outside", "../out", nil, "../out is outside the folder of the plan; pass --base-dir FOLDER if it may be read"},
		{"a pattern outside", "../out/*", nil, "../out/* is outside the folder of the plan; pass --base-dir FOLDER if it may be read"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, err := f.Beyond(tc.listing, tc.files)
			got := ""
			for _, x := range found {
				got += x.Name + "=" + strings.TrimSpace(string(x.Content))
			}
			if err != nil {
				got = err.Error()
			}
			if got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
	if err := os.Symlink(filepath.Join(dir, "out", "c.yaml"), filepath.Join(dir, "plan", "gw", "c.yaml")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Beyond("gw", []string{"gw/a.yaml", "gw/b.yaml"}); err == nil {
		t.Error("a link outside is not refused")
	}
}
