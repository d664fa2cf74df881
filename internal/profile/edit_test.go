package profile_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/profile"
)

const before = `# Profiles of the team.

default:
  konnect: # where
    region: eu # the office

  log-level: info

# Careful with this one.
production:
  konnect.region: us
  konnect:
    declarative: {prune: none}
empty:
`

// config is a file with a text, opened.
func config(t *testing.T, text string) (*profile.Config, profile.Source) {
	t.Helper()
	src := profile.Source{ConfigFile: filepath.Join(t.TempDir(), "config.yaml")}
	if text != "" {
		if err := os.WriteFile(src.ConfigFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return reopen(t, src), src
}

func reopen(t *testing.T, src profile.Source) *profile.Config {
	t.Helper()
	c, err := profile.Open(src)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestEdit asserts that each change leaves all of the file but what it is about.
func TestEdit(t *testing.T) {
	for _, row := range []struct {
		name string
		edit func(*profile.Config) error
		// pairs of what is replaced in the text
		want []string
	}{
		{"a value in its place keeps its comment", func(c *profile.Config) error { return c.Set("default", "konnect.region", "au") }, []string{"region: eu #", "region: au #"}},
		{"a setting that is new stands last", func(c *profile.Config) error { return c.Set("default", "konnect.base-url", "https://k.example.com") }, []string{"# the office\n", "# the office\n    base-url: https://k.example.com\n"}},
		{"a number has no quotes", func(c *profile.Config) error { return c.Set("default", "max-concurrency", "4") }, []string{"log-level: info\n", "log-level: info\n  max-concurrency: 4\n"}},
		{"a name may be written with dots", func(c *profile.Config) error { return c.Set("production", "konnect.region", "in") }, []string{"konnect.region: us", "konnect.region: in"}},
		{"a mapping in one line stays one", func(c *profile.Config) error { return c.Set("production", "konnect.declarative.max-deletes", "10%") }, []string{"{prune: none}", "{prune: none, max-deletes: 10%}"}},
		{"a profile without settings gets its first", func(c *profile.Config) error { return c.Set("empty", "log-level", "warn") }, []string{"empty:\n", "empty:\n  log-level: warn\n"}},
		{"a profile is added", func(c *profile.Config) error { return c.Set("new", "deck.mode", "cli") }, []string{"empty:\n", "empty:\nnew:\n  deck:\n    mode: cli\n"}},
		{"a setting is removed", func(c *profile.Config) error { _, err := c.Unset("default", "log-level"); return err }, []string{"\n  log-level: info\n", ""}},
		{"mappings are not left empty", func(c *profile.Config) error {
			_, err := c.Unset("production", "konnect.declarative.prune")
			return err
		}, []string{"  konnect:\n    declarative: {prune: none}\n", ""}},
		{"a setting that is not there is not removed", func(c *profile.Config) error { _, err := c.Unset("default", "log-file"); return err }, nil},
		{"a profile is chosen", func(c *profile.Config) error { return c.Use("production") }, []string{"# Profiles of the team.\n\n", "# Profiles of the team.\n\ncurrent-profile: production\n\n"}},
		{"a profile is deleted", func(c *profile.Config) error { return c.Delete("empty") }, []string{"empty:\n", ""}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, src := config(t, before)
			if err := row.edit(c); err != nil {
				t.Fatal(err)
			}
			if err := c.Save(); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(src.ConfigFile)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.NewReplacer(row.want...).Replace(before)
			if string(got) != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			if info, err := os.Stat(src.ConfigFile); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
		})
	}
}

// TestNewConfig asserts that a file is made where there is none, and that it can
// be emptied.
func TestNewConfig(t *testing.T) {
	c, src := config(t, "")
	if c.Exists() || len(c.Profiles()) != 0 {
		t.Error("there is a file")
	}
	if err := c.Set("eu", "konnect.region", "eu"); err != nil {
		t.Fatal(err)
	}
	if err := c.Use("eu"); err != nil {
		t.Fatal(err)
	}
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	s, err := profile.Load(src)
	if err != nil || s.Profile() != "eu" || s.String(profile.Region) != "eu" || !strings.HasPrefix(s.Chosen(), "current-profile at ") {
		t.Fatal(s, err)
	}
	c = reopen(t, src)
	if err := c.Delete("eu"); err != nil {
		t.Fatal(err)
	}
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	c = reopen(t, src)
	if c.Current() != "" || len(c.Profiles()) != 0 {
		t.Error(c.Current(), c.Profiles())
	}
	if err := c.Use(profile.DefaultName); err != nil { // it need not be there
		t.Error(err)
	}
}

// TestCurrentProfile asserts who chooses the profile.
func TestCurrentProfile(t *testing.T) {
	_, src := config(t, "current-profile: b\na: {log-level: info}\nb: {log-level: debug}\nc: {}\n")
	for _, row := range []struct{ flag, env, want string }{
		{"", "", "b"}, {"", "c", "c"}, {"a", "c", "a"},
	} {
		src.Profile = row.flag
		src.Env = func(name string) (string, bool) { return row.env, name == "KONGCTL_PROFILE" }
		s, err := profile.Load(src)
		if err != nil || s.Profile() != row.want {
			t.Errorf("%+v: %v, %v", row, s, err)
		}
	}
	// A profile may have that name.
	_, src = config(t, "current-profile: {log-level: info}\n")
	src.Profile = "current-profile"
	if s, err := profile.Load(src); err != nil || s.String("log-level") != "info" {
		t.Error(s, err)
	}
	// One that is not there is an error that says where it is named.
	_, src = config(t, "current-profile: gone\na: {}\n")
	if _, err := profile.Load(src); err == nil || !strings.Contains(err.Error(), "profile gone (current-profile at ") {
		t.Error(err)
	}
	if c := reopen(t, src); !slices.Equal(c.Profiles(), []string{"a"}) || c.Use("a") != nil || c.Save() != nil {
		t.Error("the choice cannot be corrected")
	}
	if s, err := profile.Load(src); err != nil || s.Profile() != "a" {
		t.Error(s, err)
	}
}

// TestEditRefuses asserts that a file is left as it is where it cannot be changed.
func TestEditRefuses(t *testing.T) {
	c, src := config(t, "a:\n  konnect: x\n")
	if err := c.Set("a", "konnect.region", "eu"); err == nil || !strings.HasSuffix(err.Error(), "config.yaml:2: konnect is not a map of settings") {
		t.Error(err)
	}
	if err := c.Set("a b", "konnect.region", "eu"); err == nil {
		t.Error("a name with a space")
	}
	if err := c.Use("b"); err == nil {
		t.Error("an unknown profile")
	}
	if err := c.Delete("b"); err == nil {
		t.Error("an unknown profile")
	}
	if err := os.WriteFile(src.ConfigFile, []byte("b: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Save(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Error(err)
	}
	// A link stays one.
	_, src = config(t, "a: {}\n")
	link := src.ConfigFile + ".link"
	if err := os.Symlink(src.ConfigFile, link); err != nil {
		t.Fatal(err)
	}
	c = reopen(t, profile.Source{ConfigFile: link})
	if err := c.Set("a", "log-level", "info"); err != nil {
		t.Fatal(err)
	}
	if err := c.Save(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.Readlink(link); err != nil || got != src.ConfigFile {
		t.Error(got, err)
	}
}

// TestCommentsAboveTheChoice: a comment above current-profile is about the file, and
// stays when the choice goes.
func TestCommentsAboveTheChoice(t *testing.T) {
	const text = "# ours\ncurrent-profile: b\n# the first\na:\n  log-level: error\nb:\n  log-level: warn\n"
	for name, edit := range map[string]struct {
		do   func(c *profile.Config) error
		want string
	}{
		"another profile":        {func(c *profile.Config) error { return c.Use("a") }, "# ours\ncurrent-profile: a\n# the first\na:\n  log-level: error\nb:\n  log-level: warn\n"},
		"the profile is deleted": {func(c *profile.Config) error { return c.Delete("b") }, "# ours\n\n# the first\na:\n  log-level: error\n"},
		"the default":            {func(c *profile.Config) error { return c.Use("default") }, "# ours\n\n# the first\na:\n  log-level: error\nb:\n  log-level: warn\n"},
		"nothing is left":        {func(c *profile.Config) error { return errors.Join(c.Delete("a"), c.Delete("b")) }, "# ours\n"},
	} {
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := profile.Open(profile.Source{ConfigFile: path})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(edit.do(c), c.Save()); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != edit.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
