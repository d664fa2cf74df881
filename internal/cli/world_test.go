package cli

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

func TestVersion(t *testing.T) {
	for args, want := range map[string]string{
		"version":         "kongctl " + version + " (",
		"--version":       "kongctl " + version + " (",
		"version -o json": `"version": "` + version + `"`,
		"version -o yaml": "version: " + version,
	} {
		c := newConsole(t)
		c.write("home/.config/kongctl/config.yaml", "not: [valid")
		c.factory.catalog = func() (*catalog.Catalog, error) {
			t.Error("the contract is loaded to tell the version")
			return nil, errors.New("no")
		}
		c.want(exitDone, strings.Fields(args)...)
		contains(t, "standard output of "+args, c.out, want)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		c := newConsole(t)
		c.want(exitDone, "completion", shell)
		contains(t, "standard output", c.out, "kongctl")
	}
}

func TestColor(t *testing.T) {
	for name, tt := range map[string]struct {
		terminal, noColor bool
		env               map[string]string
		want              bool
	}{
		"a terminal":               {terminal: true, want: true},
		"a pipe":                   {},
		"--no-color":               {terminal: true, noColor: true},
		"NO_COLOR":                 {terminal: true, env: map[string]string{"NO_COLOR": "1"}},
		"an empty NO_COLOR counts": {terminal: true, env: map[string]string{"NO_COLOR": ""}, want: true},
		"CI":                       {terminal: true, env: map[string]string{"CI": "true"}},
		"a dumb terminal":          {terminal: true, env: map[string]string{"TERM": "dumb"}},
		"FORCE_COLOR":              {env: map[string]string{"FORCE_COLOR": "1", "CI": "true", "TERM": "dumb"}, want: true},
		"CLICOLOR_FORCE":           {env: map[string]string{"CLICOLOR_FORCE": "1"}, want: true},
		"FORCE_COLOR=0":            {terminal: true, env: map[string]string{"FORCE_COLOR": "0"}},
		"CLICOLOR_FORCE=0":         {env: map[string]string{"CLICOLOR_FORCE": "0"}},
		"CLICOLOR=0":               {terminal: true, env: map[string]string{"CLICOLOR": "0"}},
		"NO_COLOR wins":            {terminal: true, env: map[string]string{"NO_COLOR": "1", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}},
		"--no-color wins":          {noColor: true, env: map[string]string{"FORCE_COLOR": "1"}},
	} {
		c := newConsole(t)
		c.env = tt.env
		c.factory.noColor = tt.noColor
		if got := c.factory.style(tt.terminal).Color; got != tt.want {
			t.Errorf("%s: colour %v, want %v", name, got, tt.want)
		}
	}
}

func TestLog(t *testing.T) {
	for name, tt := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"warnings by default":     {nil, exitDone, "level=WARN msg=careful\n"},
		"everything":              {[]string{"--log-level", "trace"}, exitDone, "level=TRACE msg=tiny\n"},
		"as JSON":                 {[]string{"--log-format", "json"}, exitDone, `"level":"WARN","msg":"careful"`},
		"errors alone":            {[]string{"--log-level", "error"}, exitDone, ""},
		"not a level":             {[]string{"--log-level", "loud"}, exitUsage, "use trace, debug, info, warn or error"},
		"not a format":            {[]string{"--log-format", "xml"}, exitUsage, "use text or json"},
		"a file in a wrong place": {[]string{"--log-file", "/none/x"}, exitFailed, "open log: open /none/x"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.factory.newEngine = func(engineOptions) (backend, error) {
				log, err := c.factory.logger()
				if err != nil {
					return nil, err
				}
				log.Log(t.Context(), levelTrace, "tiny")
				log.Warn("careful")
				return c.engine, nil
			}
			c.want(tt.status, append([]string{"plan"}, tt.args...)...)
			contains(t, "standard error", c.err, tt.want)
			if tt.want == "" && c.err.String() != "" {
				t.Errorf("standard error has %q", c.err)
			}
			if tt.args == nil && strings.Contains(c.err.String(), "tiny") {
				t.Errorf("more than warnings:\n%s", c.err)
			}
		})
	}
}

func TestLogFile(t *testing.T) {
	c := newConsole(t)
	path := filepath.Join(c.dir, "k.log")
	c.factory.newEngine = func(engineOptions) (backend, error) {
		log, err := c.factory.logger()
		log.Warn("careful", slog.String("a", "b"))
		return c.engine, err
	}
	c.want(exitDone, "plan", "--log-file", path)
	if !strings.Contains(c.read("k.log"), "msg=careful a=b") || strings.Contains(c.err.String(), "careful") {
		t.Errorf("log %q, standard error %q", c.read("k.log"), c.err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestDataFolder(t *testing.T) {
	for name, tt := range map[string]struct {
		env  map[string]string
		args []string
		want string // below the current folder unless absolute
	}{
		"by default below home":  {nil, nil, "home/.local/share/kongctl"},
		"XDG_DATA_HOME":          {map[string]string{"XDG_DATA_HOME": "/xdg"}, nil, "/xdg/kongctl"},
		"a relative one is void": {map[string]string{"XDG_DATA_HOME": "xdg"}, nil, "home/.local/share/kongctl"},
		"the variable":           {map[string]string{"XDG_DATA_HOME": "/xdg", "KONGCTL_LOCAL_DATA": "/mine"}, nil, "/mine"},
		"the flag":               {map[string]string{"KONGCTL_LOCAL_DATA": "/mine"}, []string{"--data", "here"}, "here"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t)
			c.env = tt.env
			c.want(exitDone, append([]string{"local", "status"}, tt.args...)...)
			want := tt.want
			if !filepath.IsAbs(want) {
				want = filepath.Join(c.dir, want)
			}
			contains(t, "standard output", c.out, "Data:       "+want+"\n", "Running:    no")
			if _, err := os.Stat(want); err == nil {
				t.Error("asking for the status made the folder")
			}
		})
	}
}
