package profile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const canary = "kpat_canary0123456789"

// home makes a config folder with the text as config file; "-" makes none.
func home(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if text != "-" {
		write(t, DefaultFile(dir), text, 0o600)
	}
	return dir
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
}

func environment(pairs ...string) func(string) (string, bool) {
	m := map[string]string{}
	for _, p := range pairs {
		name, v, _ := strings.Cut(p, "=")
		m[name] = v
	}
	return func(name string) (string, bool) {
		v, ok := m[name]
		return v, ok
	}
}

func TestPrecedence(t *testing.T) {
	const file = `
default:
  konnect:
    pat: file-default
    declarative: {prune: true}
  output: yaml
team-a:
  konnect.pat: file-team
  output: ~
`
	rows := map[string]struct {
		profile string
		flags   map[string]string
		env     []string
		setting string
		value   string
		origin  string // FILE stands for the path
	}{
		"flag beats all": {
			flags: map[string]string{"konnect.pat": "flag"}, env: []string{"KONGCTL_DEFAULT_KONNECT_PAT=own", "KONGCTL_KONNECT_PAT=any"},
			setting: "konnect.pat", value: "flag", origin: "flag",
		},
		"a flag set to nothing still counts": {
			flags: map[string]string{"output": ""}, env: []string{"KONGCTL_OUTPUT=json"},
			setting: "output", value: "", origin: "flag",
		},
		"the profile's variable beats the general one": {
			env:     []string{"KONGCTL_DEFAULT_KONNECT_PAT=own", "KONGCTL_KONNECT_PAT=any"},
			setting: "konnect.pat", value: "own", origin: "environment variable KONGCTL_DEFAULT_KONNECT_PAT",
		},
		"the general variable beats the file": {
			env:     []string{"KONGCTL_KONNECT_PAT=any"},
			setting: "konnect.pat", value: "any", origin: "environment variable KONGCTL_KONNECT_PAT",
		},
		"another profile's variable is not ours": {
			env:     []string{"KONGCTL_TEAM_A_KONNECT_PAT=other"},
			setting: "konnect.pat", value: "file-default", origin: "profile default at FILE:4",
		},
		"an empty variable is an unset one": {
			env:     []string{"KONGCTL_DEFAULT_KONNECT_PAT=", "KONGCTL_KONNECT_PAT= \n"},
			setting: "konnect.pat", value: "file-default", origin: "profile default at FILE:4",
		},
		"dashes and dots become underscores": {
			profile: "team-a", env: []string{"KONGCTL_TEAM_A_KONNECT_BASE_AUTH_URL=https://x"},
			setting: "konnect.base-auth-url", value: "https://x", origin: "environment variable KONGCTL_TEAM_A_KONNECT_BASE_AUTH_URL",
		},
		"nested key in the file": {
			setting: "konnect.declarative.prune", value: "true", origin: "profile default at FILE:5",
		},
		"dotted key in the file": {
			profile: "team-a",
			setting: "konnect.pat", value: "file-team", origin: "profile team-a at FILE:8",
		},
		"profile from the environment": {
			env:     []string{"KONGCTL_PROFILE=team-a"},
			setting: "konnect.pat", value: "file-team", origin: "profile team-a at FILE:8",
		},
		"the flag beats the environment's profile": {
			profile: "default", env: []string{"KONGCTL_PROFILE=team-a"},
			setting: "konnect.pat", value: "file-default", origin: "profile default at FILE:4",
		},
		"null in the file is unset": {
			profile: "team-a", setting: "output",
		},
		"the file beats the default": {
			setting: "output", value: "yaml", origin: "profile default at FILE:6",
		},
		"default": {
			setting: "max-concurrency", value: "16", origin: "default",
		},
		"nowhere": {
			setting: "konnect.nonsense",
		},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			dir := home(t, file)
			s, err := Load(Source{Profile: row.profile, Env: environment(row.env...), HomeConfigDir: dir, Flags: row.flags})
			if err != nil {
				t.Fatal(err)
			}
			value, origin, ok := s.Lookup(row.setting)
			origin = strings.ReplaceAll(origin, DefaultFile(dir), "FILE")
			if value != row.value || origin != row.origin || ok != (row.origin != "") {
				t.Errorf("got %q from %q (%v), want %q from %q", value, origin, ok, row.value, row.origin)
			}
			if s.String(row.setting) != row.value {
				t.Errorf("String gives %q", s.String(row.setting))
			}
		})
	}
}

func TestWhichFile(t *testing.T) {
	dir := home(t, "default: {output: home}")
	one, two := filepath.Join(dir, "one.yaml"), filepath.Join(dir, "two.yaml")
	write(t, one, "default: {output: one}", 0o644)
	write(t, two, "default: {output: two}", 0o644)
	rows := map[string]struct {
		src  Source
		want string
	}{
		"the folder's":                  {Source{HomeConfigDir: dir}, "home"},
		"from the environment":          {Source{HomeConfigDir: dir, Env: environment("KONGCTL_CONFIG_FILE=" + one)}, "one"},
		"flag beats the environment":    {Source{HomeConfigDir: dir, ConfigFile: two, Env: environment("KONGCTL_CONFIG_FILE=" + one)}, "two"},
		"no folder, no file":            {Source{}, ""},
		"a folder without one":          {Source{HomeConfigDir: t.TempDir()}, ""},
		"a profile without any file":    {Source{HomeConfigDir: t.TempDir(), Profile: "ci", Env: environment("KONGCTL_CI_OUTPUT=env")}, "env"},
		"an empty file":                 {Source{HomeConfigDir: home(t, "")}, ""},
		"a file of comments":            {Source{HomeConfigDir: home(t, "# nothing\n")}, ""},
		"a file with an empty document": {Source{HomeConfigDir: home(t, "---\n")}, ""},
		"no default profile":            {Source{HomeConfigDir: home(t, "other: {output: x}")}, ""},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			s, err := Load(row.src)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.String("output"); got != row.want {
				t.Errorf("output %q, want %q", got, row.want)
			}
		})
	}
}

func TestErrorsNameTheirPlace(t *testing.T) {
	rows := map[string]struct {
		file string
		src  Source
		want string // FILE stands for the path
	}{
		"explicit file missing":       {"-", Source{ConfigFile: "/nonexistent/c.yaml"}, "config file: open /nonexistent/c.yaml: no such file or directory"},
		"file of the variable gone":   {"-", Source{Env: environment("KONGCTL_CONFIG_FILE=/nonexistent/c.yaml")}, "config file: open /nonexistent/c.yaml: no such file or directory"},
		"a folder":                    {"-", Source{ConfigFile: "/"}, "config file: read /: is a directory"},
		"unknown profile":             {"b: {}\na:\n", Source{Profile: "c"}, "profile c: not in FILE; profiles there: a, b"},
		"unknown profile of variable": {"", Source{Env: environment("KONGCTL_PROFILE=c")}, "profile c: not in FILE; profiles there: none"},
		"odd profile":                 {"-", Source{Profile: "a b"}, `profile "a b": a name has letters, digits, - and _`},
		"odd profile in the file":     {"default: {}\na.b: {}\n", Source{}, `FILE:2: profile "a.b": a name has letters, digits, - and _`},
		"not YAML":                    {"default:\n  a: b: c\n", Source{}, "FILE:2: not valid YAML: mapping values are not allowed in this context"},
		"not YAML behind the first":   {"a: {}\n---\nb: [\n", Source{}, "FILE:3: not valid YAML: did not find expected node content"},
		"unknown anchor":              {"default:\n  pat: *" + canary + "\n", Source{}, "FILE: not valid YAML: unknown anchor referenced"},
		"two documents":               {"a: {}\n---\nb: {}\n", Source{}, "FILE:2: a second document; the config file is one"},
		"a list":                      {"- a\n", Source{}, "FILE:1: not a map of profiles"},
		"a word":                      {"\n" + canary + "\n", Source{}, "FILE:2: not a map of profiles"},
		"a profile that is a word":    {"a:\n  " + canary + "\n", Source{}, "FILE:2: not a map of settings"},
		"a list for a setting":        {"a:\n  konnect:\n    pat: [" + canary + "]\n", Source{}, "FILE:3: setting konnect.pat: not a single plain value"},
		"a tag on a setting":          {"a:\n  pat: !env " + canary + "\n", Source{}, "FILE:2: setting pat: not a single plain value"},
		"a tag on a map":              {"a:\n  konnect: !x {b: c}\n", Source{}, "FILE:2: not a map of settings"},
		"an alias":                    {"a:\n  x: &x y\n  pat: *x\n", Source{}, "FILE:3: setting pat: not a single plain value"},
		"a merge":                     {"a: &a {x: y}\nb:\n  <<: *a\n", Source{}, "FILE:3: a key must be a plain word"},
		"a map for a key":             {"a:\n  {x: y}: z\n", Source{}, "FILE:2: a key must be a plain word"},
		"profile twice":               {"a: {}\nb: {}\na: {}\n", Source{}, "FILE:3: profile a stands here twice"},
		"setting twice":               {"a:\n  output: x\n  output: y\n", Source{}, "FILE:3: setting output stands here twice"},
		"setting twice, two forms":    {"a:\n  konnect: {pat: x}\n  konnect.pat: y\n", Source{}, "FILE:3: setting konnect.pat stands here twice"},
		"too large":                   {"# " + strings.Repeat("x", maxFileSize), Source{}, "config file FILE: larger than 1024 KiB"},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			dir := home(t, row.file)
			row.src.HomeConfigDir = dir
			_, err := Load(row.src)
			if err == nil {
				t.Fatal("no error")
			}
			if got := strings.ReplaceAll(err.Error(), DefaultFile(dir), "FILE"); got != row.want {
				t.Errorf("error %s\nwant  %s", got, row.want)
			}
		})
	}
	_, err := Load(Source{HomeConfigDir: home(t, "b: {}\na: {}\n"), Profile: "c"})
	var unknown *UnknownProfileError
	if !errors.As(err, &unknown) || !cmp.Equal(unknown.Known, []string{"a", "b"}) {
		t.Errorf("error %#v", err)
	}
}

func TestFileModes(t *testing.T) {
	const with, without = "other:\n  konnect: {pat: " + canary + "}\n", "default: {output: json}\n"
	rows := map[string]struct {
		text string
		mode os.FileMode
		ok   bool
	}{
		"token, owner only":             {with, 0o600, true},
		"token, read only":              {with, 0o400, true},
		"token, readable by the group":  {with, 0o640, false},
		"token, readable by others":     {with, 0o604, false},
		"token, writable by the group":  {with, 0o620, false},
		"no token, readable by all":     {without, 0o644, true},
		"empty token, readable by all":  {"default: {pat: ''}", 0o644, true},
		"null token, readable by all":   {"default: {pat: ~}", 0o644, true},
		"key token, readable by all":    {"default: {token: x}", 0o644, false},
		"refresh token, readable":       {"default: {konnect: {refresh-token: x}}", 0o644, false},
		"a key that only sounds alike":  {"default: {pattern: x, tokens: y}", 0o644, true},
		"number as token, for everyone": {"default: {pat: 1}", 0o644, false},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "c.yaml")
			write(t, path, row.text, row.mode)
			_, err := Load(Source{ConfigFile: path})
			if (err == nil) != row.ok {
				t.Fatalf("error %v", err)
			}
			if err != nil && (!strings.HasSuffix(err.Error(), "run: chmod 600 "+path) || strings.Contains(err.Error(), canary)) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestBoolAndInt(t *testing.T) {
	s, err := Load(Source{
		Flags: map[string]string{"yes": "true", "no": "False", "n": "12", "konnect.pat": canary},
		Env:   environment("KONGCTL_ODD=maybe"),
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"yes": true, "no": false, "absent": false} {
		if got, err := s.Bool(name); got != want || err != nil {
			t.Errorf("Bool(%s) = %v, %v", name, got, err)
		}
	}
	for name, want := range map[string]int{"n": 12, "max-concurrency": 16, "absent": 0} {
		if got, err := s.Int(name); got != want || err != nil {
			t.Errorf("Int(%s) = %v, %v", name, got, err)
		}
	}
	_, boolErr := s.Bool("odd")
	_, intErr := s.Int("odd")
	_, tokenErr := s.Int("konnect.pat")
	got := fmt.Sprintf("%v\n%v\n%v", boolErr, intErr, tokenErr)
	want := `setting odd (environment variable KONGCTL_ODD): "maybe" is not true or false
setting odd (environment variable KONGCTL_ODD): "maybe" is not a whole number
setting konnect.pat (flag): not a whole number`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestSettingsPrintNoToken(t *testing.T) {
	dir := home(t, "default: {konnect: {pat: "+canary+"}}")
	s, err := Load(Source{HomeConfigDir: dir, Flags: map[string]string{"konnect.token": canary}})
	if err != nil {
		t.Fatal(err)
	}
	if s.String(Token) != canary || s.Profile() != "default" || s.File() != DefaultFile(dir) {
		t.Fatalf("token %q, profile %q, file %q", s.String(Token), s.Profile(), s.File())
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if text := fmt.Sprintf(verb, s); text != "settings of profile default" {
			t.Errorf("%s prints %s", verb, text)
		}
	}
}
