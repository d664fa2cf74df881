package terminal_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/terminal"
)

func TestShellWord(t *testing.T) {
	for text, want := range map[string]string{
		"/home/a/ca.pem":         "/home/a/ca.pem",
		"http://127.0.0.1:8787":  "http://127.0.0.1:8787",
		"":                       "''",
		"/home/a b/ca.pem":       "'/home/a b/ca.pem'",
		"/home/o'brien/$x/c.pem": `'/home/o'\''brien/$x/c.pem'`,
	} {
		if got := terminal.ShellWord(text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}
