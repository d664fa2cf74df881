package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A login file that cannot be read is a matter of logging in, at the same address.
func TestDamagedLogin(t *testing.T) {
	t.Parallel()
	x := newIdentityTest(t)
	x.console("approve").want(exitDone, "login")
	files, _ := filepath.Glob(filepath.Join(x.first.dir, "home/.local/state/kongctl/login/*.json"))
	if len(files) != 1 {
		t.Fatalf("logins: %q", files)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	delete(x.first.env, "KONGCTL_KONNECT_BASE_URL")
	c := x.console("approve")
	c.want(exitAuth, "get", "me", "--base-url", x.server.URL)
	contains(t, "standard error", c.err, "is damaged; run `kongctl login --base-url "+x.server.URL+"`")
	x.console("approve").want(exitDone, "login", "--base-url", x.server.URL)
	x.console("approve").want(exitDone, "get", "me", "--base-url", x.server.URL)
}

// A wrong setting of the log is blamed on what set it.
func TestWrongLogSettings(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]string{
		"KONGCTL_LOG_LEVEL":  `invalid value "@@loud" for log-level (environment variable KONGCTL_LOG_LEVEL): use trace, debug, info, warn or error`,
		"KONGCTL_LOG_FORMAT": `invalid value "@@loud" for log-format (environment variable KONGCTL_LOG_FORMAT): use text or json`,
	} {
		c := newConsole(t)
		c.env[variable] = "@@loud"
		c.write("a.yaml", "apis: []\n")
		c.want(exitUsage, "plan", "-f", "a.yaml", "--local")
		if text := c.err.String(); !strings.Contains(text, want) {
			t.Errorf("%s: %s", variable, text)
		}
	}
}
