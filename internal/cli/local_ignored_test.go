package cli

import (
	"strings"
	"testing"
)

// Every command takes --local, or is one of those of which it would say something wrong.
func TestEveryCommandTakesLocal(t *testing.T) {
	root := newRootCmd(newConsole(t).factory)
	root.InitDefaultHelpCmd()
	commands, ignored := 0, 0
	for _, cmd := range append(descendants(root), root) {
		words := strings.Fields(cmd.CommandPath())
		flag := cmd.Flags().Lookup("local")
		wrong := len(words) > 1 && needsNoLocal[words[1]]
		commands++
		if (flag == nil) != wrong {
			t.Errorf("%s has --local: %v", cmd.CommandPath(), flag != nil)
		}
		if flag != nil && flag.Hidden {
			ignored++
		}
	}
	t.Logf("%d commands, %d hide --local", commands, ignored)
	if commands < 60 || ignored < 20 || ignored > commands/2+20 {
		t.Errorf("%d commands, of which %d hide --local", commands, ignored)
	}
}

// Commands that need no Konnect do the same with --local, on either side of their name,
// and do not show it; others refuse it as before.
func TestLocalIsIgnored(t *testing.T) {
	for _, line := range []string{
		"explain portal", "explain portal.name -o json", "scaffold api", "schema", "version", "version --full", "validate -f portals.yaml", "graph -f portals.yaml", "lint portals.yaml",
		"completion bash", "help plan", "help topics", "manual markdown", "local status", "create", "dump", "api", "local", "",
	} {
		args := strings.Fields(line)
		plain := newConsole(t)
		plain.write("portals.yaml", portals)
		want := plain.run(args...)
		for _, with := range [][]string{append([]string{"--local"}, args...), append(append([]string{}, args...), "--local")} {
			c := newConsole(t)
			c.write("portals.yaml", portals)
			if got := c.run(with...); got != want || strings.Contains(c.err.String(), "no flag") {
				t.Errorf("%v: %d %s, and without --local %d %s", with, got, c.err.String(), want, plain.err.String())
			}
		}
		c := newConsole(t)
		if c.run(append(args, "--help")...); line != "" && strings.Contains(c.out.String(), "    --local ") {
			t.Errorf("%s shows --local:\n%s", line, c.out)
		}
	}
	for line, says := range map[string]string{
		"login": "--local needs no login", "logout": "--local needs no login", "profile list": "has no flag --local", "live plan": "has no flag --local", "explain portal --lokal": "has no flag --lokal",
	} {
		c := newConsole(t)
		c.want(exitUsage, append(strings.Fields(line), "--local")...)
		contains(t, line, c.err, says)
	}
}
