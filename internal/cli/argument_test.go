package cli

import (
	"testing"

	"github.com/spf13/cobra"
)

// hiddenToo calls a function for every command, also for those that are hidden.
func hiddenToo(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, below := range cmd.Commands() {
		hiddenToo(below, do)
	}
}

// TestWrongUsage asserts for every command that arguments and flags that it does not
// take are errors of usage.
func TestWrongUsage(t *testing.T) {
	tried, none := 0, []string{}
	hiddenToo(newRootCmd(newConsole(t).factory), func(cmd *cobra.Command) {
		for _, args := range [][]string{nil, {""}, {"nosuch"}, {"nosuch", "x", "y", "z", "z", "z"}} {
			if err := cmd.ValidateArgs(args); err != nil {
				tried++
				if got := exitCode(err); got != exitUsage {
					t.Errorf("%s %q: exit status %d: %v", cmd.CommandPath(), args, got, err)
				}
			}
		}
		if err := cmd.ParseFlags([]string{"--nosuch-flag"}); err != nil {
			if got := exitCode(cmd.FlagErrorFunc()(cmd, err)); got != exitUsage {
				t.Errorf("%s --nosuch-flag: exit status %d", cmd.CommandPath(), got)
			}
		} else if !cmd.DisableFlagParsing {
			none = append(none, cmd.CommandPath())
		}
	})
	if tried < 100 || len(none) > 0 {
		t.Errorf("%d refusals of arguments; commands that take any flag: %v", tried, none)
	}
}

// TestWrongUsageOfValues asserts the exit status of values that no command can use.
func TestWrongUsageOfValues(t *testing.T) {
	for _, args := range [][]string{
		{"profile", "set", "-p", "a b/../c", "log-level", "error"},
		{"profile", "show", "-p", "a b"},
		{"login", "-p", "a b"},
		{"api", "get", "/v3/../../x", "--local"},
		{"api", "get", "/v3//x", "--local"},
		{"manual"},
		{"resume", "a", "b"},
	} {
		c := newConsole(t).real()
		if got := c.run(args...); got != exitUsage {
			t.Errorf("%q: exit status %d\n%s", args, got, c.err)
		}
	}
}
